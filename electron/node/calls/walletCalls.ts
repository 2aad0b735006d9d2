/** The wallet calls of every release in one shape. */
import { AppError } from '../../../shared/errors.ts';
import type { Release } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { parsedResult } from '../rpc/parsedResult.ts';
import type { NodeClient } from '../rpc/session.ts';
import {
  type Balances,
  balancesOf,
  balancesOfInfo,
  balancesShape,
  loadedShape,
  migratedShape,
  walletDirShape,
  walletInfoShape,
  walletNamesShape,
  warningsOf,
  warningsShape,
} from './walletShapes.ts';

interface RestoreRequest {
  readonly name: string;
  /** A path that the node opens, on its own machine. */
  readonly backupFile: string;
  /** true: add to the startup-load list; false: remove; null: leave it as it is. */
  readonly loadOnStartup: boolean | null;
}

interface MigrateRequest {
  readonly name: string;
  /** Only for an encrypted wallet. */
  readonly passphrase?: string | undefined;
  /** Asked right before the passphrase goes out, over the connection that it goes over. Throws AppError to keep it back. */
  mayHave(line: NodeClient): Promise<void>;
}

export interface Loaded {
  readonly name: string;
  readonly warnings: string[];
}

export interface Migrated {
  /** The primary wallet; it can have another name than the one asked for when the legacy wallet only watched. */
  readonly walletName: string;
  readonly watchonlyName: string | null;
  readonly solvablesName: string | null;
  /** On the node's machine. Its place differs from release to release: never build it. */
  readonly backupPath: string;
}

export interface WalletInfo {
  readonly name: string;
  /** `sqlite` or `bdb`; null where the release does not tell. */
  readonly format: string | null;
  readonly descriptors: boolean;
  readonly encrypted: boolean;
  readonly privateKeys: boolean;
  /** Set while the wallet is being rescanned: seconds so far and the share done, 0 to 1. */
  readonly scanning: { readonly duration: number; readonly progress: number } | null;
  readonly txcount: number;
  /** Unix seconds; null before release 26, and for a wallet as old as the chain may be. */
  readonly birthTime: number | null;
  /** Null from release 30 on, where only `getbalances` tells. */
  readonly balances: Balances | null;
}

/**
 * Restores and loads a wallet; ends when its rescan ends. The name in the answer and every warning are the
 * node's. Release 23 gives a `warning` that may be empty, 25 either kind, later ones only `warnings`.
 */
export async function restoreWallet(
  client: NodeClient,
  { name, backupFile, loadOnStartup }: RestoreRequest,
  signal?: AbortSignal,
): Promise<Loaded> {
  const params = {
    wallet_name: name,
    backup_file: backupFile,
    ...(loadOnStartup === null ? {} : { load_on_startup: loadOnStartup }),
  };
  const result = await client.call('restorewallet', params, untilDone(signal));
  return loadedOf(client, 'restorewallet', result);
}

/**
 * Converts a legacy wallet; ends when the rescan of its parts ends. On release 24.0 the wallet is loaded, and
 * unlocked where a passphrase is given, before the call without arguments on the wallet's path.
 * Throws AppError `release_unsupported` where the release cannot migrate, and what `mayHave` throws.
 */
export async function migrateWallet(
  client: NodeClient,
  release: Release,
  { name, passphrase, mayHave }: MigrateRequest,
  signal?: AbortSignal,
): Promise<Migrated> {
  if (release.migrates === 'no') throw cannotMigrate(release);
  if (release.migrates === 'unlock-first')
    return migrateUnlocked(client, { name, passphrase, mayHave }, signal);
  if (passphrase === undefined) {
    return migratedOf(client, await client.call('migratewallet', { wallet_name: name }, untilDone(signal)));
  }
  const params = { wallet_name: name, passphrase };
  const result = await client.overOneLine(async (line) => {
    await mayHave(line);
    return line.call('migratewallet', params, untilDone(signal));
  });
  return migratedOf(client, result);
}

/** Writes a copy of a loaded wallet to a path on the node's machine. The node overwrites what is there. */
export async function backupWallet(
  client: NodeClient,
  name: string,
  destination: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.call('backupwallet', [destination], { ...untilDone(signal), wallet: name });
}

/** Ends when the wallet has caught up with the chain. */
export async function loadWallet(client: NodeClient, name: string, signal?: AbortSignal): Promise<Loaded> {
  return loadedOf(client, 'loadwallet', await client.call('loadwallet', [name], untilDone(signal)));
}

export async function unloadWallet(
  client: NodeClient,
  name: string,
  signal?: AbortSignal,
): Promise<{ warnings: string[] }> {
  const result = await client.call('unloadwallet', [name], untilDone(signal));
  // Some releases answer null where there is no warning.
  const shape = parsedResult(client, 'unloadwallet', warningsShape.nullable(), result);
  return { warnings: shape === null ? [] : warningsOf(shape) };
}

