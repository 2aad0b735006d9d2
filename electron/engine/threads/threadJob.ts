/** Does one piece of work, in whichever thread it is called. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Network } from '../../../shared/network.ts';
import { flushFolder, moveFile, removeQuietly, writeWholeFile } from '../../disk/durableFile.ts';
import { type Unlocked, unlock } from '../../wallet/key/crypter.ts';
import { migrateWallet } from '../../wallet/migrate/migrateWallet.ts';
import { answerQuestion } from '../methods/questionTable.ts';
import { sha256Of } from '../migration/moves.ts';
import type { LoadedWallet } from '../view/loadedWallet.ts';
import { openWallet } from '../view/openWallet.ts';
import { type ListedWallet, listWalletDir } from '../wallets/walletDir.ts';
import {
  type AskedQuestion,
  factsOf,
  type MigratedWallets,
  type MigrationJob,
  type UnlockJob,
  type WalletBytes,
  type WalletFacts,
} from '../wallets/work.ts';
import { readShared, readSharedWallet } from './readShared.ts';

/** A wallet's bytes under the number that a thread knows them by. */
export interface NumberedWallet extends WalletBytes {
  readonly id: number;
}

interface Given {
  readonly read: { readonly path: string };
  readonly write: { readonly path: string; readonly bytes: Uint8Array };
  readonly copy: { readonly from: string; readonly to: string /** Beside `to`. */; readonly part: string };
  readonly holds: { readonly path: string; readonly bytes: Uint8Array };
  readonly list: { readonly folder: string; readonly network: Network };
  readonly open: { readonly wallet: NumberedWallet };
  /** The wallet comes along: a thread that does not know it yet opens it first. */
  readonly ask: { readonly wallet: NumberedWallet; readonly question: AskedQuestion };
  readonly migrate: MigrationJob;
  readonly unlock: UnlockJob;
}

export interface Results {
  readonly read: Uint8Array;
  readonly write: string;
  readonly copy: null;
  readonly holds: boolean;
  readonly list: readonly ListedWallet[];
  readonly open: WalletFacts;
  readonly ask: string;
  readonly migrate: MigratedWallets;
  readonly unlock: Unlocked;
}

export type JobKind = keyof Given;
export type Job<K extends JobKind = JobKind> = { readonly is: K; readonly given: Given[K] };

/** The wallets that are open in this thread, by their numbers. */
export type OpenHere = Map<number, Promise<LoadedWallet>>;

/** Throws what `FileWork` and `HeavyWork` say. */
export async function doJob<K extends JobKind>({ is, given }: Job<K>, open: OpenHere): Promise<Results[K]> {
  return work[is](given, open);
}

const work: { readonly [K in JobKind]: (given: Given[K], open: OpenHere) => Result<K> } = {
  read: ({ path }) => readSharedWallet(path),
  write: ({ path, bytes }) => {
    writeWholeFile(path, bytes);
    return sha256Of(bytes);
  },
  copy: ({ from, to, part }) => {
    writeWholeFile(part, readShared(from));
    try {
      moveFile(part, to);
    } catch (error) {
      removeQuietly(part);
      throw error;
    }
    flushFolder(dirname(to));
    return null;
  },
  holds: ({ path, bytes }) => holds(path, bytes),
  list: ({ folder, network }) => listWalletDir(folder, network),
  open: async ({ wallet }, open) => factsOf(await opened(wallet, open)),
  ask: async ({ wallet, question }, open) => answerQuestion(await opened(wallet, open), question),
  migrate: (job) => migrateWallet(job),
  unlock: ({ encryption, passphrase }) => unlock(encryption.masterKeys, encryption.sample, passphrase),
};

type Result<K extends JobKind> = Results[K] | Promise<Results[K]>;

function opened({ id, bytes, kind, network }: NumberedWallet, open: OpenHere): Promise<LoadedWallet> {
  const known = open.get(id);
  if (known) return known;
  const opening = openWallet(bytes, kind, network);
  open.set(id, opening);
  opening.catch(() => open.delete(id));
  return opening;
}

function holds(path: string, bytes: Uint8Array): boolean {
  try {
    if (statSync(path).size !== bytes.length) return false;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).equals(readShared(path));
  } catch {
    return false;
  }
}
