/** Paths as people read them: the home folder is `~`. */

/** Matches the home folder wherever a path begins with it. Set once, at the start. Null: paths stay, as on Windows. */
let homes: RegExp | null = null;

export function setHome(folder: string | null): void {
  const escaped = folder?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  homes =
    escaped === undefined || escaped === '/'
      ? null
      : new RegExp(`(?<![^\\s“‘"'(])${escaped}(?=/|$|[\\s”’"')]|[.,:;](?:\\s|$))`, 'gu');
}

/** A text in which `~` stands for the home folder wherever a path begins with it. */
export function withTilde(text: string): string {
  return homes === null ? text : text.replace(homes, '~');
}
