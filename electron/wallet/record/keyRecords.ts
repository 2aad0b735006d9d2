/** Records about keys: plain, encrypted, of old wallets; master keys, what is known of a key, HD chains, the pool. */
import * as P from 'micro-packed';
import { bytesWithSize, list, seconds, text } from '../bytes/serialization.ts';
import { MOST_STEPS } from '../key/extendedKey.ts';

/** What is known of a key or of a watched script (`CKeyMetadata`). */
export interface KeyMetadata {
  /** 1; 10 adds `hd`; 12 adds `origin`. */
  version: number;
  /** Unix seconds; 0 and 1 mean that it is not known. */
  createTime: number;
  hd: {
    /** `m/0'/0'/3'`; `s` or `m` for the seed itself; empty for a key of no chain. */
    keyPath: string;
    /** Hash160 of the seed's public key, in the order of its bytes. All zeros for a key of no chain. */
    seedId: Uint8Array;
  } | null;
  origin: {
    fingerprint: Uint8Array;
    path: number[];
    /** Whether the two above mean anything. */
    known: boolean;
  } | null;
}

/** A chain of keys from one seed (`CHDChain`). */
interface HdChain {
  /** 1 has one chain; 2 has an internal chain for change too. */
  version: number;
  externalCounter: number;
  /** Hash160 of the seed's public key, in the order of its bytes. */
  seedId: Uint8Array;
  internalCounter: number | null;
}

/** A key kept ready for an address to come (`CKeyPool`). */
interface PoolEntry {
  version: number;
  /** When it was made, in Unix seconds. */
  time: number;
  publicKey: Uint8Array;
  /** Whether it is for change. Null before 0.15. */
  internal: boolean | null;
  /** Whether it was made before the wallet had an internal chain. Null before 0.16. */
  preSplit: boolean | null;
}

const hdData = P.struct({ keyPath: text, seedId: P.bytes(20) });
const originData = P.struct({ fingerprint: P.bytes(4), path: list(P.U32LE, MOST_STEPS), known: P.bool });

export const keyMetadata: P.CoderType<KeyMetadata> = P.wrap({
  encodeStream(writer, value: KeyMetadata) {
    P.I32LE.encodeStream(writer, value.version);
    seconds.encodeStream(writer, value.createTime);
    if (value.version >= 10 !== (value.hd !== null)) throw writer.err('version and HD data disagree');
    if (value.version >= 12 !== (value.origin !== null)) throw writer.err('version and origin disagree');
    if (value.hd) hdData.encodeStream(writer, value.hd);
    if (value.origin) originData.encodeStream(writer, value.origin);
  },
  decodeStream(reader) {
    const version = P.I32LE.decodeStream(reader);
    const createTime = seconds.decodeStream(reader);
    const hd = version >= 10 ? hdData.decodeStream(reader) : null;
    return { version, createTime, hd, origin: version >= 12 ? originData.decodeStream(reader) : null };
  },
});

const hdChain: P.CoderType<HdChain> = P.wrap({
  encodeStream(writer, value: HdChain) {
    hdChainStart.encodeStream(writer, value);
    if (value.version >= 2 !== (value.internalCounter !== null))
      throw writer.err('version and counters disagree');
    if (value.internalCounter !== null) P.U32LE.encodeStream(writer, value.internalCounter);
  },
  decodeStream(reader) {
    const start = hdChainStart.decodeStream(reader);
    return { ...start, internalCounter: start.version >= 2 ? P.U32LE.decodeStream(reader) : null };
  },
});
const hdChainStart = P.struct({ version: P.I32LE, externalCounter: P.U32LE, seedId: P.bytes(20) });

/** A field at a record's end that older wallets lack: null where there are too few bytes for it. */
function atEnd<T>(inner: P.CoderType<T>, size: number): P.CoderType<T | null> {
  return P.wrap({
    encodeStream(writer, value: T | null) {
      if (value !== null) inner.encodeStream(writer, value);
    },
    decodeStream: (reader) => (reader.leftBytes >= size ? inner.decodeStream(reader) : null),
  });
}

const checksumAtEnd = atEnd(P.bytes(32), 32);
const flagAtEnd = atEnd(P.bool, 1);

// Not made with P.struct, whose type would make each field that may be null an optional one.
const plainKey: P.CoderType<{ der: Uint8Array; checksum: Uint8Array | null }> = P.wrap({
  encodeStream(writer, value: { der: Uint8Array; checksum: Uint8Array | null }) {
    bytesWithSize.encodeStream(writer, value.der);
    checksumAtEnd.encodeStream(writer, value.checksum);
  },
  decodeStream: (reader) => ({
    der: bytesWithSize.decodeStream(reader),
    checksum: checksumAtEnd.decodeStream(reader),
  }),
});

const encryptedKey: P.CoderType<{ encrypted: Uint8Array; checksum: Uint8Array | null }> = P.wrap({
  encodeStream(writer, value: { encrypted: Uint8Array; checksum: Uint8Array | null }) {
    bytesWithSize.encodeStream(writer, value.encrypted);
    checksumAtEnd.encodeStream(writer, value.checksum);
  },
  decodeStream: (reader) => ({
    encrypted: bytesWithSize.decodeStream(reader),
    checksum: checksumAtEnd.decodeStream(reader),
  }),
});

const poolStart = P.struct({ version: P.I32LE, time: seconds, publicKey: bytesWithSize });

const poolEntry: P.CoderType<PoolEntry> = P.wrap({
  encodeStream(writer, value: PoolEntry) {
    poolStart.encodeStream(writer, value);
    flagAtEnd.encodeStream(writer, value.internal);
    flagAtEnd.encodeStream(writer, value.preSplit);
  },
  decodeStream(reader) {
    const start = poolStart.decodeStream(reader);
    const internal = flagAtEnd.decodeStream(reader);
    return { ...start, internal, preSplit: flagAtEnd.decodeStream(reader) };
  },
});

const nothing = P.struct({});
const ofPublicKey = P.struct({ publicKey: bytesWithSize });

export const keyRecords = {
  /** A private key in DER form, with the double SHA-256 of public key and DER (absent before 0.8). */
  key: {
    key: ofPublicKey,
    value: plainKey,
  },
  /** The same with an expiry, as a few very old wallets have it. */
  wkey: {
    key: ofPublicKey,
    value: P.struct({
      version: P.I32LE,
      der: bytesWithSize,
      createTime: seconds,
      expireTime: seconds,
      comment: text,
    }),
  },
  /** An encrypted private key, with the double SHA-256 of its encrypted bytes (absent before 0.20). */
  ckey: {
    key: ofPublicKey,
    value: encryptedKey,
  },
  /** The master key under which private keys are encrypted, itself encrypted under the passphrase. */
  mkey: {
    key: P.struct({ id: P.U32LE }),
    value: P.struct({
      encrypted: bytesWithSize,
      salt: bytesWithSize,
      /** 0: iterated SHA-512. No other was ever made. */
      derivationMethod: P.U32LE,
      iterations: P.U32LE,
      otherParameters: bytesWithSize,
    }),
  },
  keymeta: { key: ofPublicKey, value: keyMetadata },
  hdchain: { key: nothing, value: hdChain },
  pool: {
    key: P.struct({ index: seconds }),
    value: poolEntry,
  },
  defaultkey: { key: nothing, value: ofPublicKey },
};
