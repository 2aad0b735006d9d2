/** Finds the state of a wallet on the disk without the app: from its bytes, and from the node's answers about a copy. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod/mini';
import { filesBelow } from '../app/filesBelow.ts';
import type { RealNode } from '../live/realNode.ts';
import { fileOf } from './subjectFile.ts';

/** The expected content of each wallet of a job, by its suffix after the main wallet's name: '', '_watchonly'. */
export type Contents = Readonly<Record<string, WalletContents>>;

export interface WalletContents {
  /** Without descriptors whose keys each migration draws at random. */
  readonly descriptors: readonly string[];
  readonly count: number;
  readonly labels: string;
  readonly transactions: readonly string[];
  readonly balance: string;
}

export const SUFFIXES = ['', '_watchonly', '_solvables'] as const;

const listed = z.object({ descriptors: z.array(z.object({ desc: z.string() })) });
const purposes = z.record(z.string(), z.object({ purpose: z.string() }));
const history = z.array(z.object({ txid: z.optional(z.string()) }));

/** The contents of a loaded descriptor wallet. Throws the node's error. */
export async function contentsOf(node: RealNode, wallet: string): Promise<WalletContents> {
  const ask = (method: string, params: unknown[] = []) => node.call(method, params, wallet);
  const { descriptors } = listed.parse(await ask('listdescriptors'));
  const transactions = history.parse(await ask('listtransactions', ['*', 100_000, 0, true]));
  return {
    descriptors: descriptors.map(({ desc }) => desc).toSorted(),
    count: descriptors.length,
    labels: await labelsOf(node, wallet),
    transactions: [...new Set(transactions.flatMap(({ txid }) => txid ?? []))].toSorted(),
    balance: JSON.stringify(z.looseObject({ mine: z.unknown() }).parse(await ask('getbalances')).mine),
  };
}

async function labelsOf(node: RealNode, wallet: string): Promise<string> {
  const labels = z.array(z.string()).parse(await node.call('listlabels', [], wallet));
  const book = [];
  for (const label of labels.toSorted()) {
    const addresses = purposes.parse(await node.call('getaddressesbylabel', [label], wallet));
    book.push([label, Object.keys(addresses).toSorted()]);
  }
  return JSON.stringify(book);
}

/** The contents that two migrations of a wallet share, that is, without random keys. */
export function commonContents(one: Contents, other: Contents): Contents {
  return Object.fromEntries(
    Object.entries(one).map(([suffix, contents]) => {
      const second = new Set(other[suffix]?.descriptors);
      return [suffix, { ...contents, descriptors: contents.descriptors.filter((each) => second.has(each)) }];
    }),
  );
}

/** How the contents of a wallet differ from the expected ones; null if they do not. */
export function differenceOf(expected: WalletContents, found: WalletContents): string | null {
  const descriptors = new Set(found.descriptors);
  const missing = expected.descriptors.filter((each) => !descriptors.has(each));
  if (missing.length > 0) return `${missing.length} of ${expected.count} descriptors are missing`;
  if (found.count !== expected.count) return `${found.count} descriptors, not ${expected.count}`;
  const lost = expected.transactions.filter((each) => !found.transactions.includes(each));
  if (lost.length > 0) return `${lost.length} transactions are missing`;
  if (found.labels !== expected.labels) return `labels ${found.labels}, not ${expected.labels}`;
  return found.balance === expected.balance ? null : `balance ${found.balance}, not ${expected.balance}`;
}

/** Numbers the copies. */
let copies = 0;

/**
 * How the wallets of that name differ from the expected new wallets; null if they do not. Reads loaded wallets directly,
 * and the others from a copy.
 */
