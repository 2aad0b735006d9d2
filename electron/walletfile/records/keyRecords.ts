/** Records about keys: plain, encrypted, of old wallets; master keys, what is known of a key, HD chains, the pool. */
import {
  atEnd,
  bool,
  bytes,
  bytesWithSize,
  int32,
  list,
  seconds,
  since,
  struct,
  text,
  uint32,
  type ValuesOf,
} from '../bytes/serialization.ts';
import { MOST_STEPS } from '../keys/extendedKey.ts';

/** What is known of a key or of a watched script (`CKeyMetadata`). Version 10 adds `hd`, 12 adds `origin`. */
export const keyMetadata = {
  version: int32,
  /** Unix seconds; 0 and 1 mean that it is not known. */
  createTime: seconds,
  hd: since(
    10,
    struct({
      /** `m/0'/0'/3'`; `s` or `m` for the seed itself; empty for a key of no chain. */
      keyPath: text,
      /** Hash160 of the seed's public key, in the order of its bytes. All zeros for a key of no chain. */
      seedId: bytes(20),
    }),
  ),
  origin: since(
    12,
    struct({
      fingerprint: bytes(4),
      path: list(uint32, MOST_STEPS),
      /** Whether the two above mean anything. */
      known: bool,
    }),
  ),
};
export type KeyMetadata = ValuesOf<typeof keyMetadata>;

const checksumAtEnd = atEnd(bytes(32), 32);
const ofPublicKey = { publicKey: bytesWithSize };

export const keyRecords = {
  /** A private key in DER form, with the double SHA-256 of public key and DER (absent before 0.8). */
  key: { key: ofPublicKey, value: { der: bytesWithSize, checksum: checksumAtEnd } },
  /** The same with an expiry, as a few very old wallets have it. */
  wkey: {
    key: ofPublicKey,
    value: { version: int32, der: bytesWithSize, createTime: seconds, expireTime: seconds, comment: text },
  },
  /** An encrypted private key, with the double SHA-256 of its encrypted bytes (absent before 0.20). */
  ckey: { key: ofPublicKey, value: { encrypted: bytesWithSize, checksum: checksumAtEnd } },
  /** The master key under which private keys are encrypted, itself encrypted under the passphrase. */
  mkey: {
    key: { id: uint32 },
    value: {
      encrypted: bytesWithSize,
      salt: bytesWithSize,
      /** 0: iterated SHA-512. No other was ever made. */
      derivationMethod: uint32,
      iterations: uint32,
      otherParameters: bytesWithSize,
    },
  },
  keymeta: { key: ofPublicKey, value: keyMetadata },
  /** A chain of keys from one seed (`CHDChain`). Version 1 has one chain; 2 has one for change too. */
  hdchain: {
    key: {},
    value: {
      version: int32,
      externalCounter: uint32,
      /** Hash160 of the seed's public key, in the order of its bytes. */
      seedId: bytes(20),
      internalCounter: since(2, uint32),
    },
  },
  /** A key kept ready for an address to come (`CKeyPool`). */
  pool: {
    key: { index: seconds },
    value: {
      version: int32,
      /** When it was made, in Unix seconds. */
      time: seconds,
      publicKey: bytesWithSize,
      /** Whether it is for change. Null before 0.15. */
      internal: atEnd(bool, 1),
      /** Whether it was made before the wallet had an internal chain. Null before 0.16. */
      preSplit: atEnd(bool, 1),
    },
  },
  defaultkey: { key: {}, value: ofPublicKey },
};
