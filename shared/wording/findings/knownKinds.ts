/** Lists what the app takes and what it only names, with advice: for Help and for the terminal. */
import type { FileKind } from '../../model/findings/fileKinds.ts';
import { listed } from '../format/listed.ts';
import { say } from '../say.ts';
import { fileKindAdvice, fileKindText } from './fileKindWords.ts';

/** `taken`: a line each. `named`: advice, and the kinds of files that it is for. */
export function kindGroups(kinds: readonly FileKind[]): {
  taken: readonly string[];
  named: readonly { advice: string; kinds: string }[];
} {
  const named = new Map<string, string[]>();
  for (const kind of kinds.filter(({ code }) => !TAKEN.has(code))) {
    const own = ownProgram(kind);
    const advice =
      own === null ? (fileKindAdvice(kind) ?? '') : say('A wallet of one of these? Open it there.');
    named.set(advice, [...(named.get(advice) ?? []), own ?? kindName(kind)]);
  }
  return {
    taken: unique([...WALLETS, ...kinds.filter(({ code }) => TAKEN.has(code))].map(kindName)),
    named: [...named].map(([advice, names]) => ({ advice, kinds: listed(unique(names)) })),
  };
}

/** The program that made a wallet and opens it; null if others open it. */
function ownProgram(kind: FileKind): string | null {
  if (kind.code !== 'other_wallet') return null;
  const { program, openIn } = kind as FileKind<'other_wallet'>;
  const [first = ''] = openIn;
  return openIn.length === 1 && first.startsWith(program) ? first : null;
}

function kindName(kind: FileKind): string {
  return kind.code === 'seed_words' ? say('12 to 24 seed words') : fileKindText(kind);
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
