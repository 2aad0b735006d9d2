/** Paths as people read them: the home folder is `~`. */

/** Set once, at the start. Null: paths stay, as on Windows. */
let home: string | null = null;

export function setHome(folder: string | null): void {
  home = folder;
}

/** A text in which `~` stands for the home folder wherever a path begins with it. */
export function withTilde(text: string): string {
  if (home === null || home === '/') return text;
  const escaped = home.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![^\\s“‘"'(])${escaped}(?=/|$|[\\s”’"')]|[.,:;](?:\\s|$))`, 'gu'), '~');
}
