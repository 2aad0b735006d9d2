/** Reads a mutated file in every way that the app reads wallet files. Throws if a reader does what no reader may do. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod/mini';
import { openWallet } from '../../electron/engine/view/openWallet.ts';
import { replayLogs } from '../../electron/recovery/logReplay/replayLogs.ts';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { recoverSqlite } from '../../electron/walletfile/database/recoverSqlite.ts';
import { readSqlite, writeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { inspect } from '../../electron/walletfile/inspect/inspect.ts';
import { migrateWallet } from '../../electron/walletfile/migrate/migrateWallet.ts';
import { AppError } from '../../shared/model/errors.ts';
import { inspection } from '../../shared/model/inspection.ts';
import { type Companion, withChecksums } from './companion.ts';
import { editBytes, editRecords, type Mutation } from './mutation.ts';

/** A file that mutations are made of. */
export interface Original {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A file beside it, which is then mutated in its place. */
  readonly companion?: Companion;
  readonly passphrase?: string | undefined;
  /** Its records; null for a file that is not read, and for one with a companion. */
  readonly records: readonly RawRecord[] | null;
}

export interface Trial {
  readonly mutation: Mutation;
  /** Whether the trial tries the passphrase, and whether it migrates the wallet: both take long. */
  readonly passphrase: boolean;
  readonly migrate: boolean;
  /** Whether the checksums of a mutated companion are made right again. */
  readonly checksums: boolean;
}

/** The outcome in a word or two, to be counted. Throws for an error that no reader may throw. */
export async function runTrial(original: Original, trial: Trial): Promise<string> {
  if (original.companion) return runWithCompanion(original.bytes, original.companion, trial);
  const bytes = await mutated(original, trial.mutation);
  const passphrase = trial.passphrase ? original.passphrase : undefined;
  const inspected = await outcomeOf('inspect', ['not_a_wallet'], async () => {
    const reading = inspect(bytes, { passphrase, now: 1_800_000_000 });
    const found = await Promise.race([reading, setTimeout(GIVEN_UP_MILLISECONDS, null, { ref: false })]);
    if (found === null) return 'given up';
    // As the page receives it.
    z.encode(inspection, found);
    return found.problems.some(({ lost }) => lost) ? 'with losses' : 'whole';
  });
  await outcomeOf('strict reading', ['not_a_wallet'], async () => {
    if (bytes[0] === 0x53) await readSqlite(bytes);
    else readBerkeley(bytes);
    return 'whole';
  });
  if (!trial.migrate) return inspected;
  const codes = ['not_a_wallet', 'wallet_error', 'wallet_unlock_needed', 'wrong_passphrase'];
  const migrated = await outcomeOf('migration', codes, async () => {
    const secret = passphrase === undefined ? {} : { passphrase };
    const task = { bytes, network: 'regtest', name: 'm', now: 1_800_000_000, keypoolSize: 2 } as const;
    const { primary, watchonly, solvables } = await migrateWallet({ ...task, ...secret });
    // The new wallets must load, whatever was wrong with the old one.
    for (const wallet of [primary, watchonly, solvables]) {
      if (wallet) await loaded(wallet.bytes);
    }
    return 'done';
  });
  return `${inspected}, migration ${migrated}`;
}

async function runWithCompanion(
  wallet: Uint8Array,
  { kind, bytes }: Companion,
  { mutation, checksums }: Trial,
): Promise<string> {
  const hash = sha256(wallet);
  const edited = editBytes(bytes, mutation.bytes);
  const companion = checksums ? withChecksums({ kind, bytes: edited }) : edited;
  const outcome = await outcomeOf(kind, ['bad_input'], async () => {
    if (kind === 'log') {
      const replayed = replayLogs(wallet, [{ name: 'log.0000000001', bytes: companion }]);
      return `replayed, ${await readAgain(replayed.bytes)}`;
    }
    const beside = { journal: null, wal: null, [kind]: companion };
    const { bytes: recovered, [kind]: verdict } = await recoverSqlite(wallet, beside, () => false);
    return verdict === 'used' || verdict === 'damaged'
      ? `${verdict}, ${await readAgain(recovered)}`
      : verdict;
  });
  if (sha256(wallet) !== hash) throw new Error(`reading the ${kind} changed the wallet's own bytes`);
  return `${kind} ${outcome}`;
}

/** Inspects a wallet that a companion completed. */
function readAgain(bytes: Uint8Array): Promise<string> {
  return outcomeOf('inspect', ['not_a_wallet'], async () => {
    const { problems } = await inspect(bytes, { now: 1_800_000_000 });
    return problems.some(({ lost }) => lost) ? 'with losses' : 'whole';
  });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function loaded(bytes: Uint8Array): Promise<void> {
  try {
    await openWallet({ bytes, kind: 'sqlite', network: 'regtest' });
  } catch (error) {
    throw new Error(`the new wallet cannot be loaded: ${error instanceof Error ? error.message : error}`);
  }
}

/** The trial stops waiting for a reading after this time, as the app does when it ends the thread. */
const GIVEN_UP_MILLISECONDS = 3000;

/** The mutated file: the companion if the original has one. */
export async function mutated(original: Original, { records, bytes }: Mutation): Promise<Uint8Array> {
  if (original.companion) return editBytes(original.companion.bytes, bytes);
  if (records.length === 0 || !original.records) return editBytes(original.bytes, bytes);
  const changed = unique(editRecords(original.records, records));
  const isSqlite = original.bytes[0] === 0x53;
  return editBytes(isSqlite ? await writeSqlite(changed, 'regtest') : writeBerkeley(changed), bytes);
}

/** Sorts records by key and drops duplicates, which no file can have. */
function unique(records: readonly RawRecord[]): RawRecord[] {
  const byKey = new Map(records.map((record) => [Buffer.from(record.key).toString('latin1'), record]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
}

async function outcomeOf(
  what: string,
  codes: readonly string[],
  work: () => Promise<string>,
): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return error.code;
    const words = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
    throw new Error(`${what} ended with ${error instanceof AppError ? `code ${error.code} ` : ''}${words}`);
  }
}
