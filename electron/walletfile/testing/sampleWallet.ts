/** Records of made-up legacy wallets, for what the recorded ones do not have. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { encryptedKeyChecksum, encryptKey } from '../keys/crypter.ts';
import { deriveChild, extendedKeyOfSeed, HARDENED } from '../keys/extendedKey.ts';
import { makeStoredKey } from '../keys/privateKey.ts';
import type { LegacyScripts } from '../legacy/legacyScripts.ts';
import { legacyWallet } from '../legacy/legacyWallet.ts';
import type { KeyMetadata } from '../records/recordShapes.ts';
import { recordsByType, writeRecord } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { hash160, makeOutputScript, type OutputScript } from '../script/script.ts';
import { transactionId } from '../script/transaction.ts';
import { encryptMasterKey } from './encryptMasterKey.ts';

export const network = 'regtest';

export interface SampleKey {
  privateKey: Uint8Array;
  publicKey: Uint8Array;
  der: Uint8Array;
  checksum: Uint8Array;
  /** The output scripts of the key alone. */
  p2pk: Uint8Array;
  p2pkh: Uint8Array;
  p2wpkh: Uint8Array;
  nested: Uint8Array;
}

/** The key pair of a number. */
export function sampleKey(number: number, compressed = true): SampleKey {
  const privateKey = new Uint8Array(32).fill(number);
  return keyOf(privateKey, compressed);
}

function keyOf(privateKey: Uint8Array, compressed: boolean): SampleKey {
  const stored = makeStoredKey({ privateKey, compressed });
  const { publicKey } = stored;
  const keyHash = hash160(publicKey);
  const p2wpkh = makeOutputScript({ kind: 'p2wpkh', keyHash });
  return {
    privateKey,
    ...stored,
    p2pk: makeOutputScript({ kind: 'p2pk', publicKey }),
    p2pkh: makeOutputScript({ kind: 'p2pkh', keyHash }),
    p2wpkh,
    nested: p2shOf(p2wpkh),
  };
}

export function p2shOf(script: Uint8Array): Uint8Array {
  return makeOutputScript({ kind: 'p2sh', scriptHash: hash160(script) });
}

export function multisigOf(required: number, ...keys: SampleKey[]): Uint8Array {
  const output: OutputScript = {
    kind: 'multisig',
    required,
    publicKeys: keys.map(({ publicKey }) => publicKey),
  };
  return makeOutputScript(output);
}

export function addressOfScript(script: Uint8Array): string {
  const address = addressOf(script, network);
  if (address === null) throw new Error('a script without an address');
  return address;
}

/** In the order of their keys, as a node lists them. */
export function inOrder(...records: (RawRecord | RawRecord[])[]): RawRecord[] {
  return records.flat().toSorted((a, b) => (toLatin1(a.key) < toLatin1(b.key) ? -1 : 1));
}

const importedMetadata: KeyMetadata = {
  version: 12,
  createTime: 1,
  hd: { keyPath: '', seedId: new Uint8Array(20) },
  origin: { fingerprint: new Uint8Array(4), path: [], known: false },
};

export function keyRecords(key: SampleKey, metadata: Partial<KeyMetadata> = {}): RawRecord[] {
  const { publicKey, der, checksum } = key;
  return [
    writeRecord({ type: 'key', publicKey, der, checksum }),
    writeRecord({ type: 'keymeta', publicKey, ...importedMetadata, ...metadata }),
  ];
}

export const masterKey = new Uint8Array(32).fill(0x4d);

export function encryptedKeyRecords(key: SampleKey): RawRecord[] {
  const { publicKey, privateKey } = key;
  const encrypted = encryptKey(masterKey, publicKey, privateKey);
  return [
    writeRecord({ type: 'ckey', publicKey, encrypted, checksum: encryptedKeyChecksum(encrypted) }),
    writeRecord({ type: 'keymeta', publicKey, ...importedMetadata }),
  ];
}

/** The record of the master key under a passphrase. */
export async function masterKeyRecord(passphrase: string): Promise<RawRecord> {
  const fields = await encryptMasterKey(masterKey, passphrase, new Uint8Array(8).fill(3), 25);
  return writeRecord({ type: 'mkey', id: 1, ...fields, otherParameters: new Uint8Array() });
}

export function watchRecords(script: Uint8Array, createTime = 1): RawRecord[] {
  return [
    writeRecord({ type: 'watchs', script, watched: 0x31 }),
    writeRecord({ type: 'watchmeta', script, ...importedMetadata, createTime }),
  ];
}

