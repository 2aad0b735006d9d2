/** Lays out a data folder as a node has it: configuration, chain folder, backups to restore from. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenario.ts';
import { fixtureFile } from './walletFixture.ts';

/** Writes `bitcoin.conf` for a node on `port`, as its owner would for a node that is not on the usual one. */
export function writeConf(dataFolder: string, port: number, { login, loginInConf }: Scenario): void {
  const lines = ['regtest=1', 'server=1'];
  if (login && loginInConf) lines.push(`rpcuser=${login.user}`, `rpcpassword=${login.password}`);
  lines.push('', '[regtest]', `rpcport=${port}`, '');
  writeFileSync(join(dataFolder, 'bitcoin.conf'), lines.join('\n'));
}

/** The files that the recordings restored from, in `<data folder>/backups`, and things that are no wallets. */
export function writeBackups(dataFolder: string): string {
  const folder = join(dataFolder, 'backups');
  mkdirSync(folder, { recursive: true });
  const descriptor = fixtureFile('descriptor-hd');
  copyFileSync(descriptor, join(folder, 'descriptor.bak'));
  copyFileSync(fixtureFile('descriptor-encrypted'), join(folder, 'encrypted.bak'));
  copyFileSync(fixtureFile('legacy-hd'), join(folder, 'legacy.bak'));
  writeFileSync(join(folder, 'truncated.bak'), readFileSync(descriptor).subarray(0, 10_000));
  writeFileSync(join(folder, 'notes.txt'), 'The old wallet is on the blue stick.\n');
  writeFileSync(join(folder, 'picture.png'), PNG);
  writeFileSync(join(folder, 'empty.bak'), '');
  return folder;
}

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
