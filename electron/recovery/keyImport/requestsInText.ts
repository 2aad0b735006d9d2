/** Descriptors, extended keys and single keys as a text tells them, each with what is told of it. */
import { z } from 'zod';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { parseJson } from '../../../shared/model/parseJson.ts';
import { withoutChecksum } from '../../walletfile/descriptor/checksum.ts';
import { descriptorError } from '../../walletfile/descriptor/descriptor.ts';
import { readExtendedKey } from '../../walletfile/keys/extendedKey.ts';
import { writeWif } from '../../walletfile/keys/privateKey.ts';
import { readKeyText } from './keyText.ts';
import { readTypedKey } from './slip132.ts';

/** None for a text without a descriptor or an extended key. Throws `bad_input`. */
export function requestsIn(text: string): Request[] {
  return /^[[{]/.test(text) ? requestsOfJson(text) : requestsOfLines(text);
}

/** A descriptor of a text, and what is told of it. */
export interface Request {
  readonly desc: string;
  /** Whether it is the user's own and carries no checksum. */
  readonly unchecked: boolean;
  /** Unix seconds; 1 where it is not known. */
  readonly createTime: number;
  /** Whether new addresses come of it, and of which kind. Null: it is not told. */
  readonly active: { readonly internal: boolean } | 'no' | null;
  /** The last index. */
  readonly last: number | null;
  readonly next: number;
  readonly label: string | null;
}

const NOT_TOLD = { unchecked: false, createTime: 1, active: null, last: null, next: 0, label: null } as const;

/** As `importdescriptors` takes them and `listdescriptors` lists them. */
const requestShape = z.object({
  desc: z.string(),
  // A rescan of times before “now” is what a rescue is for.
  timestamp: z.union([z.number(), z.literal('now')]).optional(),
  active: z.boolean().optional(),
  internal: z.boolean().optional(),
  range: z.union([index(), z.tuple([index(), index()])]).optional(),
  next_index: index().optional(),
  next: index().optional(),
  label: z.string().optional(),
});
const jsonShape = z.union([
  z.array(requestShape),
  z.object({ descriptors: z.array(requestShape) }).transform(({ descriptors }) => descriptors),
]);

function index() {
  return z.number().int().nonnegative();
}

function requestsOfJson(text: string): Request[] {
  const { data = [] } = jsonShape.safeParse(parseJson(text));
  return data.flatMap(
    ({ desc, timestamp, active = false, internal = false, range, label = null, ...rest }) => {
      const createTime = typeof timestamp === 'number' ? Math.max(1, Math.floor(timestamp)) : 1;
      const last = typeof range === 'number' ? range : (range?.[1] ?? null);
      const { next = 0, next_index: nextIndex = next } = rest;
      return branchesOf(desc).map((branch, at, { length }) => ({
        ...{ desc: branch, unchecked: !desc.includes('#'), createTime, last, next: nextIndex, label },
        // Of several paths in one, the second is for change (BIP 389).
        active: active ? { internal: length > 1 ? at === 1 : internal } : 'no',
      }));
    },
  );
}

/** One of them on each line, and single keys among them. */
function requestsOfLines(text: string): Request[] {
  const found = text.split(/[\r\n]+/).map((line) => {
    const [word = '', ...label] = line.trim().split(/\s+/);
    return { word, label: label.join(' ') || null };
  });
  if (!found.some(({ word }) => DESCRIPTOR.test(word) || EXTENDED_KEY.test(word))) return [];
  return found.flatMap(({ word, label }): Request[] => {
    if (EXTENDED_KEY.test(word)) return ofExtendedKey(word);
    if (DESCRIPTOR.test(word)) {
      const unchecked = !word.includes('#');
      return branchesOf(word).map((desc) => ({ ...NOT_TOLD, desc, unchecked, label }));
    }
    for (const network of ['main', 'testnet3'] as const) {
      const key = readKeyText(word, { network });
      if (key === 'sealed') throw apart();
      const desc = key && key !== 'wrong' ? `combo(${writeWif(key, network)})` : null;
      if (desc !== null) return [{ ...NOT_TOLD, desc, label }];
    }
    return [];
  });
}

const DESCRIPTOR = /^(?:pkh?|wpkh|sh|wsh|tr|rawtr|combo|(?:sorted)?multi|addr|raw|unused)\(/;
const EXTENDED_KEY = /^[xtyzuvYZUV](?:prv|pub)[1-9A-HJ-NP-Za-km-z]{100,110}$/;

/** `<0;1>` in it: one descriptor for each number (BIP 389), without a checksum, which is of the whole text. */
function branchesOf(text: string): string[] {
  const several = /<([\dh';]{1,60})>/;
  const [, first] = several.exec(text) ?? [];
  if (first === undefined) return [text];
  const body = withoutChecksum(text, 'optional');
  return first
    .split(';')
    .map((_, at) =>
      body.replace(new RegExp(several, 'g'), (_whole, steps: string) => steps.split(';')[at] ?? ''),
    );
}

/**
 * Under what an extended key may have been used: of a root the accounts of BIP 44, 49, 84 and 86 and the chains of Bitcoin
 * Core's legacy wallets (`m/0h/0h/*h`); of any, what programs derive from the key of an account (`0/*`, `1/*`). Where the key
 * tells its use, only that.
 */
function ofExtendedKey(written: string): Request[] {
  const { plain: key, use } = readTypedKey(written);
  if (use === 'multisig') throw descriptorError({ code: 'multisig_key_alone' });
  const network = key.startsWith('x') ? 'main' : 'testnet3';
  const node = readExtendedKey(key, network);
  const isRoot = node !== null && 'privateKey' in node && node.depth === 0;
  const told = { ...NOT_TOLD, active: 'no' } as const;
  const asAccount = [0, 1].flatMap((branch) => `${key}/${branch}/*`);
  const chains = isRoot ? [`${key}/0h/0h/*h`, `${key}/0h/1h/*h`, ...asAccount] : [];
  const kinds = KINDS.filter(({ purpose }) => use === null || purpose === use).flatMap(
    ({ around, purpose }) =>
      asAccount.flatMap((path, branch): Request[] => {
        const account = `${key}/${purpose}h/${network === 'main' ? 0 : 1}h/0h/${branch}/*`;
        const main = { ...told, desc: around(isRoot ? account : path), active: { internal: branch === 1 } };
        return use === null || !isRoot ? [main] : [main, { ...told, desc: around(path) }];
      }),
  );
  if (use !== null) return kinds;
  return [...kinds, ...[key, ...chains].map((path) => ({ ...told, desc: `combo(${path})` }))];
}

/** By purpose of BIP 44, 49, 84 and 86. */
export const KINDS: readonly { purpose: number; around: (key: string) => string }[] = [
  { purpose: 44, around: (key) => `pkh(${key})` },
  { purpose: 49, around: (key) => `sh(wpkh(${key}))` },
  { purpose: 84, around: (key) => `wpkh(${key})` },
  { purpose: 86, around: (key) => `tr(${key})` },
];

/** They have no wallet together. */
export function apart(): FileError {
  return new FileError('bad_input', { code: 'keys_of_several_wallets' });
}
