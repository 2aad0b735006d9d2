/** Reads and makes output scripts of each kind. */
import { equalBytes } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { quickHash160 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';

/**
 * A parsed scriptPubKey. Keys and hashes are the script's bytes; keys may be off the curve. `multisig` is the bare form.
 * `witness-unknown` is a segwit version without rules yet.
 */
export type OutputScript =
  | { kind: 'p2pk'; publicKey: Uint8Array }
  | { kind: 'p2pkh'; keyHash: Uint8Array }
  | { kind: 'p2sh'; scriptHash: Uint8Array }
  | { kind: 'p2wpkh'; keyHash: Uint8Array }
  | { kind: 'p2wsh'; scriptHash: Uint8Array }
  | { kind: 'p2tr'; outputKey: Uint8Array }
  | { kind: 'anchor' }
  | { kind: 'witness-unknown'; version: number; program: Uint8Array }
  | { kind: 'multisig'; required: number; publicKeys: Uint8Array[] }
  | { kind: 'null-data'; script: Uint8Array }
  | { kind: 'nonstandard'; script: Uint8Array };

/**
 * Parses a scriptPubKey by the rules of Bitcoin Core's `Solver`, with two differences. A multisig script with an unusual key push
 * counts as nonstandard, because its parts would not give the same bytes again. So does a script too long to be spent.
 */
export function readOutputScript(script: Uint8Array): OutputScript {
  if (script.length > MAX_SCRIPT_SIZE) return { kind: 'nonstandard', script };
  return (
    readP2sh(script) ??
    readWitness(script) ??
    readNullData(script) ??
    readP2pk(script) ??
    readP2pkh(script) ??
    readMultisig(script) ?? { kind: 'nonstandard', script }
  );
}

/** Bytes. A longer script can never be spent (`MAX_SCRIPT_SIZE` in `script.h`, `IsUnspendable`). */
export const MAX_SCRIPT_SIZE = 10_000;

/** The scriptPubKey of a kind: the reverse of `readOutputScript`. */
export function makeOutputScript(output: OutputScript): Uint8Array {
  switch (output.kind) {
    case 'p2pk':
      return joinParts([pushData(output.publicKey), OP.CHECKSIG]);
    case 'p2pkh':
      return joinParts([OP.DUP, OP.HASH160, pushData(output.keyHash), OP.EQUALVERIFY, OP.CHECKSIG]);
    case 'p2sh':
      return joinParts([OP.HASH160, pushData(output.scriptHash), OP.EQUAL]);
    case 'p2wpkh':
      return concatBytes(pushNumber(0), pushData(output.keyHash));
    case 'p2wsh':
      return concatBytes(pushNumber(0), pushData(output.scriptHash));
    case 'p2tr':
      return concatBytes(pushNumber(1), pushData(output.outputKey));
    case 'anchor':
      return Uint8Array.from(ANCHOR);
    case 'witness-unknown':
      return concatBytes(pushNumber(output.version), pushData(output.program));
    case 'multisig': {
      const { required, publicKeys } = output;
      const keys = publicKeys.map(pushData);
      return joinParts([pushNumber(required), ...keys, pushNumber(keys.length), OP.CHECKMULTISIG]);
    }
    case 'null-data':
    case 'nonstandard':
      return output.script;
  }
}

/** A script of opcodes and bytes. */
export function joinParts(parts: readonly (number | Uint8Array)[]): Uint8Array {
  return concatBytes(...parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)));
}

/** RIPEMD-160 of SHA-256, 20 bytes: the hash in addresses and key identifiers. */
export function hash160(data: Uint8Array): Uint8Array {
  return fromLatin1(quickHash160(data));
}

/** The shortest opcode and length that push `data` (at most 65,535 bytes), followed by `data`. */
export function pushData(data: Uint8Array): Uint8Array {
  const size = data.length;
  if (size < OP.PUSHDATA1) return concatBytes(Uint8Array.of(size), data);
  if (size <= 0xff) return concatBytes(Uint8Array.of(OP.PUSHDATA1, size), data);
  return concatBytes(Uint8Array.of(OP.PUSHDATA2, size & 0xff, size >> 8), data);
}

