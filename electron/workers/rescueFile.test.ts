import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fixturePassphrase } from '../../e2e/testNode/walletFixture.ts';
import { sha256Of } from '../files/hash.ts';
import { repairDescriptors } from '../recovery/repair/repairDescriptors.ts';
import { repairWallet } from '../recovery/repair/repairWallet.ts';
import { findBerkeleyRecords, findSqliteRecords } from '../recovery/salvage/readableRecords.ts';
import { readBerkeley } from '../walletfile/database/berkeley.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import { brokenWallet, foreignAreHere, foreignNote } from '../walletfile/testing/foreignWallets.ts';
import { notClosed } from '../walletfile/testing/madeLog.ts';
import { walletFile } from '../walletfile/testing/wallets.ts';
import { REPAIRED_FILE, type RescueRequest } from './repairRequest.ts';
import { repairInto, rescuedFile } from './rescueFile.ts';
import { doWalletTask } from './walletTask.ts';

vi.mock('../recovery/repair/repairDescriptors.ts', { spy: true });
vi.mock('../recovery/repair/repairWallet.ts', { spy: true });
vi.mock('../recovery/salvage/readableRecords.ts', { spy: true });

const whole = walletFile('legacy-hd');
const unclean = notClosed(whole);
/** Two keys of BIP 38 under “TestingOneTwoThree”. */
const SEALED = [
  '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg',
  '6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo',
].join('\n');

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-rescue-'));
  file = join(folder, 'wallet.dat');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Writes the file, and its log where a node keeps it or in another folder. */
function lay(bytes: Uint8Array | string, log?: { name: string; bytes: Uint8Array }, at = 'database'): string {
  writeFileSync(file, bytes);
  const logs = join(folder, at);
  mkdirSync(logs, { recursive: true });
  if (log) writeFileSync(join(logs, log.name), log.bytes);
  return logs;
}

const recordsOf = (bytes: Uint8Array) =>
  readBerkeley(bytes).records.map(({ key, value }) =>
    [key, value].map((part) => Buffer.from(part).toString('hex')),
  );

const rescued = (logs: RescueRequest['logs'], passphrase?: string) =>
  rescuedFile(file, { logs, network: 'regtest' }, passphrase);

