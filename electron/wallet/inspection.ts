/**
 * What inspecting a wallet file tells. Plain data without a secret in it: no private key, seed or passphrase.
 * Amounts are satoshi, times Unix seconds, transaction ids, block hashes and scripts hexadecimal as they are shown.
 */
import type { Network } from '../../shared/model.ts';
import type { AddressType } from './descriptorRecords.ts';
import type { FileProblem } from './rawRecord.ts';
import type { OutputScript } from './script.ts';

/** A list that may be too long to show: its exact length, and at most 10,000 of its items. */
export interface Listed<T> {
  total: number;
  shown: readonly T[];
}

export interface Inspection {
  kind: 'legacy' | 'descriptor';
  network: InspectedNetwork;
  file: InspectedFile;
  /** Null for a wallet without encryption. Iterations are those that turn the passphrase into a key. */
  encryption: { masterKeys: number; iterations: number } | null;
  passphrase: PassphraseVerdict;
  birth: Birth;
  /** The release that last wrote the file. Null when the file does not say. */
  lastWrittenBy: { version: number; text: string } | null;
  /** The oldest format that a release must know: 169900 for all that may still be in use. Null: not said. */
  formatVersion: number | null;
  /** As `getwalletinfo` names them; `unknown_<bit>` for others. */
  flags: readonly string[];
  keys: KeyCounts;
  /** Of a legacy wallet. */
  hdChains: Listed<InspectedHdChain>;
  /** Of a descriptor wallet, sorted by their text. */
  descriptors: Listed<InspectedDescriptor>;
  /** Scripts of a legacy wallet that are more than one of its own keys: watched ones, and multisig. */
  scripts: Listed<InspectedScript>;
  labels: Listed<InspectedLabel>;
  /** The newest first. */
  transactions: Listed<InspectedTransaction>;
  /** Coins that the user locked against spending. */
  lockedCoins: Listed<{ txid: string; index: number }>;
  balance: LastKnownBalance;
  records: RecordCounts;
  /** In plain sentences: what is wrong or odd, and whether something is missing because of it. */
  problems: readonly FileProblem[];
  /** Null for descriptor wallets. */
  migration: MigrationPreview | null;
}

export interface InspectedNetwork {
  name: Network | 'unknown';
  /**
   * `file`: the number in the head of a descriptor wallet. `genesis-block`: the first block of the chain, in the
   * list of blocks that the wallet saw. `asked`: as the caller said. `keys`, `addresses`: by how they are written.
   */
  from: 'file' | 'genesis-block' | 'asked' | 'keys' | 'addresses' | 'nothing';
  /** Where the name is unknown: those it can be. The test networks write addresses and keys alike. */
  candidates: readonly Network[];
}

export interface InspectedFile {
  /** Bytes. */
  size: number;
  format:
    | {
        kind: 'berkeley-db';
        pageSize: number;
        byteOrder: 'little' | 'big';
        /** False when it was not closed cleanly: releases from 30 on refuse such a file. */
        cleanlyClosed: boolean;
        uncleanPages: number;
      }
    | { kind: 'sqlite'; pageSize: number; applicationId: number; userVersion: number };
}

/**
 * `right-cut-at-zero`: what is before the passphrase's first zero byte is right, which is what releases before 25
 * took of it. `cannot-be-tried`: the records of the encryption are damaged or missing.
 */
export type PassphraseVerdict =
  | 'right'
  | 'wrong'
  | 'right-cut-at-zero'
  | 'not-encrypted'
  | 'not-tried'
  | 'cannot-be-tried';

/**
 * When the first key was made. `at-latest`: some keys or scripts have no date (imported ones), so that the first
 * can be older; a rescan of such a wallet starts at the first block.
 */
export type Birth =
  | { known: 'exactly'; time: number }
  | { known: 'at-latest'; time: number; undated: number }
  | { known: 'no'; undated: number };

export interface KeyCounts {
  /** Public keys whose private key lies open in the file. One key can serve several descriptors. */
  plain: number;
  /** Public keys whose private key is encrypted in the file. */
  encrypted: number;
  /** Of these two: written uncompressed, so that they have no segwit address. */
  uncompressed: number;
  /** Of a legacy wallet's: seeds of HD chains, keys of these chains, and all others. */
  seeds: number;
  fromChains: number;
  single: number;
  /** Public keys that are watched, without private key. */
  watched: number;
  /** Kept ready for addresses to come (`keypoolsize`). */
  unused: { external: number; internal: number };
  /** Records of private keys that do not fit the checksum beside them: the key in there is not to be trusted. */
  damaged: number;
}

