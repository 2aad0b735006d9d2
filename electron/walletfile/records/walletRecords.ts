/** Records about scripts, addresses, transactions and the wallet as a whole. */
import {
  bytes,
  bytesWithSize,
  hash,
  int32,
  int64,
  list,
  rest,
  seconds,
  text,
  uint8,
  uint32,
  uint64,
} from '../bytes/serialization.ts';
import { keyMetadata } from './keyRecords.ts';
import { walletTransaction } from './walletTransaction.ts';

const ofScript = { script: bytesWithSize };
const ofAddress = { address: text };
const version = { key: {}, value: { version: int32 } };

/** Blocks of the chain from the last one known backwards, ever farther apart. Empty: none known. */
const blockLocator = { key: {}, value: { version: int32, blockHashes: list(hash) } };

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
