/** Reads descriptors, extended keys and single keys in a text as import requests. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { z } from 'zod/mini';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { TextNote } from '../../../shared/model/findings/textLines.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { descriptorError, keysOf, publicKeysOf } from '../../walletfile/descriptor/descriptor.ts';
import { isDescriptor, parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { writePrivate } from '../../walletfile/descriptor/descriptorWrite.ts';
import {
  deriveChild,
  type ExtendedPrivateKey,
  fingerprintOf,
  readExtendedKey,
} from '../../walletfile/keys/extendedKey.ts';
import { writeWif } from '../../walletfile/keys/privateKey.ts';
import { readOutputScript } from '../../walletfile/script/script.ts';
import type { KeyInText, TextContents } from '../../walletfile/text/keysInText.ts';
import {
  plainDescriptors,
  readKeyText,
  readTypedKey,
  withRightMarks,
} from '../../walletfile/text/keyText.ts';
import type { JsonObject } from '../../walletfile/text/otherKeys.ts';

/** Empty for a text without descriptors and extended keys. Throws `bad_input`. */
export function requestsIn(contents: TextContents): { requests: ImportRequest[]; notes: TextNote[] } {
  const { keys, hexKeys, multisigs, records, isMultisig } = contents;
  const descriptorKeys = keys.filter(isOfDescriptors);
  const isNeeded =
    descriptorKeys.some(({ isComment, text }) => !isComment || (!isDump(contents) && /prv/.test(text))) ||
    descriptorKeys.length === keys.length;
  if (descriptorKeys.length === 0 || !isNeeded) return { requests: [], notes: [] };
  // A backup names the public key of its private one too, and a wallet has private keys for all of its descriptors or for none.
  const hasPrivate = descriptorKeys.some(({ form, text }) => form === 'extended' && isPrivate(text));
  // Next to the descriptors in a program’s export are the keys that they were made of.
  const hasDescriptors = descriptorKeys.some(
    ({ form, jsonObject }) => form === 'descriptor' && jsonObject !== null,
  );
  const isBare = descriptorKeys.every(({ form }) => form === 'extended');
  const leftOut = new Set(descriptorKeys.filter((key) => isOfMultisig(key) ?? (isBare && isMultisig)));
  if (leftOut.size === descriptorKeys.length) throw descriptorError({ code: 'multisig_key_alone' });
  // Encrypted keys and scripts of another wallet have no place in this one.
  if (records.length > 0) throw severalWalletsError();
  const owners = keys.flatMap(ownerOf);
  const used = new Set<KeyInText>();
  const descriptors = keys.flatMap((key) =>
    key.form !== 'descriptor'
      ? []
      : requestsOfDescriptor(key).map((request) => withPrivateKeys(request, owners, used)),
  );
  const objects = new Set(keys.map(({ jsonObject }) => jsonObject));
  const fingerprints = fingerprintsIn(objects);
  const withAccounts = new Set([...objects].filter((object) => accountsOf(object).length > 0));
  const others = keys.flatMap((key) => {
    if (key.form === 'descriptor') return [];
    if (key.form !== 'extended') return [requestOfKey(key)];
    if (leftOut.has(key)) return [];
    if (!isPrivate(key.text) && (hasPrivate || withAccounts.has(key.jsonObject))) return [];
    const isUsed = hasPrivate ? used.has(key) : hasDescriptors;
    return isUsed && key.jsonObject !== null
      ? []
      : requestsOfExtendedKey(key, fingerprints.get(key.jsonObject));
  });
  const requests = [...descriptors, ...others];
  const network = requests.every(({ desc }) => isDescriptor(desc, { network: 'main' })) ? 'main' : 'testnet3';
  const inHex = hexKeys.map(({ key, createTime, label }): ImportRequest => {
    const desc = `combo(${writeWif(key, network)})`;
    return { ...NO_FACTS, createTime, label: label ?? '', desc };
  });
  const all = [...requests, ...multisigs.flatMap(requestsOfMultisig), ...inHex];
  const isUnchecked = descriptorKeys.some(({ form, text }) => form === 'descriptor' && !text.includes('#'));
  const isLost = [...leftOut].some(({ text }) => {
    const forms = [text, readTypedKey(text).plain];
    return !keys.some(
      ({ form, text: whole }) => form === 'descriptor' && forms.some((one) => whole.includes(one)),
    );
  });
  const notes: TextNote[] = isUnchecked ? ['unchecked'] : [];
  return { requests: withSingleKeys(all, network), notes: isLost ? [...notes, 'multisig'] : notes };
}

