/** The fixtures' wallet files, and what nodes answered about them. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { factsOf, type NodeView, walletPath } from '../../electron/walletfile/testing/wallets.ts';
import type { ReleaseName } from './recording.ts';

export const fixtureNames = [
  'descriptor-hd',
  'descriptor-encrypted',
  'legacy-hd',
  'legacy-hd-encrypted',
  'legacy-watchonly',
  'legacy-solvable',
  'legacy-imported',
  'legacy-blank',
  'legacy-nokeys',
] as const;
export type FixtureName = (typeof fixtureNames)[number];

/** What a node answers about one wallet: the results of `getwalletinfo` and `getbalances`. */
export interface WalletFacts {
  fixture: FixtureName | null;
  info: Record<string, unknown>;
  balances: Record<string, unknown>;
  passphrase: string | null;
}

/** One of the wallets that a migration creates, three at most. */
export type Part = 'wallet_name' | 'watchonly_name' | 'solvables_name';

export function fixtureFile(name: FixtureName): string {
  return walletPath(name);
}

/** Returns the passphrase of an encrypted fixture. Throws for any other. */
export function fixturePassphrase(name: FixtureName): string {
  const { passphrase } = factsOf(name);
  if (passphrase === undefined) throw new Error(`The wallet ${name} is not encrypted.`);
  return passphrase;
}

/** Maps the SHA-256 of each fixture's file to its facts, so that the node recognises any copy. */
export function factsByHash(): Map<string, WalletFacts> {
  return new Map(
    fixtureNames.map((fixture) => {
      const { before, passphrase } = factsOf(fixture);
      const facts = { fixture, ...answersOf(before), passphrase: passphrase ?? null };
      return [sha256(readFileSync(fixtureFile(fixture))), facts];
    }),
  );
}

/** What a node answered about one part after it migrated the fixture. Releases before 30 use the recording of 28.1. */
export function factsAfterMigration(fixture: FixtureName, release: ReleaseName, part: Part): WalletFacts {
  const { after_by_release, passphrase } = factsOf(fixture);
  const number = Number.parseFloat(release);
  const after = after_by_release?.[number < 30 ? '28.1' : number < 31 ? '30.0' : '31.0'];
  const wallet = after?.wallets[part];
  if (!wallet) throw new Error(`The facts of ${fixture} do not include ${part}.`);
  const encrypted = 'unlocked_until' in wallet.getwalletinfo;
  return { fixture: null, ...answersOf(wallet), passphrase: encrypted ? (passphrase ?? null) : null };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function answersOf({ getwalletinfo, getbalances }: Pick<NodeView, 'getwalletinfo' | 'getbalances'>) {
  return { info: { ...getwalletinfo }, balances: { ...getbalances } };
}

/** Copies a fixture to a memory stick, that is, a folder the user can write to. Returns the path of the copy, `as`. */
export async function copyToStick(
  fixture: FixtureName,
  home: string,
  as = `${fixture}.dat`,
): Promise<string> {
  mkdirSync(join(home, 'stick'), { recursive: true });
  const file = join(home, 'stick', as);
  await copyFile(fixtureFile(fixture), file);
  return file;
}
