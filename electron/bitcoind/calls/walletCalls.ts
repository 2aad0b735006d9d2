/** Wallet calls and their results, in one shape for every release, and a copy that a node writes into a folder of the app. */
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod/mini';
import { AppError } from '../../../shared/model/errors.ts';
import { type Listener, type Release, ROOT_USER } from '../../../shared/model/node.ts';
import { convert, count, textUpTo } from '../../../shared/model/shapes.ts';
import { walletUnchanged } from '../../../shared/wording/findings/hints.ts';
import { slowestRescan } from '../../../shared/wording/journeyWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { fileError, systemCode } from '../../files/fileError.ts';
import { refuseSharedCopies } from '../../files/lock/refuseSharedFolder.ts';
import { realPath } from '../../files/openFile.ts';
import { type OpenFolder, openFolder } from '../../files/openFolder.ts';
import type { NodeClient, Session } from '../rpc/session.ts';
import { type Call, callReadOnly, createParser, defineReadCall, PASSPHRASE, send, text } from './call.ts';

/** Longer than any file system allows, and the most that the page accepts. */
const name = textUpTo(20_000);

/** A flood of warnings must not hide the rest of the answer. */
const MAX_WARNINGS = 1000;
const warnings = convert(z.array(text), (all) => all.slice(0, MAX_WARNINGS));

/** Releases before 25 return `warning`, later ones `warnings`, and 25 both with a setting. */
const warningFields = z.object({ warning: z.optional(text), warnings: z.optional(warnings) });

/** Every warning once, in order. A `warning` joins several with line breaks, and may be empty. */
function warningsOf({ warning, warnings = [] }: z.output<typeof warningFields>): string[] {
  const lines = warning === undefined || warnings.includes(warning) ? [] : warning.split('\n');
  const listed = new Set(warnings.flatMap((each) => [each, ...each.split('\n')]));
  return [...new Set([...warnings, ...lines.filter((line) => !listed.has(line))])].filter(
    (each) => each !== '',
  );
}

const loadResultShape = convert(z.extend(warningFields, { name }), ({ name, ...fields }) => ({
  name,
  warnings: warningsOf(fields),
}));

/** Far more than the page's list is designed for. */
const MAX_WALLETS = 50_000;

const migrateResultShape = convert(
  z.object({
    wallet_name: name,
    watchonly_name: z.optional(name),
    solvables_name: z.optional(name),
    backup_path: textUpTo(20_000),
  }),
  (migrated) => ({
    /** The main wallet. Its name differs from the one in the call if the legacy wallet was watch-only. */
    walletName: migrated.wallet_name,
    watchonlyName: migrated.watchonly_name ?? null,
    solvablesName: migrated.solvables_name ?? null,
    /** Path on the node's machine. It differs between releases: never construct it. */
    backupPath: migrated.backup_path,
  }),
);

interface RestoreRequest {
  readonly name: string;
  /** Path on the node's machine. */
  readonly backupFile: string;
  /** true: add to the startup-load list; false: remove; null: leave it as it is. */
  readonly loadOnStartup: boolean | null;
}

interface MigrateRequest {
  readonly name: string;
  readonly loaded: boolean;
  readonly withPassphrase: boolean;
  /** False leaves the new wallets unloaded. Only for releases that support `load_wallet`. */
  readonly loads: boolean;
}

export type LoadResult = z.output<typeof loadResultShape>;

export type MigrateResult = z.output<typeof migrateResultShape>;

/** The call that restores and loads a wallet. */
export function restoreCall({ name, backupFile, loadOnStartup }: RestoreRequest): Call {
  return {
    method: 'restorewallet',
    params: {
      wallet_name: name,
      backup_file: backupFile,
      ...(loadOnStartup === null ? {} : { load_on_startup: loadOnStartup }),
    },
  };
}

/**
 * The result of `restoreCall`, with the node's name and warnings. Release 23 returns a `warning` that may be empty,
 * release 25 either field, later ones only `warnings`.
 */
export const parseRestoreResult = createParser('restorewallet', loadResultShape);

