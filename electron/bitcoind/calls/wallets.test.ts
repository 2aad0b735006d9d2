import { statSync } from 'node:fs';
import { cp, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod/mini';
import type { ReceivedCall, RpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, type Methods, plainStatus, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { type Wallet, wallet as walletShape } from '../../../shared/model/wallet.ts';
import { CAN_LINK } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { conditionFiles } from '../../walletfile/testing/conditionFiles.ts';
import type { Session } from '../rpc/session.ts';
import { releaseOf } from '../rpc/session.ts';
import { startTestClient } from '../testing/testClient.ts';
import { readNodeStatus } from './status.ts';
import { listNodeWallets } from './wallets.ts';

const slept = vi.hoisted(() => ({ seconds: 0 }));
vi.mock('node:os', async (load) => {
  const os = await load<typeof import('node:os')>();
  return { ...os, uptime: () => process.hrtime()[0] + slept.seconds };
});

let node: RpcServer;
let session: Session;
let folder: string;

type ReadFiles = Parameters<typeof listNodeWallets>[2];
/** Reports that no file can be read. */
const noneRead: ReadFiles = async (files, report) => {
  for (const { path } of files) report(path, null);
};

const holding = (spendable: bigint) => ({ spendable, watched: 0n, notYours: 0n });
const nameOf = ({ path }: ReceivedCall) => decodeURIComponent(path.slice('/wallet/'.length));
const listing = (inFolder: readonly object[], loaded: readonly string[]): Methods => ({
  listwalletdir: () => ({ wallets: inFolder }),
  listwallets: () => loaded,
});
const details: Methods = {
  getwalletinfo: (call) => ({ walletname: nameOf(call), txcount: 2, descriptors: true, scanning: false }),
  getbalances: () => ({ mine: { trusted: 1, untrusted_pending: 0.5, immature: 0.25, used: 0.125 } }),
};
const knows = (...methods: Methods[]) =>
  node.answerWith(answering(Object.assign({}, plainStatus, ...methods)));
const withStatus = (status: Partial<NodeStatus>) => {
  session = { client: session.client, status: { ...session.status, ...status } };
};

/** Lists the wallets, and waits for the details of the pending ones. */
async function list(readFiles = noneRead, readInterruption?: Parameters<typeof listNodeWallets>[3]) {
  const found: Wallet[] = [];
  const emit = (wallet: Wallet) => void found.push(wallet);
  const rows = await listNodeWallets(session, emit, readFiles, readInterruption);
  const pending = rows.filter((row) => row.pending).length;
  await vi.waitUntil(() => found.length >= pending, { timeout: 20_000, interval: 5 });
  return { rows, details: found, byName: (name: string) => found.find((each) => each.name === name) };
}

beforeEach(async () => {
  const started = await startTestClient(answering(plainStatus));
  const { client } = started;
  ({ node } = started);
  session = { client, status: await readNodeStatus(client, { local: false, label: 'x' }) };
  folder = makeTestFolder();
});

/** Puts recorded wallets into the proved wallets folder. */
async function putFixtures(wallets: Readonly<Record<string, Parameters<typeof fixtureFile>[0]>>) {
  for (const [name, fixture] of Object.entries(wallets)) {
    await mkdir(join(folder, name));
    await cp(fixtureFile(fixture), join(folder, name, 'wallet.dat'));
  }
  withStatus({ walletsFolder: folder });
}

/** A database that names no network, as a killed node leaves it. No node lists it. */
const unlisted = Buffer.alloc(4096);
unlisted.write('SQLite format 3\0');

describe('the list', () => {
  it('has every wallet of the folder and every loaded one at once', async () => {
    knows(details, listing([{ name: 'b' }, { name: '', warnings: ['old'] }], ['b', 'outside']));
    const { rows } = await list();
    expect(rows.map(({ name, loaded, pending, warnings }) => [name, loaded, pending, warnings])).toEqual([
      ['', false, false, ['old']],
      ['b', true, true, []],
      ['outside', true, true, []],
    ]);
    expect(rows[0]).toMatchObject({ kind: 'unknown', balance: null, encrypted: null, problem: null });
  });

  it('shows the kind of unloaded wallets by their files if the folder is proved', async () => {
    await putFixtures({ 'legacy-hd': 'legacy-hd', 'descriptor-hd': 'descriptor-hd' });
    knows(listing([{ name: 'legacy-hd' }, { name: 'descriptor-hd' }, { name: 'gone' }], []));
    const { rows } = await list();
    expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
      ['descriptor-hd', 'descriptor'],
      ['gone', 'unknown'],
      ['legacy-hd', 'legacy'],
    ]);
  });

  it('reports a loaded wallet whose file was removed, but none from outside the folder', async () => {
    await putFixtures({ here: 'descriptor-hd' });
    const outside = join(folder, '..', 'outside');
    const names = ['here', 'removed', '', outside, '../outside', ...(CAN_LINK ? ['linked'] : [])];
    if (CAN_LINK) await symlink(outside, join(folder, 'linked'));
    knows(details, listing([{ name: 'here' }], names));
    const { details: found } = await list();
    const removed = found.filter(({ problem }) => problem?.code === 'file_missing');
    expect(removed.map(({ name }) => name).sort()).toEqual(['', 'removed']);
  });

  it.each([
    [310000, 'legacy'],
    [290300, 'unknown'],
  ])('shows the kind by the warnings of release %i: %s', async (number, kind) => {
    const inFolder = [{ name: 'a', warnings: ['This wallet is …'] }, { name: 'b' }];
    knows(listing(inFolder, []));
    withStatus({ release: releaseOf(number) });
    const { rows } = await list();
    expect(rows.map((row) => row.kind)).toEqual([kind, 'unknown']);
  });

  it('has a wallet once that is loaded under another name', async () => {
    await putFixtures({ sav: 'descriptor-hd', full: 'descriptor-hd', sub: 'descriptor-hd' });
    const inFolder = ['sav', 'full', 'sub'].map((name) => ({ name }));
    knows(details, listing(inFolder, ['./sav', join(folder, 'full'), 'gone']));
    const { rows } = await list();
    const names = ['./sav', join(folder, 'full'), 'gone', 'sub'];
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('fails for a node without wallet calls', async () => {
    node.answerWith(answering({}));
    await expect(list()).rejects.toMatchObject({ code: 'no_wallet_support' });
  });
});

describe('an unloaded wallet', () => {
  it('has the facts and the size of its file', async () => {
    await putFixtures({ 'legacy-hd': 'legacy-hd', 'descriptor-hd': 'descriptor-hd' });
    knows(details, listing([{ name: 'legacy-hd' }, { name: 'descriptor-hd' }], ['descriptor-hd']));
    const { rows, byName } = await list(async (files, report, signal, of) => {
      const path = join(folder, 'legacy-hd', 'wallet.dat');
      const { size } = statSync(path);
      // The loaded wallet's file is read separately.
      if (!files.some((file) => file.path === path)) return noneRead(files, report, signal, of);
      expect(of).toBe('unloaded');
      expect(files).toMatchObject([{ path, size }]);
      report(path, { encrypted: true, balance: holding(3n) });
    });
    expect(rows.map(({ size, pending, fromFile }) => [size, pending, fromFile])).toEqual([
      [statSync(fixtureFile('descriptor-hd')).size, true, false],
      [statSync(fixtureFile('legacy-hd')).size, true, false],
    ]);
    const facts = { encrypted: true, balance: holding(3n), fromFile: true, pending: false, kind: 'legacy' };
    expect(byName('legacy-hd')).toMatchObject(facts);
    expect(byName('descriptor-hd')).toMatchObject({ fromFile: false });
  });

  it('has the path of its file if the file is damaged', async () => {
    await putFixtures({ cut: 'legacy-hd', whole: 'legacy-hd' });
    knows(listing([{ name: 'cut' }, { name: 'whole' }], []));
    const cut = join(folder, 'cut', 'wallet.dat');
    const { byName } = await list(async (files, report) =>
      files.forEach(({ path }) => void report(path, { damaged: path === cut })),
    );
    expect(byName('cut')?.damagedFile).toBe(cut);
    expect(byName('whole')).not.toHaveProperty('damagedFile');
    expect(byName('cut')).not.toHaveProperty('damaged');
  });

  it('shows how to put a half-migrated wallet back, if known', async () => {
    const moved = 'half.interrupted-20261120-130640_watchonly';
    await putFixtures({ half: 'descriptor-hd', unread: 'descriptor-hd', [moved]: 'descriptor-hd' });
    knows(listing([{ name: 'half' }, { name: 'unread' }, { name: moved }], []));
    const { byName } = await list(
      async (files, report) =>
        files.forEach(({ path }) => {
          const kind = path.includes(moved) ? 'descriptor' : 'interrupted';
          void report(path, { kind, balance: holding(0n), encrypted: false });
        }),
      async (name) => {
        if (name === 'unread') throw new Error('no such file');
        return { copies: 0, restoredAs: 'whole' };
      },
    );
    const interruption = { copies: 0, restoredAs: 'whole' };
    // A half-migrated file shows no coins and no encryption, whatever the wallet holds.
    const unknown = { balance: null, encrypted: null };
    for (const name of ['half', moved])
      expect(byName(name)).toMatchObject({ kind: 'interrupted', interruption, ...unknown });
    expect(byName('unread')).not.toHaveProperty('interruption');
  });

  it.each([
    ['left pending while the node may be migrating it', 60, 0, true],
    ['interrupted if the node works on another one', 1, 0, false],
    // Only there, the clock of a node's calls stands still.
    ['left pending on Linux if the computer slept meanwhile', 1, 3600, process.platform === 'linux'],
  ])('is %s', async (_, seconds, asleep, isPending) => {
    slept.seconds = asleep;
    onTestFinished(() => {
      slept.seconds = 0;
    });
    await putFixtures({ half: 'descriptor-hd' });
    await mkdir(join(folder, 'early'));
    await writeFile(join(folder, 'early', 'wallet.dat'), unlisted);
    const changed = Date.now() / 1000 - 30;
    for (const name of ['half', 'early']) await utimes(join(folder, name, 'wallet.dat'), changed, changed);
    const active_commands = [{ method: 'migratewallet', duration: seconds * 1_000_000 }];
    knows({ ...listing([{ name: 'half' }], []), getrpcinfo: () => ({ active_commands }) });
    const { rows, byName } = await list(
      async (files, report) => files.forEach(({ path }) => void report(path, { kind: 'interrupted' })),
      async () => ({ copies: 1 }),
    );
    expect(rows.map(({ name }) => name)).toEqual(isPending ? ['half'] : ['early', 'half']);
    expect(byName('half')).toMatchObject({
      kind: isPending ? 'descriptor' : 'interrupted',
      pending: isPending,
    });
  });

  it('is listed without the node if it was interrupted and can be put back', async () => {
    for (const name of ['early', 'aside', 'lost', 'no copy']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'wallet.dat'), unlisted);
    }
    const journal = Buffer.alloc(512);
    journal.write('d9d505f920a163d7', 'hex');
    await writeFile(join(folder, 'no copy', 'wallet.dat-journal'), journal);
    await writeFile(join(folder, 'wallet.dat'), '');
    knows(listing([{ name: 'old' }], []));
    withStatus({ walletsFolder: folder });
    const { rows } = await list(noneRead, async (name) => {
      if (name === 'aside') return { copies: 1, restoredAs: 'whole' };
      return { copies: ['lost', 'no copy'].includes(name) ? 0 : 2 };
    });
    expect(rows).toMatchObject([
      { name: '', kind: 'interrupted', loaded: false, size: 0, interruption: { copies: 2 } },
      { name: 'early', kind: 'interrupted', loaded: false, size: 4096, interruption: { copies: 2 } },
      { name: 'no copy', kind: 'interrupted', interruption: { copies: 0 } },
      { name: 'old' },
    ]);
  });

  it('is listed even in a nested or linked folder, or if its file is gone', async () => {
    const elsewhere = makeTestFolder();
    for (const place of [join(folder, 'family', 'alice'), join(elsewhere, 'inside')]) {
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'wallet.dat'), unlisted);
    }
    await writeFile(join(elsewhere, 'wallet.dat'), unlisted);
    const emptied = join(elsewhere, 'real place');
    await mkdir(emptied);
    if (CAN_LINK) {
      await symlink(elsewhere, join(folder, 'linked'), 'junction');
      await symlink(emptied, join(folder, 'linked, gone'), 'junction');
    }
    for (const name of ['gone', 'family/gone', 'emptied by its owner']) await mkdir(join(folder, name));
    // A node names the backup after the folder to which a wallet links.
    const backups = ['gone', 'other', 'never', 'default_wallet', 'real place'];
    for (const name of backups.map((stem) => `${stem}_1795651099`))
      await writeFile(join(folder, `${name}.legacy.bak`), '');
    knows(listing([{ name: 'old' }], []));
    withStatus({ walletsFolder: folder });
    const { rows } = await list(noneRead, async () => ({ copies: 1 }));
    expect(rows.map(({ name, size }) => [name, size])).toEqual([
      ['family/alice', 4096],
      ['family/gone', null],
      ['gone', null],
      ...(CAN_LINK
        ? [
            ['linked', 4096],
            ['linked, gone', null],
          ]
        : []),
      ['old', null],
    ]);
  });

  it('has no facts if its file cannot be read', async () => {
    await putFixtures({ old: 'legacy-hd' });
    knows(listing([{ name: 'old' }], []));
    const { details: found } = await list();
    expect(found).toMatchObject([{ encrypted: null, balance: null, pending: false, problem: null }]);
  });
});

