/** The facts behind the checks before a job, null for unknown ones, and the constructors of verdicts. */
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { Condition } from '../../../shared/model/conditions.ts';
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import type { FileFacts } from '../../../shared/model/files.ts';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { WalletRename } from '../../../shared/model/job.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Check, CheckId, Interruption, RescueFacts } from '../../../shared/model/safety.ts';
import type { OldPassphrase } from '../../../shared/model/walletBackups.ts';
import type { BlockFacts, Call } from '../../bitcoind/calls/call.ts';
import type { WalletInfo } from '../../bitcoind/calls/walletInfo.ts';
import type { LoadState } from '../../bitcoind/calls/wallets.ts';
import { OWNER_ONLY } from '../../files/copySafely.ts';
import type { SharedFolder } from '../../files/sharedFolder.ts';
import type { RescueRequest } from '../../workers/repairRequest.ts';
import type { TriedPassphrase } from '../../workers/rescueFile.ts';
import type { CopyPlan } from '../safetyCopies/copyWallet.ts';

/** The content of a wallet's file, or why it could not be read. */
export type FileInspection =
  | {
      readonly state: 'read';
      readonly inspection: Inspection;
      /** The file's hash in lower-case hex; null if the node has it open, because the app then reads a copy that the node wrote. */
      readonly sha256: string | null;
      /** Whether it is the hash of the file joined with its journal. The file alone is then another wallet. */
      readonly recovered?: boolean | undefined;
      /** What a rescue could save, if the plan asked for one. */
      readonly rescue?: RescueFacts | undefined;
      readonly opened?: TriedPassphrase['opened'];
    }
  | { readonly state: 'unreadable'; readonly error: AppErrorShape }
  /** The file is on another machine or in an unknown folder. */
  | { readonly state: 'out-of-reach' };

export const OUT_OF_REACH: FileInspection = { state: 'out-of-reach' };

export function contentsOf(fileInspection: FileInspection): Inspection | null {
  return fileInspection.state === 'read' ? fileInspection.inspection : null;
}

/** Whether the app joined the file with its journal. */
export function isJoinedWithJournal(fileInspection: FileInspection): boolean {
  return fileInspection.state === 'read' && fileInspection.recovered === true;
}

/** Whether the wallet is encrypted, by its file; null: unknown. */
export function encryptionOf(fileInspection: FileInspection): boolean | null {
  const contents = contentsOf(fileInspection);
  return contents && contents.encryption !== null;
}

export interface Space {
  /** Bytes of the wallet's file. */
  readonly size: number;
  /** Bytes of the other wallets that the app copies along with it. */
  readonly otherWalletsSize: number;
  /** Bytes free on the disk of the wallets folder and on that of the app's copies. */
  readonly free: number | null;
  readonly freeForCopies: number | null;
  readonly oneDisk: boolean;
}

/** The node's chain, compared with the wallet's last known block. */
export interface ChainFacts {
  /** Height and time (Unix seconds) of the newest block that the wallet knew; null: unknown to the node. */
  readonly lastBlock: BlockFacts | null;
  /** Seconds since 1970 of the lowest block that a pruned node still has. */
  readonly pruneTime: number | null;
  /** Height and time of the assumeutxo snapshot below which the node still lacks blocks; null without one. */
  readonly snapshot: BlockFacts | null;
  /** Seconds since 1970, now. */
  readonly now: number;
}

/** The facts that a migration and a restore share. */
export interface CommonFacts {
  readonly status: NodeStatus;
  /** Name of the wallet that the job changes or creates. */
  readonly name: string;
  readonly onDisk: readonly string[];
  readonly loaded: readonly string[];
  /** Companion names that the node or engine cannot use, because a file or folder has them. */
  readonly blockedCompanions: readonly string[];
  /** The folder that the job writes to, and its node perhaps cannot. Null also if unknown. */
  readonly unwritable: string | null;
  /** Whether the engine changes wallets in a folder where the app may not see that another program has them open. */
  readonly mayHideUse: boolean;
  readonly fileInspection: FileInspection;
  readonly space: Space | null;
  readonly chain: ChainFacts;
}

