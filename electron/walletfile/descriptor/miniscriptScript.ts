/** The script of a Miniscript (BIP 379). */
import { hash160, OP, pushData, pushNumber } from '../script/script.ts';
import type { DescriptorKey, Fragment, Miniscript } from './descriptor.ts';

/** The 33 bytes of a key, or in tapscript the 32. */
type KeyBytes = (key: DescriptorKey) => Uint8Array;

/** Opcodes, and pushes as the bytes that they take in the script. Source: `ToScript` of `miniscript.h`. */
export type Parts = readonly (number | Uint8Array)[];

export function miniscriptScript(root: Miniscript, keyBytes: KeyBytes): Parts {
  const parts: (number | Uint8Array)[] = [];
  const ahead: Item[] = [root];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const before = parts.at(-1);
    if (next === OP.VERIFY && typeof before === 'number' && HAVE_VERIFY.has(before)) {
      parts.splice(-1, 1, before + 1);
    } else if (typeof next === 'number' || next instanceof Uint8Array) {
      parts.push(next);
    } else {
      for (const item of partsOf[next.fragment](next, keyBytes).toReversed()) ahead.push(item);
    }
  }
  return parts;
}

type Item = number | Uint8Array | Miniscript;

/** What each fragment comes to, its parts left as they are. */
const partsOf: Readonly<Record<Fragment, (node: Miniscript, keyBytes: KeyBytes) => readonly Item[]>> = {
  '0': () => [pushNumber(0)],
  '1': () => [pushNumber(1)],
  pk_k: ({ keys }, keyBytes) => keys.map((key) => pushData(keyBytes(key))),
  pk_h: ({ keys }, keyBytes) => [
    OP.DUP,
    OP.HASH160,
    ...keys.map((key) => pushData(hash160(keyBytes(key)))),
    OP.EQUALVERIFY,
  ],
  older: ({ number }) => [pushNumber(number), OP.CHECKSEQUENCEVERIFY],
  after: ({ number }) => [pushNumber(number), OP.CHECKLOCKTIMEVERIFY],
  sha256: ({ hash }) => hashed(OP.SHA256, hash),
  hash256: ({ hash }) => hashed(OP.HASH256, hash),
  ripemd160: ({ hash }) => hashed(OP.RIPEMD160, hash),
  hash160: ({ hash }) => hashed(OP.HASH160, hash),
  a: ({ subs }) => [OP.TOALTSTACK, ...subs, OP.FROMALTSTACK],
  s: ({ subs }) => [OP.SWAP, ...subs],
  c: ({ subs }) => [...subs, OP.CHECKSIG],
  d: ({ subs }) => [OP.DUP, OP.IF, ...subs, OP.ENDIF],
  v: ({ subs }) => [...subs, OP.VERIFY],
  j: ({ subs }) => [OP.SIZE, OP.NOTEQUAL0, OP.IF, ...subs, OP.ENDIF],
  n: ({ subs }) => [...subs, OP.NOTEQUAL0],
  and_v: ({ subs }) => subs,
  and_b: ({ subs }) => [...subs, OP.BOOLAND],
  or_b: ({ subs }) => [...subs, OP.BOOLOR],
  or_c: ({ subs: [x, ...y] }) => [...part(x), OP.NOTIF, ...y, OP.ENDIF],
  or_d: ({ subs: [x, ...y] }) => [...part(x), OP.IFDUP, OP.NOTIF, ...y, OP.ENDIF],
  or_i: ({ subs: [x, ...y] }) => [OP.IF, ...part(x), OP.ELSE, ...y, OP.ENDIF],
  andor: ({ subs: [x, y, ...z] }) => [...part(x), OP.NOTIF, ...z, OP.ELSE, ...part(y), OP.ENDIF],
  thresh: ({ subs, number }) => [
    ...subs.flatMap((sub, at) => (at === 0 ? sub : [sub, OP.ADD])),
    pushNumber(number),
    OP.EQUAL,
  ],
  multi: ({ keys, number }, keyBytes) => [
    pushNumber(number),
    ...keys.map((key) => pushData(keyBytes(key))),
    pushNumber(keys.length),
    OP.CHECKMULTISIG,
  ],
  multi_a: ({ keys, number }, keyBytes) => multisigLeaf(number, keys.map(keyBytes)),
};

function hashed(opcode: number, hash: Uint8Array): Parts {
  return [OP.SIZE, pushNumber(32), OP.EQUALVERIFY, opcode, pushData(hash), OP.EQUAL];
}

function part(node: Miniscript | undefined): readonly Miniscript[] {
  return node ? [node] : [];
}

/** Of keys of 32 bytes each (BIP 387). */
export function multisigLeaf(threshold: number, keys: readonly Uint8Array[]): Parts {
  const signatures = keys.flatMap((key, at) => [pushData(key), at === 0 ? OP.CHECKSIG : OP.CHECKSIGADD]);
  return [...signatures, pushNumber(threshold), OP.NUMEQUAL];
}

/** Those whose next opcode is the same and OP_VERIFY in one. */
const HAVE_VERIFY: ReadonlySet<number> = new Set([OP.EQUAL, OP.NUMEQUAL, OP.CHECKSIG, OP.CHECKMULTISIG]);