describe('a loaded wallet whose file would crash the node', () => {
  it('gets no call for its balance or descriptors, and shows why', async () => {
    const bytes = await conditionFiles['transaction-id']();
    const { conditions } = await inspect(bytes.bytes, { network: 'regtest' });
    for (const name of ['bad', 'good']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'wallet.dat'), bytes.bytes);
    }
    const sent: string[] = [];
    const counted = (name: string, answer: Methods[string] | undefined): Methods => ({
      [name]: (call) => {
        sent.push(`${name} ${nameOf(call)}`);
        return answer?.(call);
      },
    });
    const info = ({ path }: ReceivedCall) => ({
      walletname: path,
      txcount: 0,
      descriptors: true,
      blank: false,
    });
    knows(
      counted('getwalletinfo', info),
      counted('getbalances', details.getbalances),
      counted('listdescriptors', () => ({ descriptors: [{}] })),
      listing([{ name: 'bad' }, { name: 'good' }], ['bad', 'good']),
    );
    withStatus({ walletsFolder: folder, release: releaseOf(310_000) });
    const { byName } = await list(async (files, report) => {
      for (const { path } of files) report(path, path.includes('bad') ? { conditions } : { conditions: [] });
    });
    expect(sent.filter((one) => one.endsWith('bad'))).toEqual(['getwalletinfo bad']);
    expect(sent).toContain('getbalances good');
    expect(byName('bad')).toMatchObject({
      balance: null,
      pending: false,
      loaded: true,
      transactions: 0,
      problem: { code: 'stopped_by_check', message: 'Asking for its balance would crash the node.' },
    });
    expect(byName('good')).toMatchObject({ problem: null });
  });
});

