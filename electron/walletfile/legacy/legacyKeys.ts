/** The private keys of a legacy wallet's file, found by what scripts and addresses name of them. */
import { byteText } from '../bytes/byteText.ts';
import { once } from '../bytes/once.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import type { Of, RecordsByType } from '../records/recordsByType.ts';
import { readOutputScript } from '../script/script.ts';

/** One of them, open or encrypted. */
export class LegacyKey {
  private known: string | undefined;

  constructor(
    readonly record: Of<'key' | 'wkey' | 'ckey'>,
    readonly metadata: Of<'keymeta'> | null,
  ) {}

  get publicKey(): Uint8Array {
    return this.record.publicKey;
  }

  /** The `byteText` of the hash160 of the public key; worked out when it is first asked for. */
  get hash(): string {
    this.known ??= quickHash160(this.publicKey);
    return this.known;
  }
}

export type LegacyKeys = ReturnType<typeof legacyKeys>;

export function legacyKeys(records: RecordsByType) {
  const metadata = new Map<string, Of<'keymeta'>>();
  for (const record of records.of('keymeta'))
    metadata.set(byteText(record.publicKey), withoutNothing(record));
  const byPublicKey = new Map<string, LegacyKey>();
  for (const group of [records.of('ckey'), records.of('key'), records.of('wkey')]) {
    for (const record of group) {
      const text = byteText(record.publicKey);
      if (!byPublicKey.has(text)) byPublicKey.set(text, new LegacyKey(record, metadata.get(text) ?? null));
    }
  }
  const all = [...byPublicKey.values()];
  const byHash = once(() => new Map(all.map((key) => [key.hash, key])));
  const byNestedHash = once(() => {
    const compressed = all.filter(({ publicKey }) => isCompressed(publicKey));
    return new Map(compressed.map((key) => [nestedHash(key.hash), key]));
  });
  const ofPublicKey = (publicKey: Uint8Array) => byPublicKey.get(byteText(publicKey));
  const ofHash = (hash: string) => byHash().get(hash);
  const ofNestedHash = (hash: string) => byNestedHash().get(hash);
  return {
    /** Each public key once. */
    all,
    ofPublicKey,
    /** By the `byteText` of the hash160 of its public key. */
    ofHash,
    /** By the `byteText` of the hash160 of its p2wpkh script, as p2sh addresses have it. */
    ofNestedHash,
    /** The key that makes an output script by itself: p2pk, p2pkh and, compressed, p2wpkh and p2wpkh in p2sh. */
    ofScript(script: Uint8Array): LegacyKey | undefined {
      const output = readOutputScript(script);
      if (output.kind === 'p2pk') return ofPublicKey(output.publicKey);
      if (output.kind === 'p2pkh') return ofHash(byteText(output.keyHash));
      if (output.kind === 'p2sh') return ofNestedHash(byteText(output.scriptHash));
      const key = output.kind === 'p2wpkh' ? ofHash(byteText(output.keyHash)) : undefined;
      return key && isCompressed(key.publicKey) ? key : undefined;
    },
  };
}

/** Fields that say nothing, as imported keys have them, need not be kept in memory for each of thousands of keys. */
function withoutNothing(metadata: Of<'keymeta'>): Of<'keymeta'> {
  const { hd, origin } = metadata;
  if (hd?.keyPath === '' && hd.seedId.every((byte) => byte === 0)) metadata.hd = null;
  if (!origin?.known) metadata.origin = null;
  return metadata;
}

export function isCompressed(publicKey: Uint8Array): boolean {
  return publicKey.length === 33;
}

/** Of a compressed key's hash: that of its p2wpkh script, as addresses of the kind p2sh have it. All as `byteText`. */
export function nestedHash(hash: string): string {
  return quickHash160(Buffer.from(`${WITNESS_START}${hash}`, 'latin1'));
}

/** OP_0 and a push of 20 bytes: how the script of a p2wpkh address starts. */
export const WITNESS_START = '\x00\x14';
