/** Finds and proves a node's wallets folder on this machine. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMisread } from '../../../shared/model/names/walletName.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { Listener, NodeStart } from '../../../shared/model/node.ts';
import { orNullAfter } from '../../files/concurrency.ts';
import { isLocked } from '../../files/lock/fileInUse.ts';
import { existsAs, isNetworkPath, realPath } from '../../files/openFile.ts';
import { chainParameters } from '../../walletfile/script/address.ts';
import { logOwner, readLoggedStart } from '../log/nodeLog.ts';
import type { NodeClient } from '../rpc/session.ts';
import { listWalletDir } from './walletCalls.ts';
import { mayBeListed, sleptMs, walletFilePath } from './walletsFolder.ts';

/**
 * The wallets folder of a node without `-walletdir`: `wallets` in its chain folder if that exists, else the chain
 * folder itself.
 */
export async function guessWalletsFolder(chainFolder: string): Promise<string> {
  const subfolder = join(chainFolder, 'wallets');
  return (await existsAs(subfolder, 'folder')) ? subfolder : chainFolder;
}

/**
 * The wallets folder of a node on this machine, or null if it is uncertain. Candidates are the folder that the log
 * names, `chosen`, and the default in the chain folder, which is the log's folder. The proof is that every wallet the
 * node lists is there. Prove it again before writing: the node may have restarted with another folder. A wallet that
 * appears or disappears between the list and the check of its file proves nothing: then the new list counts. `start`: when the node
 * started; the folders beside a log of another run, as `isLogOfRun` finds out, do not count.
 *
 * `chosen`: a folder that `probeWalletsFolder` proved. Throws what `listwalletdir` throws.
 */
export async function proveWalletsFolder(
  client: NodeClient,
  logPath: string | null,
  { chosen = null, start, signal }: ProofOptions = {},
): Promise<string | null> {
  const isOther = logPath !== null && start && !(await isLogOfRun(logPath, client.listener(), start));
  const candidates = await candidateFolders(client, isOther ? null : logPath, chosen);
  if (candidates.length === 0) return null;
  const list = async () => (await listWalletDir(client, signal)).map(({ name }) => name);
  const names = await list();
  const folder = await firstMatching(candidates, names);
  if (folder !== null) return folder;
  const now = await list();
  const isSame = now.length === names.length && now.every((name) => names.includes(name));
  return isSame ? null : firstMatching(candidates, now);
}

interface ProofOptions {
  readonly chosen?: string | null;
  readonly start?: NodeStart;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether the log of this machine can be that of the node's run: its last start is the node's, or a running program holds the lock of
 * its folder. Behind a tunnel, a node may name a path where this machine has the log of a node that it had once.
 */
export async function isLogOfRun(
  logPath: string,
  listener: Listener | null,
  { started }: NodeStart,
): Promise<boolean> {
  if (started === null || isLocked(join(dirname(logPath), '.lock'))) return true;
  const earliest = started - (START_TOLERANCE_MS + sleptMs()) / 1000;
  const logged = (await readLoggedStart(logPath, logOwner(listener)))?.time ?? null;
  if (logged !== null) return logged >= earliest && logged <= started + START_TOLERANCE_MS / 1000;
  const facts = await stat(logPath).catch(() => null);
  return facts !== null && facts.mtimeMs / 1000 >= earliest;
}

/** From a node's start to the line in its log. */
const START_TOLERANCE_MS = 60_000;

/** `fitsEmptyList`: whether the folder counts if the node lists no wallet, which proves nothing by itself. */
interface Candidate {
  readonly folder: string;
  readonly fitsEmptyList: boolean;
}

async function candidateFolders(
  client: NodeClient,
  logPath: string | null,
  chosen: string | null,
): Promise<Candidate[]> {
  const candidates = chosen === null ? [] : [{ folder: chosen, fitsEmptyList: true }];
  if (logPath === null) return candidates;
  const chainFolder = dirname(logPath);
  const guess = await guessWalletsFolder(chainFolder);
  const logged = (await readLoggedStart(logPath, logOwner(client.listener())))?.folder ?? null;
  if (logged === null) {
    // A node creates `wallets` in its chain folder at its first start, and uses it unless -walletdir says otherwise.
    return [...candidates, { folder: guess, fitsEmptyList: guess !== chainFolder }];
  }
  // A node whose log names another folder does not use the default.
  const isDefault = await isSameFolder(logged, chainFolder);
  if (!isDefault || guess === chainFolder) return [{ folder: logged, fitsEmptyList: true }, ...candidates];
  // Without -walletdir a node uses `wallets` as soon as somebody creates it, whatever it logged at its start
  // (GetWalletDir of walletutil.cpp).
  return [{ folder: logged, fitsEmptyList: false }, ...candidates, { folder: guess, fitsEmptyList: false }];
}

async function firstMatching(
  candidates: readonly Candidate[],
  names: readonly string[],
): Promise<string | null> {
  for (const { folder, fitsEmptyList } of candidates) {
    if ((names.length > 0 || fitsEmptyList) && (await matchesList(folder, names))) return folder;
  }
  return null;
}

/** Compares the folders after resolving links. */
async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((folder) => realPath(folder).catch(() => folder)));
  return a === b;
}

