/**
 * Wallet files that others made, or that were hurt on purpose, with what nodes knew and made of each: beside this
 * repository, where they lie; not in it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Network } from '../../../shared/model/network.ts';

const folder = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url));

/** Whether they are here. Where not, tests that need them are skipped. */
export const foreignAreHere = existsSync(folder);

/** For the titles of these tests. */
export const foreignNote = foreignAreHere
  ? ''
  : ' (skipped: no wallet files of others beside this repository)';

/** What a node of one release made of a file. */
interface Made {
  /** `done`, or how the node refused or ended. */
  migratewallet: string;
  /** By the members of the answer: `wallet_name`, `watchonly_name`, `solvables_name`. */
  wallets?: Record<
    string,
    { priv: string[] | string; pub: string[]; labels: Record<string, string[]>; tx: string[] }
  >;
}

export interface ForeignWallet {
  /** `old/bitcoin-0.8.1-testnet3` */
  readonly name: string;
  readonly network: Network;
  readonly path: string;
  readonly passphrase: string | undefined;
  /** By release: `31.0`. */
  readonly nodes: Readonly<Record<string, Made>>;
}

const NETWORKS: Readonly<Record<string, Network>> = { main: 'main', test: 'testnet3', regtest: 'regtest' };

/** Those of these sets that are wallet files with facts about their migration; of `broken` those not closed cleanly. */
export function foreignWallets(...sets: ('old' | 'odd' | 'wallets' | 'broken')[]): ForeignWallet[] {
  if (!foreignAreHere) return [];
  return sets.flatMap((set) =>
    readdirSync(join(folder, set)).flatMap((name) => {
      const path = join(folder, set, name, 'wallet.dat');
      const factsFile = join(folder, set, name, 'facts.json');
      if (!existsSync(path) || !existsSync(factsFile)) return [];
      const facts = JSON.parse(readFileSync(factsFile, 'utf8'));
      const { chain, passphrase, nodes, after_by_release, node_29_without_the_logs: alone } = facts;
      const made: Record<string, Made> =
        nodes ?? (alone ? { '29.3': { migratewallet: alone.error.message } } : migratedBy(after_by_release));
      const network = NETWORKS[chain] ?? 'regtest';
      return Object.keys(made).length === 0
        ? []
        : [{ name: `${set}/${name}`, network, path, passphrase: passphrase ?? undefined, nodes: made }];
    }),
  );
}

/** The facts of the recorded wallets have another form. All of them were migrated. */
function migratedBy(releases: Record<string, unknown> = {}): Record<string, Made> {
  return Object.fromEntries(Object.keys(releases).map((release) => [release, { migratewallet: 'done' }]));
}

function namesIn(set: 'old' | 'broken'): readonly string[] {
  return foreignAreHere ? readdirSync(join(folder, set)).sort() : [];
}

function bytesOf(...path: string[]): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, ...path)));
}

/** From 0.8 to 0.21, and of other coins. `isBitcoin`: by the name that it has there. */
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

/** One that releases refuse to migrate, or crash on. */
export function oddWallet(name: string): Uint8Array {
  return bytesOf('odd', name, 'wallet.dat');
}

/** One made after a public report. */
export function reportedWallet(name: string): Uint8Array {
  return bytesOf('reports', name, 'wallet.dat');
}

/** The names of those that were hurt. */
export const brokenWallets = namesIn('broken');

/** What a node of release 29 told of a wallet: its keys by their public keys, labels with addresses, transactions. */
const told = z.object({
  keys: z.record(z.string(), z.object({ wif: z.string(), label: z.string(), address: z.string() })),
  labels: z.record(z.string(), z.array(z.string())),
  transactions: z.array(z.string()),
});

const brokenFacts = z.object({
  passphrase: z.string().nullable(),
  what: z.string(),
  whole: told.optional(),
  node_29_after_its_recovery: told.optional(),
  public_keys_whose_bytes_are_still_there: z.object({ pubkeys: z.number() }).optional(),
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
