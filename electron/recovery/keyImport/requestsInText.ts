/** Reads descriptors, extended keys and single keys in a text as import requests. */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, createView } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { z } from 'zod';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { parseJson } from '../../../shared/model/parseJson.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { withoutChecksum } from '../../walletfile/descriptor/checksum.ts';
import { descriptorError } from '../../walletfile/descriptor/descriptor.ts';
import { readExtendedKey, versionsOf } from '../../walletfile/keys/extendedKey.ts';
import { writeWif } from '../../walletfile/keys/privateKey.ts';
import { readKeyText } from './keyText.ts';

/** Empty for a text without descriptors and extended keys. Throws `bad_input`. */
export function requestsIn(text: string): Request[] {
  return /^[[{]/.test(text) ? requestsOfJson(text) : requestsOfLines(text);
}

/** A descriptor and the facts that the text gives for it. */
export interface Request {
  readonly desc: string;
  /** Whether the text has the descriptor without its checksum. */
  readonly unchecked: boolean;
  /** Unix seconds; 1 if unknown. */
  readonly createTime: number;
  /** Whether it makes new addresses, and of which kind. Null if the text does not say. */
  readonly active: { readonly internal: boolean } | 'no' | null;
  /** The last index. */
  readonly last: number | null;
  readonly next: number;
  readonly label: string | null;
}

const NO_FACTS = { unchecked: false, createTime: 1, active: null, last: null, next: 0, label: null } as const;

/** The input of `importdescriptors` and the output of `listdescriptors`. */
const requestShape = z.object({
  desc: z.string(),
  // Ignore “now”: a rescue must find earlier transactions.
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
        // In a multipath descriptor, the second path is for change (BIP 389).
        active: active ? { internal: length > 1 ? at === 1 : internal } : 'no',
      }));
    },
  );
}

/** One descriptor, extended key or single key on each line. */
function requestsOfLines(text: string): Request[] {
  const found = text.split(/[\r\n]+/).map((line) => {
    const [word = '', ...label] = line.trim().split(/\s+/);
    return { word, label: label.join(' ') || null };
  });
  if (!found.some(({ word }) => DESCRIPTOR.test(word) || EXTENDED_KEY.test(word))) return [];
  return found.flatMap(({ word, label }): Request[] => {
    if (EXTENDED_KEY.test(word)) return requestsOfExtendedKey(word);
    if (DESCRIPTOR.test(word)) {
      const unchecked = !word.includes('#');
      return branchesOf(word).map((desc) => ({ ...NO_FACTS, desc, unchecked, label }));
    }
    for (const network of ['main', 'testnet3'] as const) {
      const key = readKeyText(word, { network });
      if (key === 'sealed') throw severalWallets();
      const desc = key && key !== 'wrong' ? `combo(${writeWif(key, network)})` : null;
      if (desc !== null) return [{ ...NO_FACTS, desc, label }];
    }
    return [];
  });
}

