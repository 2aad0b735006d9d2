/** Whether a text is bytes in hex: at least one. */
export function isHex(text: string): boolean {
  // A group of two digits that repeats would take the stack of the expression, and end in an error on a long text.
  return text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}
