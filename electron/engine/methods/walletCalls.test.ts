import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../../files/testing/removeTestFolder.ts';
import { editedWallet, factsOf } from '../../walletfile/testing/wallets.ts';
import { makeDataFolder, startTestEngine, type TestEngine } from '../testing/testEngine.ts';

const passphrase = 'correct horse battery staple';

describe('an encrypted wallet', () => {
  const dataFolder = makeDataFolder();
  let test: TestEngine;

  beforeAll(async () => {
    const copies = { safe: 'descriptor-encrypted', old: 'legacy-hd-encrypted', open: 'descriptor-hd' };
    test = await startTestEngine(dataFolder, { release: 28, copies });
    for (const name of Object.keys(copies)) await test.call('loadwallet', [name]);
  });
  afterAll(async () => {
    await test.engine.stop();
    await removeTestFolder(dataFolder);
  });

  const until = async (name: string) => {
    const { result } = await test.call('getwalletinfo', [], `/wallet/${name}`);
    return typeof result === 'object' && result !== null && 'unlocked_until' in result
      ? result.unlocked_until
      : null;
  };

  it('lists its private descriptors only while it is unlocked', async () => {
    const list = () => test.call('listdescriptors', [true], '/wallet/safe');
    expect(await until('safe')).toBe(0);
    expect(await list()).toMatchObject({ error: { code: -13 } });
    expect(await test.call('walletpassphrase', [passphrase, 60], '/wallet/safe')).toMatchObject({
      error: null,
    });
    expect(await until('safe')).toBeGreaterThan(Date.now() / 1000);
    const { result } = await list();
    expect(JSON.stringify(result).match(/tprv/g)).toHaveLength(8);
    await test.call('walletlock', [], '/wallet/safe');
    expect(await until('safe')).toBe(0);
    expect(await list()).toMatchObject({ error: { code: -13 } });
  });

  it('may be a legacy one', async () => {
    expect(await test.call('walletpassphrase', [passphrase, 60], '/wallet/old')).toMatchObject({
      error: null,
    });
    expect(await until('old')).toBeGreaterThan(0);
  });

  it.each([
    ['safe', 'wrong', 60, -14],
    ['safe', '', 60, -8],
    ['safe', passphrase, -1, -8],
    ['open', passphrase, 60, -15],
  ])('answers %s with %j for %i seconds with %i', async (name, words, seconds, code) => {
    const { error } = await test.call('walletpassphrase', [words, seconds], `/wallet/${name}`);
    expect(error?.code).toBe(code);
  });

  it('refuses an unknown purpose and an empty label, as a node does', async () => {
    const ask = (method: string, words: string) => test.call(method, [words], '/wallet/open');
    expect((await ask('listlabels', 'x')).error?.code).toBe(-8);
    const all = (await test.call('listlabels', [], '/wallet/open')).result;
    expect(await ask('listlabels', '')).toMatchObject({ result: all, error: null });
    expect((await ask('listlabels', 'send')).error).toBeNull();
    expect((await ask('listtransactions', '')).error).toEqual({
      code: -8,
      message: 'Label argument must be a valid label name or "*".',
    });
  });

  it('lists nothing as received by payments that a block made impossible', async () => {
    const bytes = await editedWallet('descriptor-hd', (one) =>
      one.type === 'tx' ? { ...one, index: -1 } : one,
    );
    const backup = join(dataFolder, 'impossible.dat');
    writeFileSync(backup, bytes);
    expect((await test.call('restorewallet', ['impossible', backup])).error).toBeNull();
    const listed = async (name: string) =>
      (await test.call('listtransactions', ['*', 100], `/wallet/${name}`)).result;
    expect(JSON.stringify(await listed('open'))).toContain('"receive"');
    expect(JSON.stringify(await listed('impossible'))).not.toContain('"receive"');
  });

  it('has no unlocked_until without encryption', async () => {
    expect(await until('open')).toBeNull();
    expect(JSON.stringify(factsOf('descriptor-hd'))).not.toContain('unlocked_until');
  });
});