const DESCRIPTOR = /^(?:pkh?|wpkh|sh|wsh|tr|rawtr|combo|(?:sorted)?multi|addr|raw|unused)\(/;
const EXTENDED_KEY = /^[xtyzuvYZUV](?:prv|pub)[1-9A-HJ-NP-Za-km-z]{100,110}$/;

/** Splits a multipath descriptor (`<0;1>`, BIP 389), without the checksum, which is valid for the whole text only. */
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
 * All descriptors that programs may use an extended key for. For a root: the accounts of BIP 44, 49, 84 and 86, and the chains of
 * Bitcoin Core's legacy wallets (`m/0h/0h/*h`). For any key: the branches of an account (`0/*`, `1/*`). A typed key, such as a
 * zpub, names its only use.
 */
function requestsOfExtendedKey(written: string): Request[] {
  const { plain: key, use } = readTypedKey(written);
  if (use === 'multisig') throw descriptorError({ code: 'multisig_key_alone' });
  const network = key.startsWith('x') ? 'main' : 'testnet3';
  const node = readExtendedKey(key, network);
  const isRoot = node !== null && 'privateKey' in node && node.depth === 0;
  const inactive = { ...NO_FACTS, active: 'no' } as const;
  const asAccount = [0, 1].flatMap((branch) => `${key}/${branch}/*`);
  const chains = isRoot ? [`${key}/0h/0h/*h`, `${key}/0h/1h/*h`, ...asAccount] : [];
  const kinds = KINDS.filter(({ purpose }) => use === null || purpose === use).flatMap(
    ({ around, purpose }) =>
      asAccount.flatMap((path, branch): Request[] => {
        const account = `${key}/${purpose}h/${network === 'main' ? 0 : 1}h/0h/${branch}/*`;
        const main = {
          ...inactive,
          desc: around(isRoot ? account : path),
          active: { internal: branch === 1 },
        };
        return use === null || !isRoot ? [main] : [main, { ...inactive, desc: around(path) }];
      }),
  );
  if (use !== null) return kinds;
  return [...kinds, ...[key, ...chains].map((path) => ({ ...inactive, desc: `combo(${path})` }))];
}

/** The script of each purpose of BIP 44, 49, 84 and 86. */
export const KINDS: readonly { purpose: number; around: (key: string) => string }[] = [
  { purpose: 44, around: (key) => `pkh(${key})` },
  { purpose: 49, around: (key) => `sh(wpkh(${key}))` },
  { purpose: 84, around: (key) => `wpkh(${key})` },
  { purpose: 86, around: (key) => `tr(${key})` },
];

/** Keys that do not fit into one wallet. */
export function severalWallets(): FileError {
  return new FileError('bad_input', { code: 'keys_of_several_wallets' });
}

interface TypedKey {
  /** `xpub…`, `xprv…`, `tpub…` or `tprv…` of the same key. */
  readonly plain: string;
  /** The purpose (BIP 49 or 84); `multisig`: one of several keys of a script. Null for a key without a type. */
  readonly use: 49 | 84 | 'multisig' | null;
}

/** Reads a typed extended key. Returns any other text unchanged. */
function readTypedKey(text: string): TypedKey {
  const untyped = { plain: text, use: null };
  const bytes = text.length > MOST_CHARACTERS ? null : orNull(() => base58check.decode(text));
  if (bytes?.length !== 78) return untyped;
  const version = createView(bytes).getUint32(0, false);
  const found = VERSIONS.find((one) => one.public === version || one.private === version);
  if (!found) return untyped;
  const plain = versionsOf(found.network)[found.public === version ? 'public' : 'private'];
  const head = new Uint8Array(4);
  createView(head).setUint32(0, plain, false);
  return { plain: base58check.encode(concatBytes(head, bytes.subarray(4))), use: found.use };
}

const base58check = createBase58check(sha256);
/** Extended keys have 111 characters. */
const MOST_CHARACTERS = 120;

/** Registered at https://github.com/satoshilabs/slips/blob/master/slip-0132.md: ypub, zpub, Ypub, Zpub, upub, vpub, Upub, Vpub. */
const VERSIONS = [
  { network: 'main', use: 49, public: 0x049d7cb2, private: 0x049d7878 },
  { network: 'main', use: 84, public: 0x04b24746, private: 0x04b2430c },
  { network: 'main', use: 'multisig', public: 0x0295b43f, private: 0x0295b005 },
  { network: 'main', use: 'multisig', public: 0x02aa7ed3, private: 0x02aa7a99 },
  { network: 'testnet3', use: 49, public: 0x044a5262, private: 0x044a4e28 },
  { network: 'testnet3', use: 84, public: 0x045f1cf6, private: 0x045f18bc },
  { network: 'testnet3', use: 'multisig', public: 0x024289ef, private: 0x024285b5 },
  { network: 'testnet3', use: 'multisig', public: 0x02575483, private: 0x02575048 },
] as const;
