/** Migrates a legacy wallet with `migratewallet`, as it was planned, and tells what came of it. */
import { existsSync } from 'node:fs';
import { AppError } from '../../shared/model/errors.ts';
import type { MigrationResult } from '../../shared/model/job.ts';
import { say } from '../../shared/wording/say.ts';
import {
  leavesUnloaded,
  loadCall,
  type MigrateResult,
  parseMigrateResult,
} from '../bitcoind/calls/walletCalls.ts';
import type { Session } from '../bitcoind/rpc/session.ts';
import { isNetworkPath } from '../files/isNetworkPath.ts';
import { isThere } from '../files/isThere.ts';
import { type CompanionPart, companionNames } from '../walletfile/migrate/companionNames.ts';
import type { Continuation, Course, Ending, Evidence, Means } from './course.ts';
import { paymentsFound } from './paymentsFound.ts';
import { type CommonFacts, encryptionOf, type MigrationFacts } from './plan/checkFacts.ts';
import type { MemoryOf, MigrationMemory } from './plan/memory.ts';
import type { Prover } from './proof/proof.ts';
import { wholeBalance } from './proof/proveBalance.ts';

export function migrate(facts: MigrationFacts, means: Means): Course<MigrateResult> {
  const { name, status, copy, info, looked } = facts;
  const calls = means.calls.slice(copy.calls.length);
  let wasUnloaded = false;
  const memory: MemoryOf<'migrate'> = {
    kind: 'migrate',
    ...beforeMigration(facts, means),
    encrypted: info?.encrypted ?? encryptionOf(looked),
    before: null,
  };
  return {
    ...migrationCourse(memory, { ...means, calls }),
    async prepare({ session, signal, show }) {
      // That it cannot be told is no reason not to migrate.
      if (info !== null) memory.balanceBefore = await wholeBalance(session.client, name, signal);
      if (copy.way === 'cannot') return;
      const made = await means.copies.ofWallet(session, name, copy, signal);
      wasUnloaded = copy.way === 'backupwallet' && made.how === 'copied';
      // Other files are of its companions.
      const [own] = made.files;
      memory.before = own && own.sha256 !== null ? own.path : null;
      show({ safetyCopy: made });
    },
    calls: () =>
      wasUnloaded && status.release.migrates === 'unlock-first' ? [loadCall(name), ...calls] : calls,
  };
}

/** What the courses of all that end in a migration have in common. */
export function migrationCourse(memory: MigrationMemory, { prover, calls }: Means): Course<MigrateResult> {
  const unloaded = leavesUnloaded(calls) ? { leftUnloaded: true as const } : {};
  return {
    ...continueMigration(memory, prover),
    calls: () => calls,
    parse: parseMigrateResult,
    conclude: (session, answer) => concludeOn(session, memory, { ...answer, ...unloaded }),
  };
}

/** What is remembered of the wallet that is migrated, as far as the plan tells it. */
export function beforeMigration({ name, loaded, onDisk, looked }: CommonFacts, { gavePassphrase }: Means) {
  return {
    name,
    loadedBefore: [...loaded],
    onDiskBefore: [...onDisk],
    gavePassphrase,
    encrypted: encryptionOf(looked),
    balanceBefore: null,
  };
}

/** A migration whose answer is not known: what came of it is told by what the node and the disk show. */
export function continueMigration(memory: MigrationMemory, prover: Prover): Continuation {
  return {
    memory,
    method: 'migratewallet',
    explain: (error, evidence) => explainMigration(error, evidence, memory),
    async prove(session, result, signal) {
      return result.kind === 'migrate' ? prover(session, memory, result, signal) : null;
    },
  };
}

/** The same of wallets that the node has loaded, with the payments that it found for the main one. */
export async function concludeOn(
  session: Session,
  memory: MigrationMemory,
  answer: FoundMigration,
): Promise<Ending> {
  const [ending, payments] = await Promise.all([
    concludeMigration(memory, answer, session.status.local),
    paymentsFound(session, answer.walletName),
  ]);
  return ending.state === 'done' ? { ...ending, result: { ...ending.result, ...payments } } : ending;
}

/** An answer may name a further wallet as the main one, where none is left to spend with: it is named as both. */
export async function concludeMigration(
  memory: MigrationMemory,
  answer: FoundMigration,
  local: boolean,
): Promise<Ending> {
  const { walletName, backupPath } = answer;
  const rescue = memory.kind === 'rescue' ? memory.rescue : null;
  const isMain = (part: CompanionPart) => companionNames(memory.name, [part]).includes(walletName);
  const watchonlyName = answer.watchonlyName ?? (isMain('watchonly') ? walletName : null);
  const solvablesName = answer.solvablesName ?? (isMain('solvables') ? walletName : null);
  const backupSeen =
    local && backupPath !== null && !isNetworkPath(backupPath) ? await isThere(backupPath, 'file') : null;
  return {
    state: 'done',
    result: {
      ...answer,
      kind: 'migrate',
      watchonlyName,
      solvablesName,
      backupSeen,
      ...('interrupted' in memory && memory.interrupted ? { setAside: memory.interrupted } : {}),
      ...(rescue === null ? {} : { rescue }),
    },
    warnings: [],
  };
}

type FoundMigration = Omit<MigrateResult, 'backupPath'> &
  Pick<MigrationResult, 'backupPath' | 'leftUnloaded'>;

/**
 * The node's refusal with what is known beside it. An encrypted wallet that was backed up and then not
 * converted was not unlocked: so every release from 25 to 31 was recorded with a wrong passphrase and with none.
 * Where the log cannot be read, that is only named as a possible cause.
 * The node answers -4 for everything: facts tell the cases apart, never its text.
 */
function explainMigration(
  error: AppError,
  { log, readable }: Evidence,
  { gavePassphrase, encrypted: knownBefore }: MigrationMemory,
): AppError {
  if (error.node?.code !== WALLET_ERROR) return error;
  if (!readable) {
    const cause = gavePassphrase
      ? say('The passphrase may be wrong.')
      : say('The passphrase may be missing.');
    return knownBefore === false ? error : withHint(error, cause);
  }
  if (log.backupPath === null) return error;
  // A node leaves the backup; the offline engine takes it back with all else.
  const backup = existsSync(log.backupPath)
    ? say('The node’s backup is at {path}.', { path: log.backupPath })
    : say('The node’s backup may still be there: {path}.', { path: log.backupPath });
  const isEncrypted = log.encrypted === true || knownBefore === true;
  if (!isEncrypted || log.phase !== 'backing-up') return withHint(error, backup);
  const nothing = `${say('Nothing was changed.')} ${backup}`;
  return gavePassphrase
    ? new AppError(
        'wrong_passphrase',
        say('The passphrase is wrong.'),
        `${nothing} ${say('Check capitals, spaces and keyboard layout. Tries are not limited.')}`,
        error.node,
      )
    : new AppError(
        'wallet_unlock_needed',
        say('The wallet is encrypted, and no passphrase was given.'),
        `${nothing} ${say('Try again with the passphrase.')}`,
        error.node,
      );
}

/** `RPC_WALLET_ERROR` of `src/rpc/protocol.h`. */
const WALLET_ERROR = -4;

function withHint({ code, message, hint, node }: AppError, more: string): AppError {
  return new AppError(code, message, `${hint} ${more}`, node);
}
