import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { partPrefix } from '../../files/durableFile.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { defaultStateFolder, openEngineState } from './engineState.ts';

describe('the engine’s own folder', () => {
  let data: string;
  let wallets: string;
  beforeEach(() => {
    data = makeTestFolder();
    wallets = join(data, 'wallets');
    mkdirSync(wallets);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('shows whether the last engine was killed', () => {
    const open = () => openEngineState(join(data, 'state'), wallets);
    expect(open().unfinishedPrefix()).toBe(null);
    open().recordRunning();
    expect(open().unfinishedPrefix()).toBe(partPrefix);
    open().recordRunning();
    open().recordStopped();
    expect(open().unfinishedPrefix()).toBe(null);
  });

  it('knows a wallets folder by its path and inode', () => {
    const first = openEngineState(join(data, 'state'), wallets);
    first.recordRunning();
    writeFileSync(first.newJournal(), '{}');
    expect(openEngineState(join(data, 'other state'), wallets).unfinishedPrefix()).toBe(null);
    const moved = join(data, 'moved');
    renameSync(wallets, moved);
    mkdirSync(wallets);
    expect(first.unfinishedPrefix()).toBe(null);
    const atMoved = openEngineState(join(data, 'state'), moved);
    expect([atMoved.unfinishedPrefix(), atMoved.journals()]).toEqual([null, []]);
    expect(first.journals()).toHaveLength(1);
  });

  // SECURITY.md: A hostile wallets folder
  it('must be outside the wallets folder', () => {
    expect(() => openEngineState(join(wallets, 'state'), wallets)).toThrow('is inside the wallets folder');
    expect(() => openEngineState(wallets, wallets)).toThrow('is inside the wallets folder');
    expect(() => openEngineState(join(wallets, '..state'), wallets)).toThrow('is inside the wallets folder');
    expect(readdirSync(wallets)).toEqual([]);
    expect(() => openEngineState(join(data, '..state'), wallets)).not.toThrow();
  });

  // SECURITY.md: A hostile wallets folder
  onUnix('must not be behind a link in the wallets folder', () => {
    const elsewhere = join(data, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(wallets, 'link'));
    symlinkSync(join(wallets, 'link'), join(data, 'way'));
    for (const way of [join(wallets, 'link'), join(data, 'way')])
      expect(() => openEngineState(join(way, 'state'), wallets)).toThrow('is inside the wallets folder');
    expect(readdirSync(elsewhere)).toEqual([]);
    symlinkSync(elsewhere, join(data, 'other way'));
    expect(() => openEngineState(join(data, 'other way', 'state'), wallets)).not.toThrow();
  });

  onUnix('must not be one that others can write to', () => {
    const state = join(data, 'state');
    mkdirSync(state);
    chmodSync(state, 0o777);
    expect(() => openEngineState(state, wallets)).toThrow('may write to the engine’s own folder');
  });

  it('is refused if it cannot be created', () => {
    writeFileSync(join(data, 'file'), '');
    expect(() => openEngineState(join(data, 'file', 'state'), wallets)).toThrow('cannot be created');
  });

  it.runIf(process.platform === 'linux')('is in the user’s home folder by default', () => {
    vi.stubEnv('XDG_STATE_HOME', '/somewhere');
    expect(defaultStateFolder()).toBe('/somewhere/wallet-ferry-engine');
    for (const folder of ['', 'not absolute']) {
      vi.stubEnv('XDG_STATE_HOME', folder);
      expect(defaultStateFolder()).toBe(join(homedir(), '.local', 'state', 'wallet-ferry-engine'));
    }
  });
});
