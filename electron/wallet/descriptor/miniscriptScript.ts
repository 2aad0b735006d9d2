/** The script of a Miniscript (BIP 379). */
import { hash160, pushData, pushNumber } from '../script/script.ts';
import type { DescriptorKey, Miniscript } from './descriptor.ts';

/** The 33 bytes of a key, or in tapscript the 32. */
export type KeyBytes = (key: DescriptorKey) => Uint8Array;

/** Opcodes, and pushes as the bytes that they take in the script. Source: `ToScript` of `miniscript.h`. */
export type Parts = readonly (number | Uint8Array)[];

export function miniscriptScript(root: Miniscript, keyBytes: KeyBytes): Parts {
  const parts: (number | Uint8Array)[] = [];
  const ahead: (number | Uint8Array | Miniscript)[] = [root];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const before = parts.at(-1);
    if (next === OP.VERIFY && typeof before === 'number' && HAVE_VERIFY.has(before)) {
      parts.splice(-1, 1, before + 1);
    } else if (typeof next === 'number' || next instanceof Uint8Array) {
      parts.push(next);
    } else {
      for (const part of partsOf(next, keyBytes).toReversed()) ahead.push(part);
    }
  }
  return parts;
}

function partsOf(
  { fragment, number, keys, hash, subs }: Miniscript,
  keyBytes: KeyBytes,
): readonly (number | Uint8Array | Miniscript)[] {
  const part = (place: number) => subs.slice(place, place + 1);
  switch (fragment) {
    case '0':
    case '1':
      return [pushNumber(Number(fragment))];
    case 'pk_k':
      return keys.map((key) => pushData(keyBytes(key)));
    case 'pk_h':
      return [OP.DUP, OP.HASH160, ...keys.map((key) => pushData(hash160(keyBytes(key)))), OP.EQUALVERIFY];
    case 'older':
      return [pushNumber(number), OP.CHECKSEQUENCEVERIFY];
    case 'after':
      return [pushNumber(number), OP.CHECKLOCKTIMEVERIFY];
    case 'sha256':
    case 'hash256':
    case 'ripemd160':
    case 'hash160':
      return [OP.SIZE, pushNumber(32), OP.EQUALVERIFY, HASHES[fragment], pushData(hash), OP.EQUAL];
    case 'a':
      return [OP.TOALTSTACK, ...subs, OP.FROMALTSTACK];
    case 's':
      return [OP.SWAP, ...subs];
    case 'c':
      return [...subs, OP.CHECKSIG];
    case 'd':
      return [OP.DUP, OP.IF, ...subs, OP.ENDIF];
    case 'v':
      return [...subs, OP.VERIFY];
    case 'j':
      return [OP.SIZE, OP.NOTEQUAL0, OP.IF, ...subs, OP.ENDIF];
    case 'n':
      return [...subs, OP.NOTEQUAL0];
    case 'and_v':
      return subs;
    case 'and_b':
      return [...subs, OP.BOOLAND];
    case 'or_b':
      return [...subs, OP.BOOLOR];
    case 'or_c':
      return [...part(0), OP.NOTIF, ...part(1), OP.ENDIF];
    case 'or_d':
      return [...part(0), OP.IFDUP, OP.NOTIF, ...part(1), OP.ENDIF];
    case 'or_i':
      return [OP.IF, ...part(0), OP.ELSE, ...part(1), OP.ENDIF];
    case 'andor':
      return [...part(0), OP.NOTIF, ...part(2), OP.ELSE, ...part(1), OP.ENDIF];
    case 'thresh':
      return [...subs.flatMap((sub, at) => (at === 0 ? sub : [sub, OP.ADD])), pushNumber(number), OP.EQUAL];
    case 'multi': {
      const pushed = keys.map((key) => pushData(keyBytes(key)));
      return [pushNumber(number), ...pushed, pushNumber(keys.length), OP.CHECKMULTISIG];
    }
    case 'multi_a':
      return multisigLeaf(number, keys.map(keyBytes));
  }
}

/** Of keys of 32 bytes each (BIP 387). */
export function multisigLeaf(threshold: number, keys: readonly Uint8Array[]): Parts {
  const signatures = keys.flatMap((key, at) => [pushData(key), at === 0 ? OP.CHECKSIG : OP.CHECKSIGADD]);
  return [...signatures, pushNumber(threshold), OP.NUMEQUAL];
}

const OP = {
  IF: 0x63,
  NOTIF: 0x64,
  ELSE: 0x67,
  ENDIF: 0x68,
  VERIFY: 0x69,
  TOALTSTACK: 0x6b,
  FROMALTSTACK: 0x6c,
  IFDUP: 0x73,
  DUP: 0x76,
  SWAP: 0x7c,
  SIZE: 0x82,
  EQUAL: 0x87,
  EQUALVERIFY: 0x88,
  NOTEQUAL0: 0x92,
  ADD: 0x93,
  BOOLAND: 0x9a,
  BOOLOR: 0x9b,
  NUMEQUAL: 0x9c,
  HASH160: 0xa9,
  CHECKSIG: 0xac,
  CHECKMULTISIG: 0xae,
  CHECKLOCKTIMEVERIFY: 0xb1,
  CHECKSEQUENCEVERIFY: 0xb2,
  CHECKSIGADD: 0xba,
} as const;

const HASHES = { ripemd160: 0xa6, sha256: 0xa8, hash160: OP.HASH160, hash256: 0xaa } as const;

/** Those whose next opcode is the same and OP_VERIFY in one. */
const HAVE_VERIFY: ReadonlySet<number> = new Set([OP.EQUAL, OP.NUMEQUAL, OP.CHECKSIG, OP.CHECKMULTISIG]);
