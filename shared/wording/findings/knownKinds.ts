/** Lists what the app takes and what it only names, with advice: for Help and for the terminal. */
import type { FileKind } from '../../model/findings/fileKinds.ts';
import { listed } from '../format/listed.ts';
import { fileKindAdvice, fileKindText } from './fileKindWords.ts';

/** `taken`: a sentence each. `named`: advice, and the kinds of files that it is for. */
export function kindGroups(kinds: readonly FileKind[]): {
  taken: readonly string[];
  named: readonly { advice: string; kinds: string }[];
} {
  const named = new Map<string, string[]>();
  for (const kind of kinds.filter(({ code }) => !TAKEN.has(code))) {
    const advice = fileKindAdvice(kind) ?? '';
    named.set(advice, [...(named.get(advice) ?? []), fileKindText(kind)]);
  }
  return {
    taken: unique([...WALLETS, ...kinds.filter(({ code }) => TAKEN.has(code))].map(fileKindText)),
    named: [...named].map(([advice, names]) => ({ advice, kinds: listed(unique(names)) })),
  };
}

const WALLETS: readonly FileKind[] = [{ code: 'legacy_wallet' }, { code: 'descriptor_wallet' }];

/** Texts whose keys a rescue takes. */
const TAKEN: ReadonlySet<FileKind['code']> = new Set([
  ...(['wallet_dump', 'record_dump', 'descriptors'] as const),
  ...(['bip38_key', 'private_keys', 'extended_key'] as const),
]);

/** Whether to search such a file for keys. */
export function isTakenText({ code }: FileKind): boolean {
  return TAKEN.has(code) || code === 'damaged_keys';
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