export interface MigrationFacts extends CommonFacts {
  /** The node's `getwalletinfo`; null if the wallet is not loaded. */
  readonly info: WalletInfo | null;
  /** Calls that were sent to the node to read the file. */
  readonly sent: readonly Call[];
  readonly copy: CopyPlan;
  /** Whether a process other than the node in use has the file open. Null, or `perhaps` by `mayBeOpen`, if the system does not show it. */
  readonly openElsewhere: boolean | 'perhaps' | null;
  /** Whether a link leads to the file, which the offline engine does not follow. */
  readonly isLinked: boolean;
}

export interface MigratedFacts {
  /** Satoshi of their coins that the old wallet cannot see; null if unknown. */
  readonly newCoins: bigint | null;
  /** Whether another program than the node in use has one of their files open; `perhaps` by `mayBeOpen`. */
  readonly openElsewhere: boolean | 'perhaps';
  /** Whether a link leads to one of them. The engine, which alone renames wallets, follows none. */
  readonly isLinked: boolean;
}

export interface RestoreFacts extends CommonFacts {
  readonly backupFile: string;
  /** Whether the job undoes a migration. */
  readonly undoes: boolean;
  /** The interruption, if the job puts the wallet back; else null. */
  readonly putsBack: Interruption | null;
  /** How to read the file for a rescue; else null. */
  readonly rescue: RescueRequest | null;
  /** Inode, size and times of the file when it was read; null if it was not. */
  readonly stats: BigIntStats | null;
  /** Facts from the file's header; null for a file on the node's machine. */
  readonly file: FileFacts | null;
  /** Whether a program has it open; `perhaps` by `mayBeOpen`. */
  readonly isOpen: boolean | 'perhaps';
  /** Why the file could not be opened. */
  readonly fileError: AppErrorShape | null;
  /** Wallets to rename first: results of its migration or incomplete ones, with their new names. */
  readonly renames: readonly WalletRename[];
  readonly backupAfterRenames: string;
  /** For an undo: facts of the migrated wallets that it renames; null without any. */
  readonly migrated: MigratedFacts | null;
  /** For an undo or a put-back: how the passphrase of the backup differs from that of the wallets that it replaces. */
  readonly oldPassphrase: OldPassphrase | null;
  /** The path of the file or folder with the wallet's name in the wallets folder, a wallet or not. Null: none, or unknown. */
  readonly blockingPath: string | null;
  /** The app's new folder for its copy; null if the app cannot see the file. */
  readonly copyFolder: string | null;
  /** Whether the node's user certainly cannot read the file and the app's copies. */
  readonly unreadableByNode: { readonly file: boolean; readonly copies: boolean };
  /** How another user of this computer can change the wallets folder; null if nobody can, or if unknown. */
  readonly sharedFolder: SharedFolder | null;
  /** Whether other users may be able to read the wallets folder: see `othersMayRead`. */
  readonly othersMayRead: boolean;
  /** See `FactsDeps`. */
  readonly walletElsewhere: string | null;
}

/** Whether the rescue saves a descriptor wallet. The node then restores it without a migration. */
export function rescuesDescriptorWallet({
  rescue,
  fileInspection,
}: Pick<RestoreFacts, 'rescue' | 'fileInspection'>): boolean {
  return rescue !== null && contentsOf(fileInspection)?.kind === 'descriptor';
}

/**
 * The copy that the node gets instead of the file: of a file with a journal, because a node copies one file only, or of a
 * read-only file, because the wallet would get the same permissions. Null if the node can use the file, or the app cannot write a copy.
 */
export function copyForNode(facts: RestoreFacts): string | null {
  const { fileInspection, rescue, copyFolder } = facts;
  const isNeeded = rescue === null && (isJoinedWithJournal(fileInspection) || isReadOnly(facts));
  return isNeeded && copyFolder !== null ? join(copyFolder, 'wallet.dat') : null;
}

/** Whether its owner lacks read or write permission. A node copies the permissions to the new wallet. */
function isReadOnly({ stats, status }: RestoreFacts): boolean {
  return !status.offline && stats !== null && (Number(stats.mode) & OWNER_ONLY) !== OWNER_ONLY;
}