describe('the log of a file', () => {
  it.each(['beside', 'in'] as const)(
    'is taken where it lies (%s), and brings back what the file lacks',
    async (how) => {
      const logs = lay(unclean.bytes, unclean.log, how === 'in' ? 'elsewhere/database' : 'database');
      const found = await rescued(how === 'in' ? { in: join(folder, 'elsewhere') } : 'beside');
      expect(found.facts.log).toEqual({ folder: logs, redone: 2, undone: 0, lastCommit: 1_700_000_000 });
      const { bytes } = await repairWallet(whole, { logs: [], network: 'regtest' });
      expect(recordsOf(found.bytes)).toEqual(recordsOf(bytes));
      const without = await rescued('none');
      // The key that was committed last is one that the wallet's own seed gives again.
      expect(without.facts).toMatchObject({ log: null, unclean: true, saved: { derived: 1 } });
      expect(found.facts).toMatchObject({ unclean: false, saved: { derived: 0 } });
      expect(readFileSync(file)).toEqual(Buffer.from(unclean.bytes));
      expect(readFileSync(join(logs, unclean.log.name))).toEqual(Buffer.from(unclean.log.bytes));
    },
  );

  it('is refused where it is of another wallet', async () => {
    lay(unclean.bytes, notClosed(walletFile('legacy-watchonly')).log);
    await expect(rescued('beside')).rejects.toMatchObject({
      code: 'bad_input',
      finding: { code: 'log_of_other_file' },
    });
  });

  it('is missed where it was named, and not where nothing is beside the file', async () => {
    lay(unclean.bytes);
    expect((await rescued('beside')).facts.log).toBeNull();
    await expect(rescued({ in: folder })).rejects.toMatchObject({
      code: 'bad_input',
      finding: { code: 'no_log' },
    });
    await expect(rescued({ in: join(folder, 'gone') })).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('is read no further back than 256 MB, where its last checkpoint is in them', async () => {
    const newest = notClosed(whole, 2);
    const logs = lay(newest.bytes, newest.log);
    const older = join(logs, 'log.0000000001');
    writeFileSync(older, '');
    // Its length alone: nothing is written.
    truncateSync(older, 300_000_000);
    expect((await rescued('beside')).facts.log).toMatchObject({ redone: 2 });
  });

  it('is refused where a file of it is larger', async () => {
    const logs = lay(unclean.bytes, unclean.log);
    truncateSync(join(logs, unclean.log.name), 300_000_000);
    const before = process.memoryUsage().arrayBuffers;
    await expect(rescued('beside')).rejects.toMatchObject({
      code: 'bad_input',
      finding: { code: 'log_too_large' },
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });
});

describe('a rescue that saves nothing', () => {
  it.each<[string, string | Uint8Array]>([
    ['a text without keys', 'nothing of a wallet\n'.repeat(50)],
    ['zeros', new Uint8Array(20_000)],
  ])('says so of %s', async (_, bytes) => {
    lay(bytes);
    await expect(rescued('beside')).rejects.toMatchObject({ code: 'not_a_wallet' });
    const asked = {
      path: file,
      sha256: sha256Of(readFileSync(file)),
      folder,
      rescue: { logs: 'none' },
    } as const;
    await expect(repairInto(asked)).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(readdirSync(folder).sort()).toEqual(['database', 'wallet.dat']);
  });
});

describe('a wrong passphrase', () => {
  it.each<[string, () => Uint8Array | string]>([
    ['an encrypted wallet', () => walletFile('legacy-hd-encrypted')],
    ['keys that are sealed', () => SEALED],
  ])('is told of %s, and nothing is written', async (_, bytes) => {
    lay(bytes());
    const asked = {
      path: file,
      sha256: sha256Of(readFileSync(file)),
      folder,
      rescue: { logs: 'none' },
    } as const;
    await expect(repairInto({ ...asked, passphrase: 'wrong' })).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
    expect(readdirSync(folder)).not.toContain(REPAIRED_FILE);
  });

  it('is no hindrance to the right one', async () => {
    lay(walletFile('legacy-hd-encrypted'));
    const { facts } = await rescued('none', fixturePassphrase('legacy-hd-encrypted'));
    expect(facts.saved.keys).toBeGreaterThan(0);
  });
});

describe('sealed keys', () => {
  it('wait for their passphrase, and are plain with it', async () => {
    lay(SEALED);
    const main = (passphrase?: string) => rescuedFile(file, { logs: 'none', network: 'main' }, passphrase);
    expect((await main()).facts).toMatchObject({ sealed: 2, saved: { keys: 0 } });
    expect((await main('TestingOneTwoThree')).facts).toMatchObject({ sealed: 0, saved: { keys: 2 } });
  });
});

describe('what is written', () => {
  it('is the mended file: never over another one, nor of another file than the one that was seen', async () => {
    lay(unclean.bytes, unclean.log);
    const into = join(folder, 'into');
    mkdirSync(into);
    const asked = {
      ...{ path: file, sha256: sha256Of(unclean.bytes), folder: into },
      rescue: { logs: 'beside', network: 'regtest' },
    } as const;
    const { path, sha256 } = await repairInto(asked);
    expect(path).toBe(join(into, REPAIRED_FILE));
    expect(sha256Of(readFileSync(path))).toBe(sha256);
    await expect(repairInto(asked)).rejects.toMatchObject({ code: 'file_exists' });
    expect(sha256Of(readFileSync(path))).toBe(sha256);
    rmSync(path);
    await expect(repairInto({ ...asked, sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'file_changed',
    });
    expect(readdirSync(into)).toEqual([]);
  });
});

describe.skipIf(!foreignAreHere)(`a damaged file${foreignNote}`, () => {
  it('is told with the balance that its own page told, not with what came of it', async () => {
    const { bytes } = brokenWallet('damaged-some-leaves');
    lay(bytes);
    const asked = {
      path: file,
      sha256: sha256Of(bytes),
      folder,
      rescue: { logs: 'none', network: 'regtest' },
    } as const;
    const { facts } = await repairInto(asked);
    const { balance } = await inspect(bytes, { network: 'regtest' });
    expect(balance.spendable).toMatchObject({ confirmed: 310_000_000n, unconfirmed: 0n });
    expect(facts.balanceInFile).toMatchObject({ spendable: 310_000_000n, watched: 0n });
  });
});

describe('the inspection, a try of the passphrase and the repair in one thread', () => {
  it.each([
    { name: 'legacy-hd-encrypted', search: findBerkeleyRecords, repair: repairWallet, repairs: 2 },
    { name: 'descriptor-encrypted', search: findSqliteRecords, repair: repairDescriptors, repairs: 3 },
  ] as const)('search $name once, and repair it once without the passphrase', async (one) => {
    lay(walletFile(one.name));
    const [search, repair] = [vi.mocked(one.search), vi.mocked<(...args: never[]) => unknown>(one.repair)];
    search.mockClear();
    repair.mockClear();
    const rescue = { logs: 'none', network: 'regtest' } as const;
    const passphrase = fixturePassphrase(one.name) ?? '';
    const { sha256 } = await doWalletTask({ kind: 'inspect', task: { path: file, rescue } });
    const tried = { kind: 'tryPassphrase', task: { path: file, passphrase, rescue } } as const;
    expect(await doWalletTask(tried)).toBe('right');
    await doWalletTask({ kind: 'repair', task: { path: file, sha256, folder, rescue, passphrase } });
    expect(search).toHaveBeenCalledTimes(1);
    expect(repair).toHaveBeenCalledTimes(one.repairs);
  });
});
