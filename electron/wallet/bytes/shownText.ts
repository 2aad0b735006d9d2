/** Words of a file as long as a person can read them: what made the file may have put a novel there. */

const MOST_CHARACTERS = 1000;

/** At most the first thousand characters, and an ellipsis for the rest. */
export function shownText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const start = text.slice(0, MOST_CHARACTERS);
  // Not the first half of a character.
  return `${/[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start}…`;
}