/**
 * The calls that migrate a legacy wallet; none if the release cannot. On release 24.0 the wallet is loaded, and
 * unlocked if there is a passphrase, before `migratewallet` without arguments on the wallet's path.
 */
export function migrationCalls(
  { migrates }: Release,
  { name, loaded, withPassphrase, loads }: MigrateRequest,
): readonly Call[] {
  if (migrates === 'no') return [];
  if (migrates === 'yes') {
    const params: Call['params'] = {
      wallet_name: name,
      ...(withPassphrase ? { passphrase: PASSPHRASE } : {}),
      ...(loads ? {} : { load_wallet: false }),
    };
    return [{ method: 'migratewallet', params }];
  }
  // Otherwise the wallet stays unlocked for `FOR_MIGRATION`.
  const lock: Call = { ...lockCall(name), when: IF_IT_FAILS };
  return [
    ...(loaded ? [] : [loadCall(name)]),
    ...(withPassphrase ? [unlockCall(name, FOR_MIGRATION)] : []),
    { method: 'migratewallet', params: [], wallet: name },
    ...(withPassphrase ? [lock] : []),
  ];
}

/** Whether these calls leave the migrated wallets unloaded. */
export function leavesUnloaded(calls: readonly Call[]): boolean {
  return calls.some(({ params }) => 'load_wallet' in params && params.load_wallet === false);
}

function unlockCall(name: string, seconds: number): Call {
  return { method: 'walletpassphrase', params: [PASSPHRASE, seconds], wallet: name };
}

/** The call that locks an encrypted wallet again. */
export function lockCall(name: string): Call {
  return { method: 'walletlock', params: [], wallet: name };
}

/**
 * The calls that rescan a wallet from this height on. `to`: the last block that the node has. An encrypted wallet is unlocked
 * until the rescan ends: since release 25 the node refuses otherwise, and earlier releases derive no new keys.
 */
export function rescanCalls(
  name: string,
  {
    from,
    to,
    loaded,
    withPassphrase,
  }: { from: number; to: number; loaded: boolean; withPassphrase: boolean },
): readonly Call[] {
  return [
    ...(loaded ? [] : [loadCall(name)]),
    ...(withPassphrase ? [unlockCall(name, unlockSeconds(to - from))] : []),
    { method: 'rescanblockchain', params: { start_height: from }, wallet: name },
    ...(withPassphrase ? [{ ...lockCall(name), last: true } as const] : []),
  ];
}

/** Heights of the first and last block that was scanned; `to` is null if there was nothing to scan. */
export const parseRescanResult = createParser(
  'rescanblockchain',
  convert(
    z.object({ start_height: count, stop_height: z.nullable(count) }),
    ({ start_height: from, stop_height: to }) => ({ from, to }),
  ),
);

/** Aborts a running rescan. False if there is none. */
export function abortRescan(client: NodeClient, wallet: string): Promise<boolean> {
  return callReadOnly(client, 'abortrescan', z.boolean(), [], { wallet });
}

/** Seconds: long enough for the node to begin the migration, which unloads the wallet and its keys. */
const FOR_MIGRATION = 600;
const HOUR = 3600;
/**
 * The time for a rescan of this many blocks, in seconds: four times as long as on a slow disk, at least six hours, at most a week. If
 * it is up before, the node waits for the end of the rescan to lock the wallet, and answers nothing meanwhile, not even `abortrescan`
 * (measured on 29.3; see `walletpassphrase` and `m_relock_mutex`). The app locks the wallet earlier, unless it is closed.
 */
function unlockSeconds(blocks: number): number {
  return Math.min(7 * 24 * HOUR, Math.max(6 * HOUR, Math.round(4 * slowestRescan(blocks))));
}

/**
 * The call that writes a copy of a loaded wallet to a path on the node's machine. The node overwrites an existing
 * file.
 */
export function backupCall(name: string, destination: string): Call {
  return { method: 'backupwallet', params: [destination], wallet: name };
}

