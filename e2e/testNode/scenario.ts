/** What is special about one run of the test node. */
import type { FixtureName } from './walletFixture.ts';

export interface Rescan {
  /** Shares of the chain, from its first block on, at which `Still rescanning` is logged: rising, 0 to 1. */
  shares: readonly number[];
  /** Milliseconds from the first of these lines to the end. */
  ms: number;
  /** The rescan stops after the last of these lines, until `letGo()`. */
  hold?: boolean;
  /** The fast variant of the line that names it. */
  fast?: boolean;
}

export interface Scenario {
  /** Wallets in the folder by name; the unnamed one is the empty string. */
  wallets?: Readonly<Record<string, FixtureName>>;
  /** Of these, the ones that are loaded. */
  loaded?: readonly string[];
  /** So many further descriptor wallets, `wallet 001` and on, not loaded. */
  manyWallets?: number;
  /** Milliseconds that a restore, a migration or a load takes, its log lines spread over it. Default 300. */
  callMs?: number;
  /** A restore or migration stands still until `letGo()` before it does and logs what its first line with this text tells. */
  holdAt?: string;
  /** The node's user may not write to its wallets folder. Answers as measured on 31.0. */
  readOnlyWallets?: boolean;
  /** A long rescan in each restore and migration. */
  rescan?: Rescan;
  /** Accepted beside the cookie, as with `-rpcauth`. */
  login?: { user: string; password: string };
  /** With `login`: no cookie, user and password stand in `bitcoin.conf`. */
  loginInConf?: boolean;
  /** Warnings of `restorewallet` in place of the recorded ones. */
  restoreWarnings?: readonly string[];
  /** What a migration leaves on the disk is another wallet: as from a node that loses what it should convert. */
  losesOnMigration?: boolean;
  /** What the node warns of itself. */
  nodeWarnings?: readonly string[];
  /** The lowest block it still has. */
  pruneHeight?: number;
  blockFilters?: 'on' | 'building';
  initialBlockDownload?: boolean;
  /** The address to listen on. Default 127.0.0.1. */
  host?: string;
}

export const defaultWallets: Readonly<Record<string, FixtureName>> = {
  savings: 'descriptor-hd',
  'legacy-hd': 'legacy-hd',
  'legacy-hd-encrypted': 'legacy-hd-encrypted',
  'legacy-watchonly': 'legacy-watchonly',
};
