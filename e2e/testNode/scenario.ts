/** How one run of a test node differs from the recording. */
import type { FixtureName } from './walletFixture.ts';

export interface Rescan {
  /** How far the rescan is, 0 to 1 and rising, each time it logs `Still rescanning`. */
  shares: readonly number[];
  /** Milliseconds that the rescan takes. */
  ms: number;
  /** Whether the rescan pauses after the last of these lines, until `resume()`. */
  hold?: boolean;
}

export interface Scenario {
  /** The wallets in the folder, by name. The unnamed wallet is the empty string. */
  wallets?: Readonly<Record<string, FixtureName>>;
  /** Which of them are loaded. */
  loaded?: readonly string[];
  /** How many more descriptor wallets there are, named `wallet 001` and so on. */
  manyWallets?: number;
  /** Whether those are loaded. */
  manyLoaded?: boolean;
  /** Milliseconds until each answer. */
  answerMs?: number;
  /** Milliseconds that a restore, a migration or a load takes. Its log lines are spread over this time. Default 300. */
  callMs?: number;
  /** Pauses a restore or migration, until `resume()`, just before the step that logs the first line with this text. */
  holdAt?: string;
  /** The node may not write to its wallets folder. The errors are those of 31.0. */
  readOnlyWallets?: boolean;
  /** Adds a long rescan to each restore and migration. */
  rescan?: Rescan;
  /** A login that works beside the cookie, as with `-rpcauth`. */
  login?: { user: string; password: string };
  /** Replaces the recorded warnings of `restorewallet`. */
  restoreWarnings?: readonly string[];
  /** A migration leaves another wallet on the disk, like a node that loses keys as it converts them. */
  losesOnMigration?: boolean;
  /** The node's own warnings, in `getnetworkinfo`. */
  nodeWarnings?: readonly string[];
  /** The lowest block of a pruned node. */
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