/** Pushes an integer from 0 to 2^31 − 1 minimally: one opcode up to 16, else its bytes, with a zero byte if the sign needs it. */
export function pushNumber(number: number): Uint8Array {
  if (number === 0) return Uint8Array.of(OP.ZERO);
  if (number <= 16) return Uint8Array.of(OP.ONE - 1 + number);
  const size = [0x80, 0x8000, 0x800000].filter((first) => number >= first).length + 1;
  return pushData(Uint8Array.from({ length: size }, (_, at) => number >>> (8 * at)));
}

/** Opcodes. Source: `opcodetype` of `script.h`. */
export const OP = {
  ZERO: 0x00,
  PUSHDATA1: 0x4c,
  PUSHDATA2: 0x4d,
  PUSHDATA4: 0x4e,
  ONE: 0x51,
  SIXTEEN: 0x60,
  IF: 0x63,
  NOTIF: 0x64,
  ELSE: 0x67,
  ENDIF: 0x68,
  VERIFY: 0x69,
  RETURN: 0x6a,
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
  RIPEMD160: 0xa6,
  SHA256: 0xa8,
  HASH160: 0xa9,
  HASH256: 0xaa,
  CHECKSIG: 0xac,
  CHECKMULTISIG: 0xae,
  CHECKLOCKTIMEVERIFY: 0xb1,
  CHECKSEQUENCEVERIFY: 0xb2,
  CHECKSIGADD: 0xba,
} as const;

const ANCHOR = [OP.ONE, 0x02, 0x4e, 0x73];
const MAX_MULTISIG_KEYS = 20;

function readP2sh(script: Uint8Array): OutputScript | null {
  if (script.length !== 23 || script[0] !== OP.HASH160 || script[1] !== 20 || script[22] !== OP.EQUAL) {
    return null;
  }
  return { kind: 'p2sh', scriptHash: script.slice(2, 22) };
}

function readWitness(script: Uint8Array): OutputScript | null {
  const [opcode = -1, size = -1] = script;
  if (script.length < 4 || script.length > 42 || size + 2 !== script.length) return null;
  if (opcode !== OP.ZERO && (opcode < OP.ONE || opcode > OP.SIXTEEN)) return null;
  const program = script.slice(2);
  if (opcode === OP.ZERO) {
    if (size === 20) return { kind: 'p2wpkh', keyHash: program };
    if (size === 32) return { kind: 'p2wsh', scriptHash: program };
    return { kind: 'nonstandard', script };
  }
  if (opcode === OP.ONE && size === 32) return { kind: 'p2tr', outputKey: program };
  if (ANCHOR.length === script.length && ANCHOR.every((byte, i) => script[i] === byte)) {
    return { kind: 'anchor' };
  }
  return { kind: 'witness-unknown', version: opcode - OP.ONE + 1, program };
}

function readNullData(script: Uint8Array): OutputScript | null {
  if (script[0] !== OP.RETURN) return null;
  const rest = readOperations(script.subarray(1));
  return rest?.every(({ opcode }) => opcode <= OP.SIXTEEN) ? { kind: 'null-data', script } : null;
}

function readP2pk(script: Uint8Array): OutputScript | null {
  const size = script.length - 2;
  if ((size !== 33 && size !== 65) || script[0] !== size || script[size + 1] !== OP.CHECKSIG) return null;
  const publicKey = script.slice(1, size + 1);
  return hasKeyLength(publicKey) ? { kind: 'p2pk', publicKey } : null;
}

function readP2pkh(script: Uint8Array): OutputScript | null {
  const [dup, hash, size] = script;
  if (script.length !== 25 || dup !== OP.DUP || hash !== OP.HASH160 || size !== 20) return null;
  if (script[23] !== OP.EQUALVERIFY || script[24] !== OP.CHECKSIG) return null;
  return { kind: 'p2pkh', keyHash: script.slice(3, 23) };
}

function readMultisig(script: Uint8Array): OutputScript | null {
  const output = readAnyMultisig(script);
  return output && equalBytes(makeOutputScript(output), script) ? output : null;
}

/**
 * The usual form of a multisig script that pushes a key with more bytes than it needs (OP_PUSHDATA1, 2 or 4). Null for other scripts.
 * Bitcoin Core treats both as the same descriptor, although they have different addresses.
 */
export function minimalMultisig(script: Uint8Array): Uint8Array | null {
  const output = script.length > MAX_SCRIPT_SIZE ? null : readAnyMultisig(script);
  const usual = output && makeOutputScript(output);
  return usual && !equalBytes(usual, script) ? usual : null;
}