describe('the details', () => {
  it('identify the descriptors of a wallet whose file is out of reach, in the spelling of any release', async () => {
    const idOf = async (...texts: string[]) => {
      const listdescriptors = () => ({ descriptors: texts.map((desc) => ({ desc })) });
      knows(details, { listdescriptors }, listing([{ name: 'w' }], ['w']));
      return (await list()).details[0]?.descriptorsId;
    };
    const id = await idOf("wpkh([1a2b3c4d/84'/1'/0']tpub/0/*)#aaaa", 'pk(02)');
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(await idOf('pk(02)', 'wpkh([1a2b3c4d/84h/1h/0h]tpub/0/*)#bbbb')).toBe(id);
    expect(await idOf('pk(02)')).not.toBe(id);
  });

  it('ask only after a while again for many descriptors, not with each block', async () => {
    let asked = 0;
    const listdescriptors = () => {
      asked++;
      return { descriptors: Array.from({ length: 1001 }, (_, at) => ({ desc: `pk(${at})` })) };
    };
    knows(details, { listdescriptors }, listing([{ name: 'w' }], ['w']));
    const idOf = async () => (await list()).details[0]?.descriptorsId;
    const id = await idOf();
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect([await idOf(), asked]).toEqual([id, 1]);
    const later = performance.now() + 600_001;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    expect([await idOf(), asked]).toEqual([id, 2]);
    clock.mockRestore();
  });

  it('arrive for each loaded wallet', async () => {
    const getwalletinfo = () => ({ txcount: 2, descriptors: true, birthtime: 1_700_000_000 });
    knows(details, { getwalletinfo }, listing([{ name: 'a/b' }], ['a/b']));
    const [wallet] = (await list()).details;
    // The page gets the encoded form.
    expect(() => z.encode(walletShape, wallet as Wallet)).not.toThrow();
    expect(wallet).toEqual({
      name: 'a/b',
      kind: 'descriptor',
      loaded: true,
      encrypted: false,
      watchOnly: false,
      birthTime: 1_700_000_000,
      balance: holding(187_500_000n),
      spendable: 100_000_000n,
      transactions: 2,
      size: null,
      fromFile: false,
      scanning: null,
      warnings: [],
      pending: false,
      problem: null,
    });
  });

  it('separate watched from spendable coins', async () => {
    const balances = {
      mine: { trusted: 0, untrusted_pending: 0, immature: 0 },
      watchonly: { trusted: 1, untrusted_pending: 0, immature: 2 },
    };
    const info = (call: ReceivedCall) => ({
      walletname: nameOf(call),
      txcount: 0,
      descriptors: false,
      private_keys_enabled: !call.path.endsWith('watching'),
    });
    const names = ['watching', 'mixed'];
    const inFolder = names.map((name) => ({ name }));
    knows({ getwalletinfo: info, getbalances: () => balances }, listing(inFolder, names));
    const { byName } = await list();
    const balance = { spendable: 0n, watched: 300_000_000n, notYours: 0n };
    expect(byName('watching')).toMatchObject({ watchOnly: true, balance, spendable: 100_000_000n });
    expect(byName('mixed')).toMatchObject({ watchOnly: false, kind: 'legacy', spendable: 0n, balance });
  });

  it('include the progress of a rescan', async () => {
    const scanning = { duration: 60, progress: 0.42 };
    const getwalletinfo = (call: ReceivedCall) => ({ walletname: nameOf(call), txcount: 0, scanning });
    knows(details, { getwalletinfo }, listing([], ['a']));
    expect((await list()).details[0]?.scanning).toBe(0.42);
  });

  it('become a problem of one wallet if they cannot be read', async () => {
    const info = (call: ReceivedCall) => {
      if (nameOf(call) === 'busy') throw new RpcFailure(-4, 'Wallet is currently rescanning.');
      return details.getwalletinfo?.(call);
    };
    const balances = (call: ReceivedCall) => {
      if (nameOf(call) === 'poor') throw new RpcFailure(-1, 'no');
      return details.getbalances?.(call);
    };
    knows({ getwalletinfo: info, getbalances: balances }, listing([], ['busy', 'fine', 'poor']));
    const { byName } = await list();
    const problem = { code: 'wallet_error', node: { message: 'Wallet is currently rescanning.' } };
    expect(byName('busy')).toMatchObject({ pending: false, problem });
    const poor = { transactions: 2, balance: null, problem: { code: 'misc_error' } };
    expect(byName('poor')).toMatchObject(poor);
    expect(byName('fine')).toMatchObject({ problem: null, balance: holding(187_500_000n) });
  });

  it('of a loaded wallet arrive before the next file is read', async () => {
    await putFixtures({ one: 'descriptor-hd', two: 'descriptor-hd' });
    const methods: string[] = [];
    let next: () => void = () => undefined;
    const getbalances = (call: ReceivedCall) => {
      methods.push(nameOf(call));
      next();
      return details.getbalances?.(call);
    };
    knows(details, { getbalances }, listing([{ name: 'one' }, { name: 'two' }], ['one', 'two']));
    await list(async (files, report) => {
      for (const { path } of files) {
        const isAsked = new Promise<void>((resolve) => {
          next = resolve;
        });
        report(path, { conditions: [] });
        await isAsked;
      }
    });
    expect(methods).toEqual(['one', 'two']);
  });

  it.each([
    ['four', 4, 280_100],
    ['twelve', 12, 290_000],
  ])('of 36 wallets take at most %s calls at a time, as the node allows', async (_, limit, release) => {
    withStatus({ release: releaseOf(release) });
    const names = Array.from({ length: 36 }, (_, index) => `w${index}`);
    let atOnce = 0;
    let most = 0;
    let waiting: (() => void)[] = [];
    // Each answer waits for so many calls, so the test would not end with fewer at a time.
    const together = (method: string) => async (call: ReceivedCall) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < limit) return;
        for (const answer of waiting) answer();
        waiting = [];
      });
      atOnce -= 1;
      return details[method]?.(call);
    };
    const inFolder = names.map((name) => ({ name }));
    const [getwalletinfo, getbalances] = [together('getwalletinfo'), together('getbalances')];
    knows({ getwalletinfo, getbalances }, listing(inFolder, names));
    const { rows, details: all } = await list();
    expect(rows).toHaveLength(36);
    expect(new Set(all.map((each) => each.name)).size).toBe(36);
    expect(all.every((each) => each.problem === null && !each.pending)).toBe(true);
    expect(most).toBe(limit);
  });

  it('of an older list end when a newer one starts', async () => {
    const answers: (() => void)[] = [];
    const getwalletinfo = (call: ReceivedCall) =>
      new Promise((answer) => answers.push(() => answer(details.getwalletinfo?.(call))));
    knows({ getwalletinfo }, listing([], ['a']));
    const older: Wallet[] = [];
    await listNodeWallets(session, (wallet) => older.push(wallet), noneRead);
    await expect.poll(() => answers).toHaveLength(1);
    knows(details, listing([], ['a']));
    const { details: newer } = await list();
    for (const answer of answers) answer();
    expect(newer).toHaveLength(1);
    expect(older).toEqual([]);
  });
});