/** Puts the private keys of all requests into each that names their public keys, as `getaddressinfo` does beside `dumpprivkey`. */
function withSingleKeys(requests: readonly ImportRequest[], network: 'main' | 'testnet3'): ImportRequest[] {
  const read = requests.map((request) => orNull(() => parseDescriptor(request.desc, { network })));
  const known = new Map(read.flatMap((one) => [...(one?.privateKeys ?? [])]));
  return requests.map((request, at) => {
    const { descriptor, privateKeys } = read[at] ?? {};
    if (!descriptor || !privateKeys) return request;
    const all = new Map(privateKeys);
    for (const { key } of keysOf(descriptor.script)) {
      const names = publicKeysOf(key).map(bytesToHex);
      const privateKey = names.map((name) => known.get(name)).find((found) => found !== undefined);
      if (privateKey) for (const name of names) all.set(name, privateKey);
    }
    return all.size > privateKeys.size ? { ...request, desc: writePrivate(descriptor, all) } : request;
  });
}

/** All descriptors of a multisig script that have an address. */
function requestsOfMultisig(script: Uint8Array): ImportRequest[] {
  const output = readOutputScript(script);
  if (output.kind !== 'multisig') return [];
  const multi = `multi(${[output.required, ...output.publicKeys.map(bytesToHex)].join()})`;
  return [`sh(${multi})`, `wsh(${multi})`, `sh(wsh(${multi}))`].flatMap((desc) =>
    isDescriptor(desc, { network: 'main' }) ? [{ ...NO_FACTS, desc }] : [],
  );
}

/** Whether `readText` takes the master key that the text names in a comment. */
export function isDump({ keys, records }: TextContents): boolean {
  return records.length > 0 || keys.some(({ chain }) => chain !== null);
}

function isPrivate(extendedKey: string): boolean {
  return extendedKey.slice(1, 4) === 'prv';
}

/** An extended private key of the text. */
interface Owner {
  readonly inText: KeyInText;
  readonly network: 'main' | 'testnet3';
  readonly node: ExtendedPrivateKey;
  readonly fingerprint: string;
}

function ownerOf(inText: KeyInText): Owner[] {
  if (inText.form !== 'extended' || !isPrivate(inText.text)) return [];
  const { plain } = readTypedKey(inText.text);
  const network = networkOfKey(plain);
  const node = readExtendedKey(plain, network);
  if (node === null || !('privateKey' in node)) return [];
  return [{ inText, network, node, fingerprint: fingerprintOf(node.publicKey) }];
}

/** Puts the private keys that extended keys derive into a descriptor, and adds those that derive any to `used`. */
function withPrivateKeys(
  request: ImportRequest,
  owners: readonly Owner[],
  used: Set<KeyInText>,
): ImportRequest {
  for (const network of new Set(owners.map((owner) => owner.network))) {
    const parsed = orNull(() => parseDescriptor(request.desc, { network }));
    if (parsed === null) continue;
    const privateKeys = new Map(parsed.privateKeys);
    const expressions = keysOf(parsed.descriptor.script).map(({ key, origin }) => ({
      names: publicKeysOf(key).map(bytesToHex),
      origin,
    }));
    for (const { inText, node, fingerprint } of owners.filter((owner) => owner.network === network)) {
      for (const { names, origin } of expressions) {
        const path = origin?.path ?? [];
        // Deriving takes long. A text may have hundreds of either.
        const isAbove =
          node.depth === 0 ? origin?.fingerprint === fingerprint : path[node.depth - 1] === node.childNumber;
        if (path.length > node.depth && !isAbove) continue;
        const { privateKey, publicKey } = deriveChild(node, path.slice(node.depth));
        if (!names.includes(bytesToHex(publicKey))) continue;
        used.add(inText);
        for (const name of names) privateKeys.set(name, privateKey);
      }
    }
    return { ...request, desc: writePrivate(parsed.descriptor, privateKeys) };
  }
  return request;
}

