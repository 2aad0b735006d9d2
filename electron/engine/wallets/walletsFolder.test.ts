import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { oldWalletPath, partPath } from '../../files/durableFile.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { putWallet } from '../testing/testEngine.ts';
import { listWalletDir, tracesIn, walletPathOf } from './walletsFolder.ts';

describe('the wallets folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });

  it('lists wallets in folders, nested ones, bare files and the unnamed one, each with its kind', () => {
    putWallet(folder, 'savings', 'descriptor-hd');
    putWallet(folder, 'family/alice', 'legacy-hd');
    putWallet(folder, 'family', 'legacy-blank');
    cpSync(walletPath('legacy-hd'), join(folder, 'old.dat'));
    cpSync(walletPath('legacy-hd'), join(folder, 'wallet.dat'));
    expect(listWalletDir(folder, 'regtest')).toEqual([
      { name: '', kind: 'bdb' },
      { name: 'family', kind: 'bdb' },
      { name: 'family/alice', kind: 'bdb' },
      { name: 'old.dat', kind: 'bdb' },
      { name: 'savings', kind: 'sqlite' },
    ]);
  });

  it('lists no other files, and no wallet of another network', () => {
    putWallet(folder, 'savings', 'descriptor-hd');
    putWallet(folder, 'x', 'legacy-hd');
    cpSync(walletPath('descriptor-hd'), join(folder, 'bare-sqlite.dat'));
    cpSync(walletPath('legacy-hd'), join(folder, 'x_1795180638.legacy.bak'));
    mkdirSync(join(folder, 'empty'));
    mkdirSync(join(folder, 'text'));
    writeFileSync(join(folder, 'text', 'wallet.dat'), 'no wallet'.repeat(100));
    expect(listWalletDir(folder, 'main')).toEqual([{ name: 'x', kind: 'bdb' }]);
  });

  onUnix('finds a wallet behind a link, and ends in a folder with a link to itself', () => {
    const elsewhere = makeTestFolder();
    putWallet(elsewhere, 'far', 'descriptor-hd');
    symlinkSync(join(elsewhere, 'far'), join(folder, 'near'));
    symlinkSync(folder, join(folder, 'round'));
    expect(listWalletDir(folder, 'regtest')).toEqual([{ name: 'near', kind: 'sqlite' }]);
  });

  // SECURITY.md: A hostile wallets folder
  onUnix('finds the engine’s files here and in the chain folder, but none behind a link', () => {
    const [elsewhere, beside] = [makeTestFolder(), makeTestFolder()];
    putWallet(folder, 'savings', 'descriptor-hd');
    putWallet(elsewhere, 'far', 'descriptor-hd');
    symlinkSync(join(elsewhere, 'far'), join(folder, 'near'));
    writeFileSync(partPath(join(elsewhere, 'far')), 'half');
    const parts = [partPath(folder), partPath(join(folder, 'savings')), partPath(beside)];
    const kept = [oldWalletPath(folder), join(folder, '.wallet-ferry-0123456789abcdef.moves')];
    for (const path of [...parts, ...kept]) writeFileSync(path, 'half');
    const traces = tracesIn(folder, beside);
    expect([...traces.parts].sort()).toEqual(parts.sort());
    expect([...traces.kept].sort()).toEqual(kept.sort());
  });

  it('lists neither unfinished nor replaced wallets', () => {
    putWallet(folder, 'savings', 'descriptor-hd');
    const part = partPath(folder);
    mkdirSync(part);
    cpSync(walletPath('descriptor-hd'), join(part, 'wallet.dat'));
    cpSync(walletPath('legacy-hd'), oldWalletPath(folder));
    writeFileSync(join(folder, '.wallet-ferry-note.part'), 'not ours');
    expect(listWalletDir(folder, 'regtest')).toHaveLength(1);
    expect(tracesIn(folder, folder).parts).toEqual([part]);
  });
});

onUnix('a wallet may be called a:b, which is a drive only on Windows', () => {
  const folder = makeTestFolder();
  expect(walletPathOf(folder, 'a:b').path).toBe(join(folder, 'a:b'));
  expect(() => walletPathOf(folder, 'a:/b')).toThrow('must name a wallet in the wallets folder');
});
