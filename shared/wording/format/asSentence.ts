/** A title as a sentence of its own. Some titles are sentences already. */
export function asSentence(title: string): string {
  return /[.!?:]$/.test(title) ? title : `${title}.`;
}