/** Of an extended key without a type. */
export function networkOfKey(plain: string): 'main' | 'testnet3' {
  return plain.startsWith('x') ? 'main' : 'testnet3';
}

function isOfDescriptors({ form }: KeyInText): boolean {
  return form === 'descriptor' || form === 'extended';
}

/** A descriptor and the facts that the text gives for it. */
export interface ImportRequest {
  readonly desc: string;
  /** Unix seconds; 1 if unknown. */
  readonly createTime: number;
  /** Whether it makes new addresses, and of which kind. Null if the text does not say. */
  readonly active: { readonly internal: boolean } | 'no' | null;
  /** The last index. */
  readonly last: number | null;
  readonly next: number;
  /** Null for none, as for change. */
  readonly label: string | null;
}

const NO_FACTS = { createTime: 1, active: null, last: null, next: 0, label: null } as const;

/** The input of `importdescriptors` and the output of `listdescriptors`. Other programs’ exports have only `desc`. */
const requestShape = z.object({
  desc: z.string(),
  // Ignore “now”: a rescue must find earlier transactions.
  timestamp: z.catch(z.optional(z.union([z.number(), z.string()])), undefined),
  active: z.catch(z.optional(z.boolean()), undefined),
  internal: z.catch(z.optional(z.boolean()), undefined),
  range: z.catch(z.optional(z.union([index(), z.tuple([index(), index()])])), undefined),
  next_index: z.catch(z.optional(index()), undefined),
  next: z.catch(z.optional(index()), undefined),
  label: z.catch(z.optional(z.string()), undefined),
});

function index() {
  return z.int().check(z.nonnegative());
}

function requestsOfDescriptor({ text, createTime, label, jsonObject }: KeyInText): ImportRequest[] {
  const { data } = requestShape.safeParse(
    withRightMarks(String(jsonObject?.desc ?? '')) === text ? jsonObject : undefined,
  );
  const { active, internal, range, next = 0, next_index: nextIndex = next, timestamp } = data ?? {};
  // A request to a node that does not say otherwise is not active. Other programs do not know the word.
  const isRequest = active !== undefined || timestamp !== undefined;
  const last = typeof range === 'number' ? range : (range?.[1] ?? null);
  // `gethdkeys` does not say which descriptors are for change, a request to a node does.
  const isChange = internal ?? (timestamp === undefined ? null : false);
  return plainDescriptors(text).map((desc, at, { length }) => ({
    desc,
    createTime,
    last,
    next: nextIndex,
    // A node labels the address of a single descriptor, if only with an empty text.
    label: internal ? null : (label ?? ''),
    // In a multipath descriptor, the second path is for change (BIP 389).
    active: active ? roleOf(length > 1 ? at === 1 : isChange) : isRequest ? 'no' : null,
  }));
}

function roleOf(internal: boolean | null): ImportRequest['active'] {
  return internal === null ? null : { internal };
}

function requestOfKey({ text, createTime, label }: KeyInText): ImportRequest {
  for (const network of ['main', 'testnet3'] as const) {
    const key = readKeyText(text, { network });
    if (typeof key === 'object' && key !== null)
      return { ...NO_FACTS, createTime, label: label ?? '', desc: `combo(${writeWif(key, network)})` };
  }
  throw severalWalletsError();
}

