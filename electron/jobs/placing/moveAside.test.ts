import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { moveAside } from './moveAside.ts';

let wallets: string;
beforeEach(() => {
  wallets = mkdtempSync(join(tmpdir(), 'aside-'));
  mkdirSync(join(wallets, 'big'));
  cpSync(fixtureFile('descriptor-hd'), join(wallets, 'big', 'wallet.dat'));
});
afterEach(() => rmSync(wallets, { recursive: true }));

it.each([
  ['big/inside', 'file_unreadable'],
  ['n'.repeat(256), 'bad_input'],
])('says in the app’s words that the system refuses to move a wallet', async (newName, code) => {
  const moving = moveAside(wallets, [{ name: 'big', newName }], () => {});
  await expect(moving).rejects.toMatchObject({ name: 'AppError', code });
  expect(readdirSync(join(wallets, 'big'))).toEqual(['wallet.dat']);
});