/** Names of the loaded wallets; the unnamed one is the empty string. */
export async function listWallets(client: NodeClient, signal?: AbortSignal): Promise<string[]> {
  return parsedResult(
    client,
    'listwallets',
    walletNamesShape,
    await client.call('listwallets', [], { signal }),
  );
}

/** Every wallet in the node's wallets folder. Release 28 and later can add warnings. */
export async function listWalletDir(client: NodeClient, signal?: AbortSignal): Promise<Loaded[]> {
  const result = await client.call('listwalletdir', [], { signal });
  const { wallets } = parsedResult(client, 'listwalletdir', walletDirShape, result);
  return wallets.map((wallet) => ({ name: wallet.name, warnings: warningsOf(wallet) }));
}

/** Of a loaded wallet. Throws AppError `wallet_not_found` while it is not, or not yet, loaded. */
export async function walletInfo(
  client: NodeClient,
  walletName: string,
  signal?: AbortSignal,
): Promise<WalletInfo> {
  const result = await client.call('getwalletinfo', [], { wallet: walletName, signal });
  const info = parsedResult(client, 'getwalletinfo', walletInfoShape, result);
  return {
    name: info.walletname,
    format: info.format ?? null,
    descriptors: info.descriptors ?? false,
    encrypted: info.unlocked_until !== undefined,
    privateKeys: info.private_keys_enabled ?? true,
    scanning: info.scanning || null,
    txcount: info.txcount,
    birthTime: info.birthtime ?? null,
    balances: balancesOfInfo(info),
  };
}

/** By `getbalances`, or by the fields of `getwalletinfo` where a release (before 0.19) has no such call. */
export async function walletBalances(
  client: NodeClient,
  walletName: string,
  signal?: AbortSignal,
): Promise<Balances> {
  const result = await client
    .call('getbalances', [], { wallet: walletName, signal })
    .catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'unknown_method') return null;
      throw thrown;
    });
  if (result !== null) return balancesOf(parsedResult(client, 'getbalances', balancesShape, result));
  const { balances } = await walletInfo(client, walletName, signal);
  return balances ?? { spendable: 0n, unconfirmed: 0n, immature: 0n, used: 0n, watched: null };
}

/** The node answers when it is done, be it hours later. */
function untilDone(signal: AbortSignal | undefined) {
  return { timeoutMs: null, signal };
}

function loadedOf(client: NodeClient, method: string, result: unknown): Loaded {
  const loaded = parsedResult(client, method, loadedShape, result);
  return { name: loaded.name, warnings: warningsOf(loaded) };
}

function migratedOf(client: NodeClient, result: unknown): Migrated {
  const migrated = parsedResult(client, 'migratewallet', migratedShape, result);
  return {
    walletName: migrated.wallet_name,
    watchonlyName: migrated.watchonly_name ?? null,
    solvablesName: migrated.solvables_name ?? null,
    backupPath: migrated.backup_path,
  };
}

/** Long enough for the node to begin; the migration unloads the wallet, and its keys with it. */
const UNLOCK_SECONDS = 600;

async function migrateUnlocked(
  client: NodeClient,
  { name, passphrase, mayHave }: MigrateRequest,
  signal: AbortSignal | undefined,
): Promise<Migrated> {
  if (!(await listWallets(client, signal)).includes(name)) await loadWallet(client, name, signal);
  if (passphrase !== undefined) {
    await client.overOneLine(async (line) => {
      await mayHave(line);
      await unlock(line, name, passphrase, signal);
    });
  }
  try {
    return migratedOf(client, await client.call('migratewallet', [], { ...untilDone(signal), wallet: name }));
  } catch (thrown) {
    // Only after the node's own answer: with the line cut the migration may still be at work.
    const answered = thrown instanceof AppError && thrown.node !== undefined;
    if (answered && passphrase !== undefined) await lock(client, name);
    throw thrown;
  }
}

async function unlock(
  client: NodeClient,
  wallet: string,
  passphrase: string,
  signal: AbortSignal | undefined,
) {
  try {
    await client.call('walletpassphrase', [passphrase, UNLOCK_SECONDS], { wallet, signal });
  } catch (thrown) {
    // A wallet without encryption needs no unlocking: as on later releases, the passphrase is then not used.
    if (!(thrown instanceof AppError && thrown.code === 'wallet_wrong_encryption_state')) throw thrown;
  }
}

/** The node locks it by itself after the time above; failing to do so earlier changes nothing. */
async function lock(client: NodeClient, wallet: string): Promise<void> {
  await client.call('walletlock', [], { wallet }).catch(() => undefined);
}

export function cannotMigrate(release: Release): AppError {
  return new AppError(
    'release_unsupported',
    say('A node of release {release} cannot migrate wallets.', { release: release.text }),
    say(
      'Nothing was sent to the node, and the wallet is as it was. Use a node of release 25 or later; 28 and later have been tried the most.',
    ),
  );
}
