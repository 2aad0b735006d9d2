/** Passphrases that look like the typed one: with other spaces at their ends, or with accents in other code points. */
import { z } from 'zod/mini';

/** `composed`, `decomposed`: the Unicode forms NFC and NFD, of which systems and keyboards write one or the other. */
export const passphraseVariant = z.enum(['trimmed', 'spaced', 'composed', 'decomposed']);
export type PassphraseVariant = z.infer<typeof passphraseVariant>;

const VARIANTS: Readonly<Record<PassphraseVariant, (passphrase: string) => string>> = {
  trimmed: (passphrase) => passphrase.trim(),
  spaced: (passphrase) => `${passphrase} `,
  composed: (passphrase) => passphrase.trim().normalize('NFC'),
  decomposed: (passphrase) => passphrase.trim().normalize('NFD'),
};

export function applyVariant(variant: PassphraseVariant, passphrase: string): string {
  return VARIANTS[variant](passphrase);
}

/** The variants to try after the passphrase itself, each another text. */
export function variantsOf(passphrase: string): PassphraseVariant[] {
  const known = new Set([passphrase, '']);
  return passphraseVariant.options.filter((variant) => {
    const text = applyVariant(variant, passphrase);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}
