/** The fields of each type of wallet record: of keys, of the wallet as a whole, and of descriptor wallets. */
import {
  atEnd,
  bool,
  bytes,
  bytesWithSize,
  type Coder,
  hash,
  int32,
  int64,
  int64AsNumber,
  list,
  rest,
  since,
  struct,
  text,
  uint8,
  uint32,
  uint64,
  type ValuesOf,
} from '../bytes/serialization.ts';
import { MAX_STEPS } from '../keys/extendedKey.ts';
import { walletTransaction } from './walletTransaction.ts';

/**
 * A birth in Unix seconds, 0 or 1 if unknown. One in the future, by a clock that was wrong or a damaged bit, is unknown too: taken as it
 * is, it would hide payments.
 */
export function knownBirth(createTime: number): number {
  return createTime > Math.max(Date.now() / 1000, RELEASED) + ONE_DAY ? 1 : createTime;
}

/** Unix seconds. The clock of a computer without a network may have fallen back years. */
const RELEASED = Date.UTC(2026, 10, 30) / 1000;

const ONE_DAY = 24 * 60 * 60;

/** The metadata of a key or a watched script (`CKeyMetadata`). Version 10 adds `hd`, 12 adds `origin`. */
const keyMetadata = {
  version: int32,
  /** Unix seconds; 0 and 1 mean unknown. */
  createTime: int64AsNumber,
  hd: since(
    10,
    struct({
      /** `m/0'/0'/3'`; `s` or `m` for the seed itself; empty for a key outside of chains. */
      keyPath: text,
      /** Hash160 of the seed's public key, not reversed. All zeros for a key outside of chains. */
      seedId: bytes(20),
    }),
  ),
  origin: since(
    12,
    struct({
      fingerprint: bytes(4),
      path: list(uint32, MAX_STEPS),
      /** Whether the two fields above are valid. */
      known: bool,
    }),
  ),
};
export type KeyMetadata = ValuesOf<typeof keyMetadata>;

const checksumAtEnd = atEnd(bytes(32), 32);
const ofPublicKey = { publicKey: bytesWithSize };

/** Records about keys: plain and encrypted keys, master keys, HD chains, the key pool. */
export const keyRecords = {
  /** A private key in DER form, with the double SHA-256 of public key and DER (absent before 0.8). */
  key: { key: ofPublicKey, value: { der: bytesWithSize, checksum: checksumAtEnd } },
  /** A private key with an expiry, in a few very old wallets. */
  wkey: {
    key: ofPublicKey,
    value: {
      version: int32,
      der: bytesWithSize,
      createTime: int64AsNumber,
      expireTime: int64AsNumber,
      comment: text,
    },
  },
  /** An encrypted private key, with the double SHA-256 of its encrypted bytes (absent before 0.20). */
  ckey: { key: ofPublicKey, value: { encrypted: bytesWithSize, checksum: checksumAtEnd } },
  /** The master key, which encrypts the private keys. The passphrase encrypts it. */
  mkey: {
    key: { id: uint32 },
    value: {
      encrypted: bytesWithSize,
      salt: bytesWithSize,
      /** 0: iterated SHA-512, the only method that exists. */
      derivationMethod: uint32,
      iterations: uint32,
      otherParameters: bytesWithSize,
    },
  },
  keymeta: { key: ofPublicKey, value: keyMetadata },
  /** A chain of keys from one seed (`CHDChain`). Version 2 has a second branch, for change. */
  hdchain: {
    key: {},
    value: {
      version: int32,
      externalCounter: uint32,
      /** Hash160 of the seed's public key, not reversed. */
      seedId: bytes(20),
      internalCounter: since(2, uint32),
    },
  },
  /** An unused key, for a future address (`CKeyPool`). */
  pool: {
    key: { index: int64AsNumber },
    value: {
      version: int32,
      /** Unix seconds of its creation. */
      time: int64AsNumber,
      publicKey: bytesWithSize,
      /** Whether it is for change. Null before 0.15. */
      internal: atEnd(bool, 1),
      /** Whether it is older than the wallet's internal chain. Null before 0.16. */
      preSplit: atEnd(bool, 1),
    },
  },
  defaultkey: { key: {}, value: ofPublicKey },
};