export interface InspectedHdChain {
  /** As `getwalletinfo.hdseedid` shows it. */
  seedId: string;
  active: boolean;
  /** 1: one chain of keys. 2: another one for change. */
  version: number;
  /** Keys made so far, those in the pool included. */
  externalKeys: number;
  internalKeys: number | null;
  /** Of the chain's root, eight hex digits. Null where no key's record tells. */
  fingerprint: string | null;
  /** Whether the file holds the private key of the seed, open or encrypted. */
  hasSeed: boolean;
}

export interface InspectedDescriptor {
  /** Public, as `listdescriptors` prints it. Null where it cannot be read, or told without a private key. */
  text: string | null;
  active: boolean;
  /** Only of active ones. */
  internal: boolean | null;
  addressType: AddressType | null;
  /** First and last index; null for a descriptor without range. */
  range: readonly [first: number, last: number] | null;
  next: number | null;
  created: number;
}

export type Standing = 'spendable' | 'watched' | 'solvable' | 'not-mine';

export interface InspectedScript {
  script: string;
  /** Null for scripts without one, and where the network is not known. */
  address: string | null;
  kind: OutputScript['kind'];
  /** Of a multisig script, or one inside of p2sh or p2wsh. `own`: keys of it whose private key is in the file. */
  multisig: { required: number; keys: number; own: number } | null;
  /**
   * `solvable`: not watched, but the file has what it takes to help signing for it. `not-mine`: watched, and
   * nobody can ever spend it; a migration leaves it out.
   */
  standing: Standing;
}

export interface InspectedLabel {
  address: string;
  /** Null: in the address book without a label. */
  label: string | null;
  /** `receive`, `send`, or what else old wallets wrote. */
  purpose: string | null;
}

/** `unconfirmed`: in no block as far as the wallet knew. */
export type InspectedState = 'confirmed' | 'unconfirmed' | 'conflicted' | 'abandoned';

export interface InspectedTransaction {
  txid: string;
  time: number;
  state: InspectedState;
  coinbase: boolean;
  /** Paid to scripts that the wallet can spend from, and taken from them. */
  spendable: { received: bigint; spent: bigint };
  /** The same for scripts that it only watches. */
  watched: { received: bigint; spent: bigint };
}

export interface LastKnownBalance {
  spendable: BalanceParts;
  watched: BalanceParts;
  /** The newest transaction's time; null without one. */
  newestTransaction: number | null;
  /** The newest block that the wallet knew. */
  lastBlock: string | null;
}

export interface BalanceParts {
  confirmed: bigint;
  /** In transactions that are in no block as far as the wallet knew. */
  unconfirmed: bigint;
  /**
   * Of `confirmed`: rewards of blocks, which can be spent 100 blocks later. A wallet file does not tell at which
   * height its blocks are, so that those of the last 100 cannot be told from older ones.
   */
  ofBlockRewards: bigint;
}

export interface RecordCounts {
  total: number;
  /** By type, of all that could be read. */
  byType: Readonly<Record<string, number>>;
  /** Types that are not known here. They are kept as they are. */
  unknown: Listed<{ type: string; count: number }>;
  /** Of known types, with content that is not what the type should have. */
  damaged: Listed<{ type: string; count: number }>;
}

/** Told without a passphrase, by the rules of release 31. */
export interface MigrationPreview {
  /**
   * Under the wallet's own name. `seed`: of the new active descriptors; `none` where there are none of these. Null:
   * it would be empty, and releases from 30 on do not keep such a wallet.
   */
  primary: { descriptors: number; seed: 'kept' | 'fresh' | 'none' } | null;
  /** `<name>_watchonly`: what is watched and cannot be spent from. */
  watchOnly: { suffix: '_watchonly'; descriptors: number } | null;
  /** `<name>_solvables`: what the wallet does not watch and can help to sign for. */
  solvables: { suffix: '_solvables'; descriptors: number } | null;
  /** Watched scripts that no one can ever spend, and such as break a rule: left out. */
  leftOut: number;
  /** Transactions that would belong to none of these: a node refuses to migrate then (bitcoin/bitcoin#35626). */
  strayTransactions: Listed<string>;
  /** Why else a node would refuse, each in a plain sentence. */
  obstacles: readonly string[];
}
