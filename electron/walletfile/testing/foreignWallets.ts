/**
 * Wallet files of others, and files damaged on purpose, with nodes' facts about them and the results of their migration. They are
 * not in this repository, but may be beside it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/mini';
import type { Network } from '../../../shared/model/network.ts';
import type { RawRecord } from '../database/rawRecord.ts';

const folder = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url));

/** Whether these files exist here. If not, the tests that need them are skipped. */
export const hasForeignWallets = existsSync(folder);

/** A note for the titles of these tests. */
export const foreignNote = hasForeignWallets
  ? ''
  : ' (skipped: no wallet files of others beside this repository)';

/** The result of a node of one release with a file. */
interface NodeOutcome {
  /** `done`, or how the node refused or crashed. */
  migratewallet: string;
  /** By the fields of the answer: `wallet_name`, `watchonly_name`, `solvables_name`. */
  wallets?: Record<
    string,
    { priv: string[] | string; pub: string[]; labels: Record<string, string[]>; tx: string[] }
  >;
}

interface ForeignWallet {
  /** For example `old/bitcoin-0.8.1-testnet3`. */
  readonly name: string;
  readonly network: Network;
  readonly path: string;
  readonly passphrase: string | undefined;
  /** By release, for example `31.0`. */
  readonly nodes: Readonly<Record<string, NodeOutcome>>;
}

const NETWORKS: Readonly<Record<string, Network>> = { main: 'main', test: 'testnet3', regtest: 'regtest' };

/** The wallet files of these sets that have facts about their migration. Of `broken`, only those that were not closed cleanly. */
export function foreignWallets(...sets: ('old' | 'odd' | 'wallets' | 'broken')[]): ForeignWallet[] {
  if (!hasForeignWallets) return [];
  return sets.flatMap((set) =>
    readdirSync(join(folder, set)).flatMap((name) => {
      const path = join(folder, set, name, 'wallet.dat');
      const factsFile = join(folder, set, name, 'facts.json');
      if (!existsSync(path) || !existsSync(factsFile)) return [];
      const facts = JSON.parse(readFileSync(factsFile, 'utf8'));
      const { chain, passphrase, nodes, after_by_release, node_29_without_the_logs: alone } = facts;
      const outcomes: Record<string, NodeOutcome> =
        nodes ?? (alone ? { '29.3': { migratewallet: alone.error.message } } : migratedBy(after_by_release));
      const network = NETWORKS[chain] ?? 'regtest';
      return Object.keys(outcomes).length === 0
        ? []
        : [{ name: `${set}/${name}`, network, path, passphrase: passphrase ?? undefined, nodes: outcomes }];
    }),
  );
}

/** The facts of the recorded wallets have another form. All of them were migrated. */
function migratedBy(releases: Record<string, unknown> = {}): Record<string, NodeOutcome> {
  return Object.fromEntries(Object.keys(releases).map((release) => [release, { migratewallet: 'done' }]));
}

function namesIn(set: 'old' | 'broken'): readonly string[] {
  return hasForeignWallets ? readdirSync(join(folder, set)).sort() : [];
}

function bytesOf(...path: string[]): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, ...path)));
}

/** Wallets of releases 0.8 to 0.21, and of other coins. `isBitcoin` follows from the name. */
export const oldWallets = namesIn('old')
  .map((name) => ({
    name,
    path: join(folder, 'old', name, 'wallet.dat'),
    isBitcoin: name.startsWith('bitcoin-'),
  }))
  .filter(({ path }) => existsSync(path));

export function oldWallet(name: string): Uint8Array {
  return bytesOf('old', name, 'wallet.dat');
}

/** A wallet that some releases refuse to migrate, or crash on. */
export function oddWallet(name: string): Uint8Array {
  return bytesOf('odd', name, 'wallet.dat');
}

/** A wallet made after a public report. */
export function reportedWallet(name: string): Uint8Array {
  return bytesOf('reports', name, 'wallet.dat');
}