const ofScript = { script: bytesWithSize };
const ofAddress = { address: text };
const version = { key: {}, value: { version: int32 } };

/** Block hashes from the last known block backwards, in growing steps. Empty if no block is known. */
const blockLocator = { key: {}, value: { version: int32, blockHashes: list(hash) } };

/** Records about scripts, addresses, transactions and the wallet as a whole. */
export const walletRecords = {
  /** The release that last wrote the wallet, as 280100 for 28.1. */
  version,
  /** The format that a release must know to use the wallet, such as 169900. */
  minversion: version,
  /** Bits of `WalletFlags`. */
  flags: { key: {}, value: { flags: uint64 } },
  bestblock: blockLocator,
  bestblock_nomerkle: blockLocator,
  orderposnext: { key: {}, value: { next: int64AsNumber } },

  /** A watched script, if the value is the character `1` (0x31). */
  watchs: { key: ofScript, value: { watched: uint8 } },
  watchmeta: { key: ofScript, value: keyMetadata },
  /** A redeem or witness script, under its hash160. */
  cscript: { key: { scriptId: bytes(20) }, value: ofScript },

  name: { key: ofAddress, value: { label: text } },
  /** `send`, `receive`, and `refund` in old wallets. */
  purpose: { key: ofAddress, value: { purpose: text } },
  /** `used`: the address was spent from. `rr` and a number: a payment request. */
  destdata: { key: { address: text, name: text }, value: { data: bytesWithSize } },
  /** An account of wallets before 0.18: its key. */
  acc: { key: { account: text }, value: { version: int32, publicKey: bytesWithSize } },
  /** A transfer between accounts, in satoshi. Its comment contains more than text, so it stays bytes. */
  acentry: {
    key: { account: text, number: uint64 },
    value: { version: int32, amount: int64, time: int64AsNumber, otherAccount: text, comment: bytesWithSize },
  },

  tx: { key: { txid: hash }, value: walletTransaction },
  /** From release 32 on: another form of a stored transaction, with other witnesses. */
  wtxvariant: { key: { txid: hash, wtxid: hash }, value: { transaction: rest } },
  /** A coin that the user locked against spending. */
  lockedutxo: { key: { txid: hash, index: uint32 }, value: { locked: uint8 } },
  /** Settings of old graphical wallets. */
  settings: { key: { name: rest }, value: { data: rest } },
  /** Settings before 0.9. */
  setting: { key: { name: text }, value: { data: rest } },
};

const id = { descriptorId: bytes(32) };
const keyOfId = { ...id, publicKey: bytesWithSize };

/** The address types of active descriptors, as in the RPC parameter `address_type`. */
const addressTypes = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'] as const;
export type AddressType = (typeof addressTypes)[number];

const addressType: Coder<AddressType> = {
  read(from) {
    const type = addressTypes[from.byte()];
    if (!type) throw new RangeError('unknown address type');
    return type;
  },
  write: (to, value) => to.uint(addressTypes.indexOf(value), 1),
};

const active = { key: { addressType }, value: id };

/** The 74 bytes of BIP 32's serialization without version and checksum. */
const extendedKey = { extendedPublicKey: bytesWithSize };

/** Records of descriptor wallets. Ids of descriptors are not reversed. */
export const descriptorRecords = {
  walletdescriptor: {
    key: id,
    value: {
      /** Public keys only, with its checksum. */
      descriptor: text,
      /** Unix seconds. */
      createTime: int64AsNumber,
      nextIndex: int32,
      rangeStart: int32,
      /** The index after the last. */
      rangeEnd: int32,
    },
  },
  /** A private key of a descriptor in DER form, with the double SHA-256 of public key and DER. */
  walletdescriptorkey: { key: keyOfId, value: { der: bytesWithSize, checksum: bytes(32) } },
  walletdescriptorckey: { key: keyOfId, value: { encrypted: bytesWithSize } },
  /** A cached public key of a descriptor's key: the parent of its keys or, with a derivation index, one of them. */
  walletdescriptorcache: {
    key: { ...id, keyIndex: uint32, derivationIndex: atEnd(uint32, 4) },
    value: extendedKey,
  },
  walletdescriptorlhcache: { key: { ...id, keyIndex: uint32 }, value: extendedKey },
  activeexternalspk: active,
  activeinternalspk: active,
};
