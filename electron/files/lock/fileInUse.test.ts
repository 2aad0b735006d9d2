import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { putWallet, startTestEngine } from '../../engine/testing/testEngine.ts';
import { canLockAsNode, lockAsNode } from '../testing/lockAsNode.ts';
import { makeTestFolder } from '../testing/testFolder.ts';
import { isInUse } from './fileInUse.ts';

const FLOCK = '/usr/bin/flock';

describe.runIf(canLockAsNode)('isInUse', () => {
  it('finds a wallet that another process has locked, which the engine does not load', async () => {
    const test = await startTestEngine(makeTestFolder());
    const file = putWallet(test.walletsFolder, 'busy', 'descriptor-hd');
    const free = putWallet(test.walletsFolder, 'free', 'descriptor-hd');
    const release = await lockAsNode(file);
    expect([isInUse(file), isInUse(free)]).toEqual([true, false]);
    const message = expect.stringContaining('is it being used by another instance');
    expect(await test.call('loadwallet', ['busy'])).toMatchObject({ error: { code: -4, message } });
    await release();
    expect(isInUse(file)).toBe(false);
    expect(await test.call('loadwallet', ['busy'])).toMatchObject({ error: null });
    await test.engine.stop();
  });

  it('finds a legacy wallet by the lock next to it', async () => {
    const file = putWallet(makeTestFolder(), 'old', 'legacy-hd');
    const release = await lockAsNode(join(dirname(file), '.walletlock'));
    expect(isInUse(file)).toBe(true);
    await release();
  });

  // SECURITY.md: A hostile wallets folder
  it.runIf(existsSync(FLOCK))('ignores locks that anyone can take who can read the file', async () => {
    const file = putWallet(makeTestFolder(), 'old', 'legacy-hd');
    const holder = spawn(FLOCK, ['--exclusive', file, 'sh', '-c', 'echo held; cat']);
    await once(holder.stdout, 'data');
    expect(isInUse(file)).toBe(false);
    holder.stdin.end();
    await once(holder, 'exit');
  });
});
