/** Wallet files that others made, with what nodes made of each: beside this repository, where they lie; not in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Network } from '../../../shared/network.ts';

const folder = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url));

/** Whether they are here. Where not, tests that need them are skipped, and say so by their titles. */
export const foreignAreHere = existsSync(folder);

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
