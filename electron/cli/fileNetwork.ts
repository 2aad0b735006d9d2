/** The network of what a command is about, as the files tell it. */
import { readdir, stat } from 'node:fs/promises';
import type { WalletSource } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Network } from '../../shared/model/network.ts';
import { say } from '../../shared/wording/say.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import { isThere } from '../files/isThere.ts';
import type { Client } from './client.ts';

/** Those that it can be; null where nothing tells. `no-wallet`: it is on none. */
export type NetworksFound = readonly Network[] | null | 'no-wallet';

/** Of a wallet file in any state. What cannot be read as a wallet has none: the plan says what it is. */
export async function networksOfFile(client: Client, path: string): Promise<NetworksFound> {
  const source: WalletSource = { by: 'file', path };
  const inspected = await orNull(client.ask('wallet.inspect', { source, unlisted: true }), () =>
    client.ask('wallet.inspect', { source, rescue: true, unlisted: true }),
  );
  if (inspected === null) return 'no-wallet';
  const { name, candidates } = inspected.network;
  if (name !== 'unknown') return [name];
  return candidates.length === 0 ? null : candidates;
}

/** Of a text with keys, or of a file that may be one or a wallet. */
export async function networksOfText(
  client: Client,
  from: { by: 'file'; path: string } | { by: 'text'; text: string },
): Promise<NetworksFound> {
  if (from.by === 'file') {
    const ofWallet = await networksOfFile(client, from.path);
    if (ofWallet !== 'no-wallet') return ofWallet;
  }
  const open = (network?: Network) => orNull(client.ask('wallet.fromText', { from, network }));
  const opened = await open();
  // Keys and descriptors are written alike on all test networks.
  if (opened === null) return (await open('testnet3')) === null ? 'no-wallet' : TEST_NETWORKS;
  if (opened.action === 'restore') return networksOfFile(client, opened.path);
  if (opened.network !== null) return [opened.network];
  return (await open('testnet3'))?.network === 'testnet3' ? TEST_NETWORKS : null;
}

const TEST_NETWORKS: readonly Network[] = ['testnet3', 'testnet4', 'signet', 'regtest'];

/** Of a wallet in a folder of wallets, else of all that are there. */
export async function networksOfFolder(
  client: Client,
  folder: string,
  name: string | null,
): Promise<NetworksFound> {
  const own = name === null ? null : await walletFilePath(folder, name);
  const files = own === null ? await walletFiles(folder) : [own];
  const all = await Promise.all(files.map((path) => networksOfFile(client, path)));
  const told = all.filter((each) => each !== 'no-wallet');
  if (told.length === 0) return 'no-wallet';
  const known = new Set(told.flatMap((each) => (each?.length === 1 ? each : [])));
  if (known.size > 0) return [...known];
  return told.find((each) => each !== null) ?? null;
}

/** Throws AppError `folder_missing`. */
export async function mustBeFolder(path: string): Promise<void> {
  if (await isThere(path, 'folder')) return;
  throw new AppError(
    'folder_missing',
    say('There is no folder {path}.', { path }),
    say('Nothing was changed. Check its path.'),
  );
}

/** The small ones: a folder holds wallets of one network, and one of its files is enough to tell it. */
async function walletFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const paths = await Promise.all(['', ...entries].map((name) => walletFilePath(folder, name)));
  const found = await Promise.all(
    [...new Set(paths)].flatMap((path) =>
      path === null
        ? []
        : [
            stat(path).then(
              ({ size }) => ({ path, size }),
              () => null,
            ),
          ],
    ),
  );
  return found
    .filter((file) => file !== null)
    .toSorted((one, other) => one.size - other.size)
    .slice(0, MOST_FILES)
    .map(({ path }) => path);
}

const MOST_FILES = 8;

/** The first that can be had; null where none can. What is no AppError is thrown on. */
async function orNull<T>(first: Promise<T>, ...others: (() => Promise<T>)[]): Promise<T | null> {
  try {
    return await first;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [next, ...rest] = others;
    return next === undefined ? null : orNull(next(), ...rest);
  }
}
