/** Where the passphrase for each plan is typed, by its key: nothing else holds one. */
export const passphraseFields = new Map<string, HTMLInputElement>();

/** What is typed there, if anything is. */
export function secretOf(key: string): { passphrase?: string } {
  const passphrase = passphraseFields.get(key)?.value;
  return passphrase ? { passphrase } : {};
}