/** The names of the damaged wallets. */
export const brokenWallets = namesIn('broken');

/** A node 29's facts about a wallet: its keys by their public keys, labels with addresses, transactions. */
const nodeFacts = z.object({
  keys: z.record(z.string(), z.object({ wif: z.string(), label: z.string(), address: z.string() })),
  labels: z.record(z.string(), z.array(z.string())),
  transactions: z.array(z.string()),
});

const brokenFacts = z.object({
  passphrase: z.nullable(z.string()),
  what: z.string(),
  whole: z.optional(nodeFacts),
  node_29_after_its_recovery: z.optional(nodeFacts),
  public_keys_whose_bytes_are_still_there: z.optional(z.object({ pubkeys: z.number() })),
});

export function brokenWallet(name: string) {
  const database = join(folder, 'broken', name, 'database');
  return {
    bytes: bytesOf('broken', name, 'wallet.dat'),
    logs: (existsSync(database) ? readdirSync(database) : []).map((log) => ({
      name: join(database, log),
      bytes: bytesOf('broken', name, 'database', log),
    })),
    facts: brokenFacts.parse(JSON.parse(readFileSync(join(folder, 'broken', name, 'facts.json'), 'utf8'))),
  };
}

/** The folder of an input made after a public report. */
export function reportFolder(name: string): string {
  return join(folder, 'reports', name);
}

const PAGE = 4096;
const LEAF = 5;
const HEADER = 26;

/** The leaf pages of a Berkeley DB file that contain the whole of one text and not the other. */
export function leavesWith(file: Uint8Array, text: string, without?: string): Uint8Array[] {
  const has = (page: Uint8Array, part: string) => Buffer.from(page).includes(Buffer.from(part, 'latin1'));
  return pagesOf(file).filter(
    (page) => page[25] === LEAF && has(page, text) && (without === undefined || !has(page, without)),
  );
}

function pagesOf(file: Uint8Array): Uint8Array[] {
  return Array.from({ length: file.length / PAGE }, (_, at) => file.slice(at * PAGE, (at + 1) * PAGE));
}

/** Appends pages that no tree reaches. `numbered`: gives them the page numbers of their new positions. */
export function withPages(file: Uint8Array, pages: readonly Uint8Array[], numbered = true): Uint8Array {
  const all = Buffer.concat([file, ...pages]);
  for (let start = file.length; numbered && start < all.length; start += PAGE) {
    all.writeUInt32LE(start / PAGE, start + 8);
    all.writeUInt32LE(0, start + 12);
    all.writeUInt32LE(0, start + 16);
  }
  return new Uint8Array(all);
}

/** Copies records to the free space of the leaf pages. Throws if it does not suffice. */
export function withOldCopies(file: Uint8Array, records: readonly RawRecord[]): Uint8Array {
  const bytes = Buffer.from(file);
  const left = [...records];
  for (let start = 0; start < bytes.length && left.length > 0; start += PAGE) {
    if (bytes[start + 25] !== LEAF) continue;
    const end = start + bytes.readUInt16LE(start + 22);
    let at = start + HEADER + 2 * bytes.readUInt16LE(start + 20);
    at += -at & 3;
    for (let record = left[0]; record && at + roomFor(record) <= end; record = left[0]) {
      // A page is filled from its end: the value comes before its key.
      for (const part of [record.value, record.key]) {
        bytes.writeUInt16LE(part.length, at);
        bytes[at + 2] = 1;
        bytes.set(part, at + 3);
        at += itemSize(part);
      }
      left.shift();
    }
  }
  if (left.length > 0) throw new Error('too little free room');
  return new Uint8Array(bytes);
}

function roomFor({ key, value }: RawRecord): number {
  return itemSize(key) + itemSize(value);
}

function itemSize(part: Uint8Array): number {
  return (3 + part.length + 3) & ~3;
}