/** Only the offline engine has this call: it unloads a wallet and renames it. */
export function renameCall({ name, newName }: { readonly name: string; readonly newName: string }): Call {
  return { method: 'renamewallet', params: { wallet_name: name, new_name: newName } };
}

/** The calls that give the wallets their names back after a refusal, the last renamed first. */
export function renameBackCalls(renames: readonly Parameters<typeof renameCall>[0][]): Call[] {
  const back = renames.map(({ name, newName }, at): Call => {
    return { ...renameCall({ name: newName, newName: name }), when: IF_IT_FAILS, after: at + 1 };
  });
  return back.reverse();
}

const IF_IT_FAILS = say('If that fails.');

export function loadCall(name: string): Call {
  return { method: 'loadwallet', params: [name] };
}

/** Resolves when the wallet has caught up with the chain, which may take hours. */
export async function loadWallet(client: NodeClient, name: string): Promise<LoadResult> {
  return parseLoadResult(client, await send(client, loadCall(name), { timeoutMs: null }));
}

const parseLoadResult = createParser('loadwallet', loadResultShape);

export function unloadCall(name: string): Call {
  return { method: 'unloadwallet', params: [name] };
}

export async function unloadWallet(
  client: NodeClient,
  name: string,
  signal?: AbortSignal,
): Promise<{ warnings: string[] }> {
  return parseUnloadResult(client, await send(client, unloadCall(name), { timeoutMs: null, signal }));
}

const parseUnloadResult = createParser(
  'unloadwallet',
  // Some releases return null if there is no warning.
  convert(z.nullable(warningFields), (fields) => ({ warnings: warningsOf(fields ?? {}) })),
);

/** Names of the loaded wallets; the unnamed one is the empty string. */
export const listWallets = defineReadCall('listwallets', z.array(name).check(z.maxLength(MAX_WALLETS)));

/** Every wallet in the node's wallets folder. Release 28 and later may add warnings. */
export const listWalletDir = defineReadCall(
  'listwalletdir',
  convert(
    z.object({ wallets: z.array(loadResultShape).check(z.maxLength(MAX_WALLETS)) }),
    ({ wallets }) => wallets,
  ),
);

/** The result of the last of `migrationCalls`. */
export const parseMigrateResult = createParser('migratewallet', migrateResultShape);

/**
 * Sends `call`, the `backupCall` for `destination`. The node follows links with its own user's permissions, so this function checks
 * the folder before and after the call. The file that the node wrote must be a regular file of this user or the
 * node's user, with no second name.
 *
 * @throws AppError `not_available_here`, with nothing sent, if others can change the folder; `file_changed` if the
 * node wrote something else; and what the node's call throws.
 */
export async function backupInto(
  { client }: Session,
  call: Call,
  destination: string,
  signal?: AbortSignal,
): Promise<void> {
  refuseSharedCopies(dirname(destination));
  await using folder = await realPath(dirname(destination))
    .then(openFolder)
    .catch((error) => {
      throw fileError(error, dirname(destination));
    });
  await send(client, call, { timeoutMs: null, signal });
  if (!(await isOwnFile(folder, basename(destination), client.listener())))
    throw new AppError(
      'file_changed',
      say('{path} is not the node’s copy.', { path: destination }),
      walletUnchanged(say('Others may have its keys. Check who can write to the folder.')),
    );
  refuseSharedCopies(dirname(destination));
}

/** True also if there is no file: a node in a container writes to its own disk. */
async function isOwnFile(folder: OpenFolder, name: string, listener: Listener | null): Promise<boolean> {
  try {
    const facts = await lstat(await folder.at(name), { bigint: true });
    return facts.isFile() && facts.nlink === 1n && isTrustedOwner(facts, listener);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return false;
    // The file is missing only if the folder is still where it was.
    const path = await folder.at(name).catch(() => null);
    return path !== null;
  }
}

/** Only a node of this user or of the system can write into a folder that is this user's alone. */
function isTrustedOwner({ uid }: BigIntStats, listener: Listener | null): boolean {
  const user = process.getuid?.();
  return user === undefined || [user, ROOT_USER, listener?.user].includes(Number(uid));
}