/**
 * Whether the node lists this folder: it lists no wallet that is missing here, and an empty list fits only a folder
 * without wallets.
 */
async function matchesList(folder: string, names: readonly string[]): Promise<boolean> {
  if (!(await existsAs(folder, 'folder'))) return false;
  if (names.length === 0) return !(await containsWallets(folder));
  const found = await Promise.all(names.map((name) => isIn(folder, name)));
  return !found.includes(false);
}

async function isIn(folder: string, name: string): Promise<boolean> {
  if ((await walletFilePath(folder, name)) !== null) return true;
  const parts = name.split('/');
  const at = parts.findIndex(isMisread);
  const beside = join(folder, ...parts.slice(0, Math.max(0, at)));
  const entries = await readdir(beside).catch((): string[] => []);
  return entries.includes(parts[at] ?? '');
}

/**
 * The first of these folders that the node proves to be its wallets folder: it has every wallet that the node lists, and then the node
 * lists the app's own empty file in it. Null if none is. Throws what `listwalletdir` throws.
 */
export async function findProbedFolder(
  client: NodeClient,
  folders: readonly string[],
  network: Network,
): Promise<string | null> {
  if (folders.length === 0) return null;
  const names = (await listWalletDir(client)).map(({ name }) => name);
  for (const folder of new Set(folders)) {
    if (isNetworkPath(folder) || !(await orNullAfter(matchesList(folder, names), MAX_LOOK_MS))) continue;
    if (await probeWalletsFolder(client, folder, network).catch(() => false)) return folder;
  }
  return null;
}

/** The file system of a disk or server that is gone may never answer. */
const MAX_LOOK_MS = 1000;

/**
 * Whether this is the node's wallets folder. Briefly puts an empty file that looks like a wallet there, under a
 * unique name, and checks whether the node lists it. Throws what the file system and `listwalletdir` throw.
 */
export async function probeWalletsFolder(
  client: NodeClient,
  folder: string,
  network: Network,
): Promise<boolean> {
  const probe = emptyDatabase(network);
  const fileIn = (name: string) => join(folder, name, 'wallet.dat');
  // By name, so that nothing else is removed.
  const remove = async (name: string) => {
    await unlink(fileIn(name)).catch(() => undefined);
    await rmdir(join(folder, name)).catch(() => undefined);
  };
  // A crash leaves one, which every node would list for ever. Another window of the app may be using a new one.
  for (const left of (await readdir(folder)).filter((each) => PROBE_NAME.test(each))) {
    const stats = await lstat(fileIn(left)).catch(() => null);
    if (stats?.size !== probe.length || Date.now() - stats.mtimeMs < MAX_PROBE_MS) continue;
    const content = await readFile(fileIn(left)).catch(() => null);
    if (content?.equals(probe)) await remove(left);
  }
  const name = `wallet-ferry-${randomBytes(8).toString('hex')}`;
  await mkdir(join(folder, name), { mode: 0o700 });
  try {
    await writeFile(fileIn(name), probe, { mode: 0o600, flag: 'wx' });
    return (await listWalletDir(client)).some((wallet) => wallet.name === name);
  } finally {
    await remove(name);
  }
}

/** A probe takes one call of the node. */
const MAX_PROBE_MS = 60_000;
const PROBE_NAME = /^wallet-ferry-[0-9a-f]{16}$/;

/**
 * The least that a node lists as a wallet (`IsSQLiteFile` of `db.cpp`): 512 bytes with SQLite's magic and the
 * network's application id.
 */
function emptyDatabase(network: Network): Uint8Array {
  const bytes = Buffer.alloc(512);
  bytes.write('SQLite format 3\0', 0, 'latin1');
  bytes.writeUInt32BE(chainParameters[network].magic, 68);
  return bytes;
}

/** Whether a node would list a wallet in the folder. It does not list all that a killed node can leave. */
export async function containsWallets(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  for (const name of ['', ...entries]) {
    const file = await walletFilePath(join(folder, name), '');
    if (file !== null && (await mayBeListed(file))) return true;
  }
  return false;
}
