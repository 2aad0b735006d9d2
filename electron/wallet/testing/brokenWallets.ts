/**
 * Wallets that were hurt on purpose, and odd ones, with what a node knew of them before. They are not part of the project:
 * they lie in `shared/fixtures` beside it, or they are not there, and the tests on them are left out with a word.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Beside the project, or beside the folder that holds a worktree of it. */
const fixtures =
  ['../', '../../']
    .map((above) => fileURLToPath(new URL(`../../../${above}shared/fixtures/`, import.meta.url)))
    .find((path) => existsSync(path)) ?? '';
const folder = fixtures && `${fixtures}broken/`;

/** Their names; empty where they are not there. */
export const brokenWallets: readonly string[] = folder === '' ? [] : readdirSync(folder).sort();

/** What a node of release 29 told of a wallet: its keys by their public keys, labels with addresses, transactions. */
const told = z.object({
  keys: z.record(z.string(), z.object({ wif: z.string(), label: z.string(), address: z.string() })),
  labels: z.record(z.string(), z.array(z.string())),
  transactions: z.array(z.string()),
});

const facts = z.object({
  passphrase: z.string().nullable(),
  what: z.string(),
  whole: told.optional(),
  node_29_after_its_recovery: told.optional(),
  public_keys_whose_bytes_are_still_there: z.object({ pubkeys: z.number() }).optional(),
});

/** The names for `it.each`, which says nothing of an empty list: one that tells why there are none. */
export function orWhyNot(names: readonly string[]): readonly string[] {
  return names.length > 0 ? names : ['none: no shared/fixtures/broken beside the project'];
}

export function brokenWallet(name: string) {
  const read = (path: string) => new Uint8Array(readFileSync(`${folder}${name}/${path}`));
  const database = `${folder}${name}/database`;
  return {
    bytes: read('wallet.dat'),
    logs: (existsSync(database) ? readdirSync(database) : []).map((log) => ({
      name: `${database}/${log}`,
      bytes: read(`database/${log}`),
    })),
    facts: facts.parse(JSON.parse(readFileSync(`${folder}${name}/facts.json`, 'utf8'))),
  };
}

/** One that releases refuse to migrate, or crash on: its bytes; null where it is not there. */
export function oddWallet(name: string): Uint8Array | null {
  const path = `${fixtures}odd/${name}/wallet.dat`;
  return fixtures !== '' && existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
}