/** A multisig script with minimal numbers and keys that are pushed in any form. */
function readAnyMultisig(script: Uint8Array): Extract<OutputScript, { kind: 'multisig' }> | null {
  if (script.at(-1) !== OP.CHECKMULTISIG) return null;
  const operations = readOperations(script);
  if (!operations || operations.length < 4) return null;
  const required = numberOf(operations[0]);
  const count = numberOf(operations.at(-2));
  if (required === null || count === null) return null;
  if (required < 1 || count < required || count > MAX_MULTISIG_KEYS) return null;
  const publicKeys = operations.slice(1, -2).map(({ data }) => data);
  if (publicKeys.length !== count || !publicKeys.every(hasKeyLength)) return null;
  const isMinimal = [operations[0], operations.at(-2)].every(isMinimalNumber);
  return isMinimal ? { kind: 'multisig', required, publicKeys } : null;
}

interface Operation {
  opcode: number;
  /** The pushed bytes; empty for operations without data. */
  data: Uint8Array;
}

/** The operations of a script; null if a push runs past its end. */
export function readOperations(script: Uint8Array): Operation[] | null {
  const operations: Operation[] = [];
  let at = 0;
  while (at < script.length) {
    const opcode = script[at] ?? 0;
    at += 1;
    let size = opcode < OP.PUSHDATA1 ? opcode : 0;
    // OP_PUSHDATA1, 2 and 4 put the size into as many bytes.
    const sizeBytes = opcode >= OP.PUSHDATA1 && opcode <= OP.PUSHDATA4 ? 2 ** (opcode - OP.PUSHDATA1) : 0;
    for (let i = 0; i < sizeBytes; i++) size += (script[at + i] ?? 0) * 256 ** i;
    at += sizeBytes;
    if (at + size > script.length) return null;
    operations.push({ opcode, data: script.slice(at, at + size) });
    at += size;
  }
  return operations;
}

/** The number from 1 to 127 that an operation pushes in any form; null for other operations. */
function numberOf(operation: Operation | undefined): number | null {
  if (!operation) return null;
  const { opcode, data } = operation;
  if (opcode >= OP.ONE && opcode <= OP.SIXTEEN) return opcode - OP.ONE + 1;
  const [byte = 0] = data;
  return data.length === 1 && byte < 0x80 ? byte : null;
}

/** Whether a number is pushed in its shortest form: with one opcode up to 16. */
function isMinimalNumber(operation: Operation | undefined): boolean {
  const { opcode, data: [byte = 0] = [] } = operation ?? { opcode: OP.ZERO };
  return opcode >= OP.ONE || (opcode === 1 && byte > 16);
}

/** Whether a public key has the length that its first byte requires (`CPubKey::IsValid`); 6 and 7 are the hybrid form. */
export function hasKeyLength({ 0: form, length }: Uint8Array): boolean {
  if (form === 2 || form === 3) return length === 33;
  return (form === 4 || form === 6 || form === 7) && length === 65;
}

/** Which output scripts a wallet owns. */
export interface Ownership {
  /** Null for a foreign script. */
  ownerOf(script: Uint8Array): Owner | null;
}

export type Owner = 'spendable' | 'watched';

interface KnownScripts {
  /** Finds a script by the `toLatin1` of its hash160, witness scripts included. */
  get(hash: string): Uint8Array | undefined;
}

/** The known redeem script and witness script of an output script. */
export function innerScriptsOf(
  script: Uint8Array,
  known: KnownScripts,
): Record<'redeemScript' | 'witnessScript', Uint8Array | null> {
  const output = readOutputScript(script);
  if (output.kind !== 'p2sh') return { redeemScript: null, witnessScript: witnessScriptOf(script, known) };
  const redeemScript = known.get(toLatin1(output.scriptHash)) ?? null;
  return { redeemScript, witnessScript: redeemScript && witnessScriptOf(redeemScript, known) };
}

function witnessScriptOf(script: Uint8Array, known: KnownScripts): Uint8Array | null {
  const output = readOutputScript(script);
  if (output.kind !== 'p2wsh') return null;
  // The hash160 of a witness script is the RIPEMD-160 of this hash.
  return known.get(toLatin1(ripemd160(output.scriptHash))) ?? null;
}
