/** Finds the network of a command's wallet from its files. */
import { readdir, stat } from 'node:fs/promises';
import type { WalletSource } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Network } from '../../shared/model/network.ts';
import { say } from '../../shared/wording/say.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import { isThere } from '../files/openFile.ts';
import type { Client } from './client.ts';

/** The possible networks; null if unknown. `no-wallet`: there is no wallet. */
export type NetworksFound = readonly Network[] | null | 'no-wallet';

/** The networks of a wallet file in any state. `no-wallet` for another file: the plan says what it is. */
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

/** The networks of a text with keys, or of a file that holds such a text or a wallet. */
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
  // Keys and descriptors look the same on all test networks.
  if (opened === null) return (await open('testnet3')) === null ? 'no-wallet' : TEST_NETWORKS;
  if (opened.action === 'restore') return networksOfFile(client, opened.path);
  if (opened.network !== null) return [opened.network];
  return (await open('testnet3'))?.network === 'testnet3' ? TEST_NETWORKS : null;
}

const TEST_NETWORKS: readonly Network[] = ['testnet3', 'testnet4', 'signet', 'regtest'];

/** The networks of one wallet in a wallets folder, or of all its wallets (null). */
export async function networksOfFolder(
  client: Client,
  folder: string,
  name: string | null,
): Promise<NetworksFound> {
  const own = name === null ? null : await walletFilePath(folder, name);
  const files = own === null ? await walletFiles(folder) : [own];
  const all = await Promise.all(files.map((path) => networksOfFile(client, path)));
  const found = all.filter((each) => each !== 'no-wallet');
  if (found.length === 0) return 'no-wallet';
  const known = new Set(found.flatMap((each) => (each?.length === 1 ? each : [])));
  if (known.size > 0) return [...known];
  return found.find((each) => each !== null) ?? null;
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

/** The smallest files: a folder holds wallets of one network, so a few files are enough. */
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

/** The first result without an AppError; null if there is none. Throws any other error. */
async function orNull<T>(first: Promise<T>, ...others: (() => Promise<T>)[]): Promise<T | null> {
  try {
    return await first;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [next, ...rest] = others;
    return next === undefined ? null : orNull(next(), ...rest);
  }
}
