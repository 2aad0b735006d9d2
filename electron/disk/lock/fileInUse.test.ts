import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeDataFolder,
  putWallet,
  removeDataFolder,
  startTestEngine,
} from '../../engine/testing/testEngine.ts';
import { isInUse } from './fileInUse.ts';

const FLOCK = '/usr/bin/flock';

describe.runIf(process.platform === 'linux' && existsSync(FLOCK))('isInUse', () => {
  it('tells a wallet that another process has locked, which is then not loaded', async () => {
    const dataFolder = makeDataFolder();
    const test = await startTestEngine(dataFolder);
    const file = putWallet(test.walletsFolder, 'busy', 'descriptor-hd');
    const free = putWallet(test.walletsFolder, 'free', 'descriptor-hd');
    const holder = spawn(FLOCK, ['--exclusive', file, 'sh', '-c', 'echo held; cat']);
    await once(holder.stdout, 'data');
    expect([isInUse(file), isInUse(free)]).toEqual([true, false]);
    expect(await test.call('loadwallet', ['busy'])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('is it being used by another instance') },
    });
    holder.stdin.end();
    await once(holder, 'exit');
    expect(isInUse(file)).toBe(false);
    expect(await test.call('loadwallet', ['busy'])).toMatchObject({ error: null });
    await test.engine.stop();
    removeDataFolder(dataFolder);
  });

  it('tells a legacy wallet by the lock beside it', async () => {
    const dataFolder = makeDataFolder();
    const file = putWallet(dataFolder, 'old', 'legacy-hd');
    const holder = spawn(FLOCK, [
      '--exclusive',
      join(dataFolder, 'old', '.walletlock'),
      'sh',
      '-c',
      'echo held; cat',
    ]);
    await once(holder.stdout, 'data');
    expect(isInUse(file)).toBe(true);
    holder.stdin.end();
    await once(holder, 'exit');
    removeDataFolder(dataFolder);
  });
});
