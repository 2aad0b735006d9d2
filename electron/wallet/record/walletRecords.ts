/** Records about scripts, addresses, transactions and the wallet as a whole. */
import * as P from 'micro-packed';
import { bytesWithSize, hash, list, seconds, text } from '../bytes/serialization.ts';
import { keyMetadata } from './keyRecords.ts';
import { walletTransaction } from './walletTransaction.ts';

const nothing = P.struct({});
const ofScript = P.struct({ script: bytesWithSize });
const ofAddress = P.struct({ address: text });
const version = { key: nothing, value: P.struct({ version: P.I32LE }) };

/** Blocks of the chain from the last one known backwards, ever farther apart. Empty: none known. */
const blockLocator = {
  key: nothing,
  value: P.struct({ version: P.I32LE, blockHashes: list(hash) }),
};

export const walletRecords = {
  /** The release that last wrote the wallet: 280100 for 28.1. */
  version,
  /** The oldest format a release must know to use the wallet, such as 169900. */
  minversion: version,
  /** Bits of `WalletFlags`. */
  flags: { key: nothing, value: P.struct({ flags: P.U64LE }) },
  bestblock: blockLocator,
  bestblock_nomerkle: blockLocator,
  orderposnext: { key: nothing, value: P.struct({ next: seconds }) },

  /** A watched script. Anything but `1` as a character (0x31) means that it is not. */
  watchs: { key: ofScript, value: P.struct({ watched: P.U8 }) },
  watchmeta: { key: ofScript, value: keyMetadata },
  /** A redeem or witness script, under its hash160. */
  cscript: { key: P.struct({ scriptId: P.bytes(20) }), value: ofScript },

  name: { key: ofAddress, value: P.struct({ label: text }) },
  /** `send`, `receive`, and `refund` in old wallets. */
  purpose: { key: ofAddress, value: P.struct({ purpose: text }) },
  /** `used` of an address that was spent from; `rr` and a number: a request for payment, in bytes. */
  destdata: { key: P.struct({ address: text, name: text }), value: P.struct({ data: bytesWithSize }) },
  /** An account of wallets before 0.18: its key. */
  acc: {
    key: P.struct({ account: text }),
    value: P.struct({ version: P.I32LE, publicKey: bytesWithSize }),
  },
  /** A booking between accounts. Its comment holds more than text, so it is left as bytes. */
  acentry: {
    key: P.struct({ account: text, number: P.U64LE }),
    value: P.struct({
      version: P.I32LE,
      /** Satoshi. */
      amount: P.I64LE,
      time: seconds,
      otherAccount: text,
      comment: bytesWithSize,
    }),
  },

  tx: { key: P.struct({ txid: hash }), value: walletTransaction },
  /** A coin the user locked against spending. */
  lockedutxo: { key: P.struct({ txid: hash, index: P.U32LE }), value: P.struct({ locked: P.U8 }) },
  /** Settings of old graphical wallets, as they are. */
  settings: { key: P.struct({ name: P.bytes(null) }), value: P.struct({ data: P.bytes(null) }) },
};
