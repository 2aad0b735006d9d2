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
  list,
  rest,
  seconds,
  since,
  struct,
  text,
  uint8,
  uint32,
  uint64,
  type ValuesOf,
} from '../bytes/serialization.ts';
import { MOST_STEPS } from '../keys/extendedKey.ts';
import { walletTransaction } from './walletTransaction.ts';

/** What is known of a key or of a watched script (`CKeyMetadata`). Version 10 adds `hd`, 12 adds `origin`. */
const keyMetadata = {
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

/** Records about keys: plain and encrypted keys, master keys, HD chains, the key pool. */
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

const ofScript = { script: bytesWithSize };
const ofAddress = { address: text };
const version = { key: {}, value: { version: int32 } };

/** Blocks of the chain from the last one known backwards, ever farther apart. Empty: none known. */
const blockLocator = { key: {}, value: { version: int32, blockHashes: list(hash) } };

/** Records about scripts, addresses, transactions and the wallet as a whole. */
export const walletRecords = {
  /** The release that last wrote the wallet: 280100 for 28.1. */
  version,
  /** The oldest format a release must know to use the wallet, such as 169900. */
  minversion: version,
  /** Bits of `WalletFlags`. */
  flags: { key: {}, value: { flags: uint64 } },
  bestblock: blockLocator,
  bestblock_nomerkle: blockLocator,
  orderposnext: { key: {}, value: { next: seconds } },

  /** A watched script. Anything but `1` as a character (0x31) means that it is not. */
  watchs: { key: ofScript, value: { watched: uint8 } },
  watchmeta: { key: ofScript, value: keyMetadata },
  /** A redeem or witness script, under its hash160. */
  cscript: { key: { scriptId: bytes(20) }, value: ofScript },

  name: { key: ofAddress, value: { label: text } },
  /** `send`, `receive`, and `refund` in old wallets. */
  purpose: { key: ofAddress, value: { purpose: text } },
  /** `used` of an address that was spent from; `rr` and a number: a request for payment, in bytes. */
  destdata: { key: { address: text, name: text }, value: { data: bytesWithSize } },
  /** An account of wallets before 0.18: its key. */
  acc: { key: { account: text }, value: { version: int32, publicKey: bytesWithSize } },
  /** A booking between accounts: satoshi. Its comment holds more than text, so it is left as bytes. */
  acentry: {
    key: { account: text, number: uint64 },
    value: { version: int32, amount: int64, time: seconds, otherAccount: text, comment: bytesWithSize },
  },

  tx: { key: { txid: hash }, value: walletTransaction },
  /** From release 32 on: the transaction with its witness, beside its `tx`. */
  wtxvariant: { key: { txid: hash, wtxid: hash }, value: { transaction: rest } },
  /** A coin the user locked against spending. */
  lockedutxo: { key: { txid: hash, index: uint32 }, value: { locked: uint8 } },
  /** Settings of old graphical wallets, as they are. */
  settings: { key: { name: rest }, value: { data: rest } },
  /** The same before 0.9: a setting of the program. */
  setting: { key: { name: text }, value: { data: rest } },
};

const id = { descriptorId: bytes(32) };
const keyOfId = { ...id, publicKey: bytesWithSize };

/** Which kind of address a descriptor is in use for, in the words of RPC's `address_type`. */
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

/** Depth to chain code and public key, 74 bytes, as in BIP 32 without version and checksum. */
const extendedKey = { extendedPublicKey: bytesWithSize };

/** Records of descriptor wallets. A descriptor's id stands in the file's byte order. */
export const descriptorRecords = {
  walletdescriptor: {
    key: id,
    value: {
      /** Public keys only, with its checksum. */
      descriptor: text,
      /** Unix seconds. */
      createTime: seconds,
      nextIndex: int32,
      rangeStart: int32,
      /** The index after the last. */
      rangeEnd: int32,
    },
  },
  /** A private key of a descriptor in DER form, with the double SHA-256 of public key and DER. */
  walletdescriptorkey: { key: keyOfId, value: { der: bytesWithSize, checksum: bytes(32) } },
  walletdescriptorckey: { key: keyOfId, value: { encrypted: bytesWithSize } },
  /** Of a key of a descriptor: the parent of its keys or, with a derivation index, one of them. */
  walletdescriptorcache: {
    key: { ...id, keyIndex: uint32, derivationIndex: atEnd(uint32, 4) },
    value: extendedKey,
  },
  walletdescriptorlhcache: { key: { ...id, keyIndex: uint32 }, value: extendedKey },
  activeexternalspk: active,
  activeinternalspk: active,
};
