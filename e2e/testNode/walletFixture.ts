/** The wallet files of the fixtures and what nodes said of them. */

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

/** What a node says of one wallet: results of `getwalletinfo` and `getbalances`. */
export interface WalletFacts {
  fixture: FixtureName | null;
  info: Record<string, unknown>;
  balances: Record<string, unknown>;
  passphrase: string | null;
}

/** Which of the up to three wallets of a migration. */
export type Part = 'wallet_name' | 'watchonly_name' | 'solvables_name';

export function fixtureFile(name: FixtureName): string {
  return walletPath(name);
}

/** Made once from the fixtures of the encrypted wallets. */
export function fixturePassphrase(name: FixtureName): string {
  const { passphrase } = factsOf(name);
  if (passphrase === undefined) throw new Error(`The wallet ${name} is not encrypted.`);
  return passphrase;
}

/** Facts of every fixture by the SHA-256 of its file, so that any copy of it is known. */
export function factsByHash(): Map<string, WalletFacts> {
  return new Map(
    fixtureNames.map((fixture) => {
      const { before, passphrase } = factsOf(fixture);
      const facts = { fixture, ...said(before), passphrase: passphrase ?? null };
      return [sha256(readFileSync(fixtureFile(fixture))), facts];
    }),
  );
}

/** What a node said of one part after it had migrated the fixture; releases before 30 as 28.1 did, later ones as 31.0. */
export function factsAfterMigration(fixture: FixtureName, release: ReleaseName, part: Part): WalletFacts {
  const { after_by_release, passphrase } = factsOf(fixture);
  const number = Number.parseFloat(release);
  const after = after_by_release?.[number < 30 ? '28.1' : number < 31 ? '30.0' : '31.0'];
  const wallet = after?.wallets[part];
  if (!wallet) throw new Error(`The facts of ${fixture} do not tell of ${part}.`);
  const encrypted = 'unlocked_until' in wallet.getwalletinfo;
  return { fixture: null, ...said(wallet), passphrase: encrypted ? (passphrase ?? null) : null };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function said({ getwalletinfo, getbalances }: Pick<NodeView, 'getwalletinfo' | 'getbalances'>) {
  return { info: { ...getwalletinfo }, balances: { ...getbalances } };
}

/** Copies a recorded wallet to a memory stick, a folder that the user can write to. Returns the path of the copy, `as`. */
export async function ontoStick(fixture: FixtureName, home: string, as = `${fixture}.dat`): Promise<string> {
  mkdirSync(join(home, 'stick'), { recursive: true });
  const file = join(home, 'stick', as);
  await copyFile(fixtureFile(fixture), file);
  return file;
}