export function scriptRecord(script: Uint8Array): RawRecord {
  return writeRecord({ type: 'cscript', scriptId: hash160(script), script });
}

export function addressRecords(address: string, label: string, purpose: string | null): RawRecord[] {
  const name = writeRecord({ type: 'name', address, label });
  return purpose === null ? [name] : [name, writeRecord({ type: 'purpose', address, purpose })];
}

export function flagsRecord(flags: bigint): RawRecord {
  return writeRecord({ type: 'flags', flags });
}

interface Coin {
  txid: string;
  index: number;
}

/** A transaction that pays one bitcoin to each script, or `values`. It spends `coins`, or one of someone else. */
export function transactionRecord(
  scripts: readonly Uint8Array[],
  coins: readonly Coin[] = [{ txid: '11'.repeat(32), index: scripts.length }],
  values: readonly bigint[] = scripts.map(() => 100_000_000n),
): { txid: string; record: RawRecord } {
  const transaction = {
    version: 2,
    inputs: coins.map((coin) => ({ ...coin, scriptSig: new Uint8Array(), sequence: 0, witness: [] })),
    outputs: scripts.map((scriptPubKey, at) => ({ value: values[at] ?? 0n, scriptPubKey })),
    lockTime: 0,
  };
  const txid = transactionId(transaction);
  const record = writeRecord({
    type: 'tx',
    txid,
    transaction,
    // Each at a possible place of a block of its own.
    blockHash: txid,
    merkleBranch: [],
    index: 1,
    previous: [],
    mapValue: [],
    orderForm: [],
    timeReceivedIsTxTime: 1,
    timeReceived: 1_700_000_000,
    fromMe: false,
    spent: false,
  });
  return { txid, record };
}

export function lockRecord(coin: Coin): RawRecord {
  return writeRecord({ type: 'lockedutxo', ...coin, locked: 0x31 });
}

/** The records of a chain of keys from a seed, and the keys by number, change last. */
export function chainRecords(
  seed: SampleKey,
  { external, internal, active = true }: { external: number; internal: number | null; active?: boolean },
): { records: RawRecord[]; keys: SampleKey[] } {
  const root = extendedKeyOfSeed(seed.privateKey);
  const seedId = hash160(seed.publicKey);
  const fingerprint = hash160(root.publicKey).subarray(0, 4);
  const keys = [external, internal ?? 0].flatMap((count, branch) =>
    Array.from({ length: count }, (_, index) => {
      const path = [HARDENED, branch + HARDENED, index + HARDENED];
      const key = keyOf(deriveChild(root, path).privateKey, true);
      const hd = { keyPath: `m/0'/${branch}'/${index}'`, seedId };
      return { key, records: keyRecords(key, { hd, origin: { fingerprint, path, known: true } }) };
    }),
  );
  const chain = {
    version: internal === null ? 1 : 2,
    externalCounter: external,
    seedId,
    internalCounter: internal,
  };
  return {
    keys: keys.map(({ key }) => key),
    records: [
      ...(active ? [writeRecord({ type: 'hdchain', ...chain })] : []),
      ...keyRecords(seed, { hd: { keyPath: 's', seedId } }),
      ...keys.flatMap(({ records }) => records),
    ],
  };
}

interface Holdings {
  ownKeys: readonly Uint8Array[];
  scripts: readonly Uint8Array[];
  watched: readonly Uint8Array[];
}

/** All scripts of a wallet with these keys and scripts, including those of single keys. */
export function scriptsOfWallet({ ownKeys, scripts, watched }: Holdings): LegacyScripts {
  const records = [
    ...ownKeys.map((publicKey) =>
      writeRecord({ type: 'ckey', publicKey, encrypted: new Uint8Array(48), checksum: null }),
    ),
    ...scripts.map(scriptRecord),
    ...watched.flatMap((script) => watchRecords(script)),
  ];
  const found = legacyWallet(recordsByType(records)).scripts;
  const ofKeys = ownKeys
    .flatMap(scriptsOfKey)
    .map((script): [string, Uint8Array] => [bytesToHex(script), script]);
  return { ...found, mine: new Map([...ofKeys, ...found.mine]) };
}

export function hexes(scripts: Iterable<Uint8Array>): string[] {
  return [...scripts].map(bytesToHex).sort();
}