/**
 * All descriptors that programs may use an extended key for. For a root: the accounts of BIP 44, 49, 84 and 86, and the chains of
 * Bitcoin Core's legacy wallets (`m/0h/0h/*h`). For any key: the branches of an account (`0/*`, `1/*`). A typed key, such as a
 * zpub, names its only use.
 */
function requestsOfExtendedKey(
  { text, createTime, jsonObject }: KeyInText,
  fingerprint?: string,
): ImportRequest[] {
  const { plain, use: typed } = readTypedKey(text);
  const network = networkOfKey(plain);
  const node = readExtendedKey(plain, network);
  const { use = typed, path } = accountIn(jsonObject) ?? {};
  // Without the path from its master key, a hardware wallet cannot sign.
  const isKnown = fingerprint && path !== undefined && path.split('/').length === node?.depth;
  const key = isKnown ? `[${fingerprint}/${path}]${plain}` : plain;
  const isRoot = node !== null && 'privateKey' in node && node.depth === 0;
  const inactive = { ...NO_FACTS, createTime, active: 'no' } as const;
  const asAccount = [0, 1].flatMap((branch) => `${key}/${branch}/*`);
  const chains = isRoot ? [`${key}/0h/0h/*h`, `${key}/0h/1h/*h`, ...asAccount] : [];
  const kinds = KINDS.filter(({ purpose }) => use === null || purpose === use).flatMap(
    ({ around, purpose }) =>
      asAccount.flatMap((path, branch): ImportRequest[] => {
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

/** Whether a key is one of several of a script, by its type or the export of a hardware wallet. Null if neither says. */
function isOfMultisig({ form, text, jsonObject }: KeyInText): boolean | null {
  if (form !== 'extended') return false;
  const use = accountIn(jsonObject)?.use ?? readTypedKey(text).use;
  return use === null ? null : use === 'multisig';
}

/** The fingerprint of the master key of each account in a hardware wallet's export, by the account's object. */
function fingerprintsIn(objects: ReadonlySet<JsonObject | null>): ReadonlyMap<unknown, string> {
  return new Map(
    [...objects].flatMap((jsonObject) => {
      const fingerprint = String(jsonObject?.xfp).toLowerCase();
      return /^[0-9a-f]{8}$/.test(fingerprint)
        ? accountsOf(jsonObject).map((one) => [one, fingerprint] as const)
        : [];
    }),
  );
}

function accountsOf(object: object | null): unknown[] {
  return Object.values(object ?? {}).filter((one) => accountIn(one) !== null);
}

/** What a hardware wallet's export says of the account of a key, as in Coldcard's `generic-wallet-export.md`. Null for other objects. */
function accountIn(object: unknown) {
  const { data } = accountShape.safeParse(object);
  const found = data && USES.find(({ names }) => names.test(data.name));
  return found ? { use: found.use, path: data.deriv.slice(2) } : null;
}

const accountShape = z.object({
  name: z.string(),
  deriv: z.string().check(z.regex(/^m(?:\/\d{1,10}['h]?){1,10}$/)),
});
const USES = [
  { names: /^p2pkh$/, use: 44 },
  { names: /^(?:p2sh-p2wpkh|p2wpkh-p2sh)$/, use: 49 },
  { names: /^p2wpkh$/, use: 84 },
  { names: /^p2tr$/, use: 86 },
  { names: /^(?:p2sh|p2wsh|p2sh-p2wsh|p2wsh-p2sh)$/, use: 'multisig' },
] as const;

/** The script of each purpose of BIP 44, 49, 84 and 86. */
const KINDS: readonly { purpose: number; around: (key: string) => string }[] = [
  { purpose: 44, around: (key) => `pkh(${key})` },
  { purpose: 49, around: (key) => `sh(wpkh(${key}))` },
  { purpose: 84, around: (key) => `wpkh(${key})` },
  { purpose: 86, around: (key) => `tr(${key})` },
];

/** Keys that do not fit into one wallet. */
function severalWalletsError(): FileError {
  return new FileError('bad_input', { code: 'keys_of_several_wallets' });
}