export interface BackupFacts {
  readonly status: NodeStatus;
  readonly name: string;
  /** Names in the wallets folder; null if the node does not list them. */
  readonly onDisk: readonly string[] | null;
  readonly loaded: readonly string[];
  /** Whether the wallet is not loaded and this release cannot load it. */
  readonly cannotBeLoaded: boolean;
  /** Whether it is not loaded, but its file is open: by another program, or by the node under another name. */
  readonly openElsewhere: boolean;
  /** The size of its file in bytes; 0 if the app cannot see it. */
  readonly size: number;
  /** The closed file, which the app copies; null if the app cannot read it, or a node has it open. */
  readonly file: string | null;
  readonly fileInspection: FileInspection;
  readonly isInterrupted: boolean;
  /** Whether an interrupted wallet was put back under another name. */
  readonly isKept: boolean;
  /** The full path that the user chose for the new backup; empty before that. */
  readonly destination: string;
  /** The same path through the real path of its folder, as the node gets it; null if the app cannot see the folder. */
  readonly newBackup: string | null;
  /** Whether the destination is in the wallet's own folder, or else in that of all wallets. */
  readonly beside: 'wallet' | 'wallets' | null;
  /** Why nothing can be written there; null if it can, or if the app cannot see the folder. */
  readonly destinationError: AppErrorShape | null;
  /** Whether the node's user cannot write there, as far as the app sees. */
  readonly isRefusedToNode: boolean;
  /** Whether other users may be able to read the new backup: see `othersMayRead`. */
  readonly othersMayRead: boolean;
}

export interface RescanFacts {
  readonly status: NodeStatus;
  readonly name: string;
  readonly loadState: LoadState;
  /** The wallets that exist, if this one is missing. */
  readonly existingWallets: readonly string[];
  /** The node's `getwalletinfo`; null if the wallet is not loaded. */
  readonly info: WalletInfo | null;
  /** Null if unknown. */
  readonly encrypted: boolean | null;
  /** What its file knows; null if it was not read. */
  readonly heldInFile: { readonly balance: bigint; readonly transactions: number } | null;
  /** Conditions in its file that crash a node when it loads the wallet or answers `getbalances`. */
  readonly crashConditions: readonly Condition[];
  /** The file or folder of an unloaded wallet, if the node perhaps cannot write to it. Null also if unknown. */
  readonly unwritable: string | null;
  /** The lowest block from which the node has all, with its time in Unix seconds. Null: it has all, or unknown. */
  readonly lowest: { readonly height: number | null; readonly time: number | null };
  /** Height of the first block to scan. */
  readonly from: number;
}

/** Everything a plan is built from, for each kind of job. */
export type PlanFacts =
  | (RestoreFacts & { readonly kind: 'restore' | 'rescue' })
  | (RestoreFacts & {
      readonly kind: 'restore-migrate';
      /** The unnamed wallet whose copy is migrated under a new name; null for a file. */
      readonly unnamed: MigrationFacts | null;
    })
  | (MigrationFacts & { readonly kind: 'migrate' })
  | (BackupFacts & { readonly kind: 'backup' })
  | (RescanFacts & { readonly kind: 'rescan' });

type Words = Partial<Pick<Check, 'text' | 'todo'>>;

const checkOf =
  (verdict: Check['verdict']) =>
  (id: CheckId, title: string, { text = [], todo = [] }: Words = {}): Check => {
    return { id, verdict, title, text, todo };
  };

export const fine = checkOf('fine');
export const warning = checkOf('warning');
export const unseen = checkOf('unseen');
export const blocker = checkOf('blocker');

/** Keeps what the rescue saves with the passphrase. Other facts stay as they are. */
export function withOpened<F extends PlanFacts>(facts: F, opened: TriedPassphrase['opened']): F {
  if (!('rescue' in facts) || facts.fileInspection.state !== 'read') return facts;
  return { ...facts, fileInspection: { ...facts.fileInspection, opened } };
}

/** The facts of a rescue with the passphrase, if a right one was tried; others as they are. */
export function openedFacts(facts: PlanFacts): PlanFacts {
  if (!('rescue' in facts) || facts.fileInspection.state !== 'read') return facts;
  return { ...facts, fileInspection: { ...facts.fileInspection, ...facts.fileInspection.opened } };
}

/** How a plan’s file is rescued; undefined if it is not. */
export function rescueRequestOf(facts: PlanFacts): RescueRequest | undefined {
  return 'rescue' in facts ? (facts.rescue ?? undefined) : undefined;
}
