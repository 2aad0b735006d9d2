/** The script of a Miniscript (BIP 379). */
import { hash160, pushData, pushNumber } from '../script/script.ts';
import type { DescriptorKey, Fragment, HashFragment, Miniscript } from './descriptor.ts';

/** The 33 bytes of a key, or in tapscript the 32. */
export type KeyBytes = (key: DescriptorKey) => Uint8Array;

/** Opcodes, and pushes as the bytes that they take in the script. Source: `ToScript` of `miniscript.h`. */
export type Parts = readonly (number | Uint8Array)[];

export function miniscriptScript(node: Miniscript, keyBytes: KeyBytes): Parts {
  const parts: (number | Uint8Array)[] = [];
  flatten(nested(node, keyBytes, false), parts);
  return parts;
}

type Nested = readonly (number | Uint8Array | Nested)[];

function flatten(nest: Nested, parts: (number | Uint8Array)[]): void {
  for (const part of nest) {
    if (typeof part === 'number' || part instanceof Uint8Array) parts.push(part);
    else flatten(part, parts);
  }
}

/** `verify`: what it leaves is verified, by its last opcode if that has such a form (the next one), else by one more. */
function nested(node: Miniscript, keyBytes: KeyBytes, verify: boolean): Nested {
  const { fragment, number, keys, hash, subs } = node;
  const part = (place: number, verified = false) => {
    const sub = subs[place];
    return sub ? nested(sub, keyBytes, verified) : [];
  };
  const last = (opcode: number) => (verify ? opcode + 1 : opcode);
  switch (fragment) {
    case 'sha256':
    case 'hash256':
    case 'ripemd160':
    case 'hash160':
      return [OP.SIZE, pushNumber(32), OP.EQUALVERIFY, HASHES[fragment], pushData(hash), last(OP.EQUAL)];
    case 's':
      return [OP.SWAP, part(0, verify)];
    case 'c':
      return [part(0), last(OP.CHECKSIG)];
    case 'v':
      return part(0, true);
    case 'and_v':
      return [part(0), part(1, verify)];
    case 'thresh':
      return [
        subs.flatMap((_, at) => [part(at), at === 0 ? [] : OP.ADD]),
        pushNumber(number),
        last(OP.EQUAL),
      ];
    case 'multi': {
      const pushed = keys.map((key) => pushData(keyBytes(key)));
      return [pushNumber(number), pushed, pushNumber(keys.length), last(OP.CHECKMULTISIG)];
    }
    case 'multi_a':
      return [signaturesOf(keys.map(keyBytes)), pushNumber(number), last(OP.NUMEQUAL)];
    default: {
      const parts = unverified(fragment, node, keyBytes, part);
      return verify ? [parts, OP.VERIFY] : parts;
    }
  }
}

type Verifiable = HashFragment | 's' | 'c' | 'v' | 'and_v' | 'thresh' | 'multi' | 'multi_a';

/** Of those whose last opcode has no form that verifies. */
function unverified(
  fragment: Exclude<Fragment, Verifiable>,
  { number, keys }: Miniscript,
  keyBytes: KeyBytes,
  part: (place: number) => Nested,
): Nested {
  switch (fragment) {
    case '0':
    case '1':
      return [pushNumber(Number(fragment))];
    case 'pk_k':
      return keys.map((key) => pushData(keyBytes(key)));
    case 'pk_h':
      return [OP.DUP, OP.HASH160, keys.map((key) => pushData(hash160(keyBytes(key)))), OP.EQUALVERIFY];
    case 'older':
      return [pushNumber(number), OP.CHECKSEQUENCEVERIFY];
    case 'after':
      return [pushNumber(number), OP.CHECKLOCKTIMEVERIFY];
    case 'a':
      return [OP.TOALTSTACK, part(0), OP.FROMALTSTACK];
    case 'd':
      return [OP.DUP, OP.IF, part(0), OP.ENDIF];
    case 'j':
      return [OP.SIZE, OP.NOTEQUAL0, OP.IF, part(0), OP.ENDIF];
    case 'n':
      return [part(0), OP.NOTEQUAL0];
    case 'and_b':
      return [part(0), part(1), OP.BOOLAND];
    case 'or_b':
      return [part(0), part(1), OP.BOOLOR];
    case 'or_c':
      return [part(0), OP.NOTIF, part(1), OP.ENDIF];
    case 'or_d':
      return [part(0), OP.IFDUP, OP.NOTIF, part(1), OP.ENDIF];
    case 'or_i':
      return [OP.IF, part(0), OP.ELSE, part(1), OP.ENDIF];
    case 'andor':
      return [part(0), OP.NOTIF, part(2), OP.ELSE, part(1), OP.ENDIF];
  }
}

/** Of keys of 32 bytes each (BIP 387). */
export function multisigLeaf(threshold: number, keys: readonly Uint8Array[]): Parts {
  return [...signaturesOf(keys), pushNumber(threshold), OP.NUMEQUAL];
}

function signaturesOf(keys: readonly Uint8Array[]): Parts {
  return keys.flatMap((key, at) => [pushData(key), at === 0 ? OP.CHECKSIG : OP.CHECKSIGADD]);
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