export async function newDifference(
  node: RealNode,
  name: string,
  expected: Contents,
  { partHistory } = { partHistory: true },
): Promise<string | null> {
  for (const [suffix, contents] of Object.entries(expected)) {
    const wallet = suffix === '' ? name : `${name === '' ? 'default_wallet' : name}${suffix}`;
    try {
      const found = await asLoaded(node, wallet, contentsOf);
      const { transactions, balance } = contents;
      const difference = differenceOf(
        contents,
        suffix === '' || partHistory ? found : { ...found, transactions, balance },
      );
      if (difference !== null) return `“${wallet}”: ${difference}`;
    } catch (error) {
      return `“${wallet}”: ${error instanceof Error ? error.message : error}`;
    }
  }
  return null;
}

/** Reads a loaded wallet, or a loaded copy of it. */
export async function asLoaded<T>(
  node: RealNode,
  wallet: string,
  ask: (node: RealNode, wallet: string) => Promise<T>,
): Promise<T> {
  const loaded = z.array(z.string()).parse(await node.call('listwallets'));
  if (loaded.includes(wallet)) return ask(node, wallet);
  const file = fileOf(node.walletsFolder, wallet);
  if (!existsSync(file)) throw new Error('no file');
  copies += 1;
  const name = `copy ${copies}`;
  const folder = join(node.walletsFolder, name);
  mkdirSync(folder);
  try {
    for (const end of ['', '-journal', '-wal'])
      if (existsSync(`${file}${end}`)) cpSync(`${file}${end}`, join(folder, `wallet.dat${end}`));
    await node.call('loadwallet', [name]);
    try {
      return await ask(node, name);
    } finally {
      await node.call('unloadwallet', [name]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How a legacy wallet differs from the old one, judged by the migration of a copy; null if it does not. */
export async function oldDifference(
  node: RealNode,
  from: { readonly wallet: string } | { readonly file: string },
  passphrase: string | undefined,
  expected: Contents,
): Promise<string | null> {
  copies += 1;
  const copy = `copy ${copies}`;
  const folder = join(node.walletsFolder, copy);
  mkdirSync(folder);
  const names = async () => z.array(z.string()).parse(await node.call('listwallets'));
  const isLoaded = 'wallet' in from && (await names()).includes(from.wallet);
  try {
    if (isLoaded) {
      await node.call('backupwallet', [join(folder, 'wallet.dat')], from.wallet);
      // Berkeley DB cannot open two files with the same id.
      await node.call('unloadwallet', [from.wallet]);
    } else if ('wallet' in from) {
      const file = fileOf(node.walletsFolder, from.wallet);
      cpSync(file, join(folder, 'wallet.dat'));
      // After a kill, only Berkeley DB itself can bring the file to rest, and with its log.
      const log = join(dirname(file), 'database');
      if (existsSync(log)) cpSync(log, join(folder, 'database'), { recursive: true });
      await node.call('loadwallet', [copy]);
      await node.call('unloadwallet', [copy]);
    } else cpSync(from.file, join(folder, 'wallet.dat'));
    await node.call('migratewallet', passphrase === undefined ? [copy] : [copy, passphrase]);
    // A node rescans for a watch-only or solvables wallet from the wallet's last block, which a restore makes later.
    return await newDifference(node, copy, expected, { partHistory: false });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    const loaded = await names();
    for (const suffix of SUFFIXES) {
      if (loaded.includes(`${copy}${suffix}`)) await node.call('unloadwallet', [`${copy}${suffix}`]);
      rmSync(join(node.walletsFolder, `${copy}${suffix}`), { recursive: true, force: true });
    }
    removeBackups(node.walletsFolder, copy);
    if (isLoaded) await node.call('loadwallet', [from.wallet]);
  }
}

function removeBackups(folder: string, of: string): void {
  for (const path of legacyBackups(folder)) if (path.includes(of)) rmSync(path);
}

/** The legacy backups below a folder. Releases put them in different places. */
export function legacyBackups(folder: string): string[] {
  return filesBelow(folder).filter((path) => path.endsWith('.legacy.bak'));
}

/** The files whose bytes equal the wallet's. */
export function equalTo(bytes: Buffer, paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path) && readFileSync(path).equals(bytes));
}
