/** Keeps words from outside to the line of a log or of a terminal that they stand in. */

/**
 * The text with every line break and control character written out (C0, DEL and C1 as `\x0a`, the separators of lines
 * and paragraphs as `\u2028`): a wallet's name may hold any of them, and must neither begin a line nor be obeyed.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}
