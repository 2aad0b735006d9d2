import { statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ReceivedCall, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, type Methods, plainStatus, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { type Wallet, wallet as walletShape } from '../../../shared/model/wallet.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { conditionFiles } from '../../walletfile/testing/conditionFiles.ts';
import { createNodeClient } from '../rpc/client.ts';
import { releaseOf } from '../rpc/release.ts';
import type { Session } from '../rpc/session.ts';
import { readNodeStatus } from './status.ts';
import { listNodeWallets } from './wallets.ts';

let node: RpcServer;
let session: Session;
let folder: string;

type ReadFiles = Parameters<typeof listNodeWallets>[2];
/** Of each file that it cannot be read. */
const noneRead: ReadFiles = async (files, tell) => {
  for (const { path } of files) tell(path, null);
};

const holding = (spendable: bigint) => ({ spendable, watched: 0n, notYours: 0n });
const nameOf = ({ path }: ReceivedCall) => decodeURIComponent(path.slice('/wallet/'.length));
const listing = (inFolder: readonly object[], loaded: readonly string[]): Methods => ({
  listwalletdir: () => ({ wallets: inFolder }),
  listwallets: () => loaded,
});
const details: Methods = {
  getwalletinfo: (asked) => ({ walletname: nameOf(asked), txcount: 2, descriptors: true, scanning: false }),
  getbalances: () => ({ mine: { trusted: 1, untrusted_pending: 0.5, immature: 0.25, used: 0.125 } }),
};
const knows = (...methods: Methods[]) =>
  node.answerWith(answering(Object.assign({}, plainStatus, ...methods)));
const withStatus = (status: Partial<NodeStatus>) => {
  session = { client: session.client, status: { ...session.status, ...status } };
};

/** The rows at once, and those that follow until there are as many as are pending. */
async function list(
  readFiles = noneRead,
  readInterruption?: Parameters<typeof listNodeWallets>[3],
): Promise<{ rows: Wallet[]; details: Wallet[] }> {
  const emitted: Wallet[] = [];
  let done: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  let awaited = Number.POSITIVE_INFINITY;
  const rows = await listNodeWallets(
    session,
    (wallet) => {
      emitted.push(wallet);
      if (emitted.length === awaited) done();
    },
    readFiles,
    readInterruption,
  );
  awaited = rows.filter((row) => row.pending).length;
  if (emitted.length >= awaited) done();
  await all;
  return { rows, details: emitted };
}

beforeEach(async () => {
  node = await startRpcServer(answering(plainStatus));
  const client = createNodeClient({
    address: node.address,
    credentials: { by: 'password', user: 'me', password: 'x' },
    retryPausesMs: [],
  });
  session = { client, status: await readNodeStatus(client, { local: false, label: 'x' }) };
  folder = await mkdtemp(join(tmpdir(), 'ferry-wallets-'));
});
afterEach(async () => {
  await session.client.close();
  await node.close();
  await rm(folder, { recursive: true });
});

describe('the rows', () => {
  it('are every wallet of the folder and every loaded one, at once', async () => {
    knows(details, listing([{ name: 'b' }, { name: '', warnings: ['old'] }], ['b', 'outside']));
    const { rows } = await list();
    expect(rows.map(({ name, loaded, pending, warnings }) => [name, loaded, pending, warnings])).toEqual([
      ['', false, false, ['old']],
      ['b', true, true, []],
      ['outside', true, true, []],
    ]);
    expect(rows[0]).toMatchObject({ kind: 'unknown', balance: null, encrypted: null, problem: null });
  });

  it('tell the kind of unloaded wallets by their files where the folder is proved', async () => {
    for (const name of ['legacy-hd', 'descriptor-hd'] as const) {
      await mkdir(join(folder, name));
      await cp(fixtureFile(name), join(folder, name, 'wallet.dat'));
    }
    knows(listing([{ name: 'legacy-hd' }, { name: 'descriptor-hd' }, { name: 'gone' }], []));
    withStatus({ walletsFolder: folder });
    const { rows } = await list();
    expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
      ['descriptor-hd', 'descriptor'],
      ['gone', 'unknown'],
      ['legacy-hd', 'legacy'],
    ]);
  });

  it.each([
    [310000, 'legacy'],
    [290300, 'unknown'],
  ])('take a warning on release %i for a wallet that is %s', async (number, kind) => {
    knows(
      listing(
        [
          { name: 'a', warnings: ['This wallet is …'] },
          { name: 'b', warnings: [] },
        ],
        [],
      ),
    );
    withStatus({ release: releaseOf(number) });
    const { rows } = await list();
    expect(rows.map((row) => row.kind)).toEqual([kind, 'unknown']);
  });

  it('fail for a node without wallets', async () => {
    node.answerWith(answering({}));
    await expect(listNodeWallets(session, () => undefined, noneRead)).rejects.toMatchObject({
      code: 'no_wallet_support',
    });
  });
});

describe('of a wallet that is not loaded', () => {
  it('tells what its file holds, and its size', async () => {
    for (const name of ['legacy-hd', 'descriptor-hd'] as const) {
      await mkdir(join(folder, name));
      await cp(fixtureFile(name), join(folder, name, 'wallet.dat'));
    }
    knows(details, listing([{ name: 'legacy-hd' }, { name: 'descriptor-hd' }], ['descriptor-hd']));
    withStatus({ walletsFolder: folder });
    const { rows, details: told } = await list(async (files, tell) => {
      const path = join(folder, 'legacy-hd', 'wallet.dat');
      const { size } = statSync(path);
      // The loaded one is looked at apart from it.
      if (!files.some((file) => file.path === path)) return;
      expect(files).toMatchObject([{ path, size }]);
      tell(path, { encrypted: true, balance: holding(3n) });
    });
    expect(rows.map(({ size, pending, fromFile }) => [size, pending, fromFile])).toEqual([
      [statSync(fixtureFile('descriptor-hd')).size, true, false],
      [statSync(fixtureFile('legacy-hd')).size, true, false],
    ]);
    expect(told.find(({ name }) => name === 'legacy-hd')).toMatchObject({
      ...{ encrypted: true, balance: holding(3n), fromFile: true, pending: false, kind: 'legacy' },
    });
    expect(told.find(({ name }) => name === 'descriptor-hd')).toMatchObject({ fromFile: false });
  });

  it('says what to do with a half-made wallet, if known', async () => {
    for (const name of ['half', 'unread']) {
      await mkdir(join(folder, name));
      await cp(fixtureFile('descriptor-hd'), join(folder, name, 'wallet.dat'));
    }
    knows(listing([{ name: 'half' }, { name: 'unread' }], []));
    withStatus({ walletsFolder: folder });
    const { details: told } = await list(
      async (files, tell) => files.forEach(({ path }) => void tell(path, { kind: 'interrupted' })),
      async (name) => {
        if (name === 'unread') throw new Error('no such file');
        return { copies: 0, backAs: 'whole' };
      },
    );
    const half = told.find(({ name }) => name === 'half');
    expect(half).toMatchObject({ kind: 'interrupted', interruption: { copies: 0, backAs: 'whole' } });
    expect(told.find(({ name }) => name === 'unread')).not.toHaveProperty('interruption');
  });

  it('lists an interrupted wallet that the node does not, if it can be put back', async () => {
    const early = Buffer.alloc(4096);
    early.write('SQLite format 3\0');
    for (const name of ['early', 'aside', 'lost']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'wallet.dat'), early);
    }
    await writeFile(join(folder, 'wallet.dat'), '');
    knows(listing([{ name: 'old' }], []));
    withStatus({ walletsFolder: folder });
    const { rows } = await list(noneRead, async (name) => {
      if (name === 'aside') return { copies: 1, backAs: 'whole' };
      return { copies: name === 'lost' ? 0 : 2 };
    });
    expect(rows).toMatchObject([
      { name: '', kind: 'interrupted', loaded: false, size: 0, interruption: { copies: 2 } },
      { name: 'early', kind: 'interrupted', loaded: false, size: 4096, interruption: { copies: 2 } },
      { name: 'old' },
    ]);
  });

  it('lists an interrupted wallet in a nested or linked folder, and one whose file is gone', async () => {
    const early = Buffer.alloc(4096);
    early.write('SQLite format 3\0');
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    for (const place of [join(folder, 'family', 'alice'), join(elsewhere, 'inside')]) {
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'wallet.dat'), early);
    }
    await writeFile(join(elsewhere, 'wallet.dat'), early);
    await symlink(elsewhere, join(folder, 'linked'), 'junction');
    for (const name of ['gone', 'family/gone', 'emptied by its owner']) await mkdir(join(folder, name));
    for (const name of ['gone_1795651099', 'other_1795651099', 'never-1795651099'])
      await writeFile(join(folder, `${name}.legacy.bak`), '');
    knows(listing([{ name: 'old' }], []));
    withStatus({ walletsFolder: folder });
    const { rows } = await list(noneRead, async () => ({ copies: 1 }));
    expect(rows.map(({ name, size }) => [name, size])).toEqual([
      ['family/alice', 4096],
      ['family/gone', null],
      ['gone', null],
      ['linked', 4096],
      ['old', null],
    ]);
  });

  it('says nothing of a file that cannot be read', async () => {
    await mkdir(join(folder, 'old'));
    await cp(fixtureFile('legacy-hd'), join(folder, 'old', 'wallet.dat'));
    knows(listing([{ name: 'old' }], []));
    withStatus({ walletsFolder: folder });
    const { details: told } = await list();
    expect(told).toMatchObject([{ encrypted: null, balance: null, pending: false, problem: null }]);
  });
});

describe('of a loaded wallet whose file crashes a node', () => {
  it('asks for no balance and no descriptors, and says why', async () => {
    const bytes = await conditionFiles['transaction-id']();
    const { conditions } = await inspect(bytes.bytes, { network: 'regtest' });
    for (const name of ['bad', 'good']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'wallet.dat'), bytes.bytes);
    }
    const asked: string[] = [];
    const counted = (name: string, answer: Methods[string] | undefined): Methods => ({
      [name]: (call) => {
        asked.push(`${name} ${nameOf(call)}`);
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
    const { details: told } = await list(async (files, tell) => {
      for (const { path } of files) tell(path, path.includes('bad') ? { conditions } : { conditions: [] });
    });
    expect(asked.filter((one) => one.endsWith('bad'))).toEqual(['getwalletinfo bad']);
    expect(asked).toContain('getbalances good');
    expect(told.find(({ name }) => name === 'bad')).toMatchObject({
      ...{ balance: null, pending: false, loaded: true, transactions: 0 },
      problem: { code: 'stopped_by_check', message: 'Asking for its balance would crash the node.' },
    });
    expect(told.find(({ name }) => name === 'good')).toMatchObject({ problem: null });
  });
});

describe('the details', () => {
  it('follow for each loaded wallet', async () => {
    knows(details, listing([{ name: 'a/b' }], ['a/b']));
    const [wallet] = (await list()).details;
    // What crosses to the page is the encoded form of this.
    expect(() => walletShape.encode(wallet as Wallet)).not.toThrow();
    expect(wallet).toEqual({
      name: 'a/b',
      kind: 'descriptor',
      loaded: true,
      encrypted: false,
      watchOnly: false,
      balance: holding(187_500_000n),
      spendable: 100_000_000n,
      transactions: 2,
      birthTime: null,
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
    const info = ({ path }: ReceivedCall) => ({
      walletname: nameOf({ path } as ReceivedCall),
      txcount: 0,
      descriptors: false,
      private_keys_enabled: !path.endsWith('watching'),
    });
    knows(
      { getwalletinfo: info, getbalances: () => balances },
      listing([{ name: 'watching' }, { name: 'mixed' }], ['watching', 'mixed']),
    );
    const byName = new Map((await list()).details.map((each) => [each.name, each]));
    expect(byName.get('watching')).toMatchObject({
      watchOnly: true,
      balance: { spendable: 0n, watched: 300_000_000n, notYours: 0n },
      spendable: 100_000_000n,
    });
    expect(byName.get('mixed')).toMatchObject({
      ...{ watchOnly: false, kind: 'legacy', spendable: 0n },
      balance: { spendable: 0n, watched: 300_000_000n, notYours: 0n },
    });
  });

  it('tell how far a rescan is', async () => {
    const scanning = { duration: 60, progress: 0.42 };
    knows(
      details,
      { getwalletinfo: (asked) => ({ walletname: nameOf(asked), txcount: 0, scanning }) },
      listing([], ['a']),
    );
    expect((await list()).details[0]?.scanning).toBe(0.42);
  });

  it('that cannot be read become a problem of that wallet alone', async () => {
    const info = (asked: ReceivedCall) => {
      if (nameOf(asked) === 'busy') throw new RpcFailure(-4, 'Wallet is currently rescanning.');
      return details.getwalletinfo?.(asked);
    };
    const balances = (asked: ReceivedCall) => {
      if (nameOf(asked) === 'poor') throw new RpcFailure(-1, 'no');
      return details.getbalances?.(asked);
    };
    knows({ getwalletinfo: info, getbalances: balances }, listing([], ['busy', 'fine', 'poor']));
    const byName = new Map((await list()).details.map((each) => [each.name, each]));
    expect(byName.get('busy')).toMatchObject({
      pending: false,
      problem: { code: 'wallet_error', node: { message: 'Wallet is currently rescanning.' } },
    });
    expect(byName.get('poor')).toMatchObject({
      transactions: 2,
      balance: null,
      problem: { code: 'misc_error' },
    });
    expect(byName.get('fine')).toMatchObject({ problem: null, balance: holding(187_500_000n) });
  });

  it('of 500 wallets come with never more than four questions at a time', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `w${index}`);
    let atOnce = 0;
    let most = 0;
    let waiting: (() => void)[] = [];
    // Each answer waits until four are asked for, so that fewer would never end.
    const together = (method: string) => async (asked: ReceivedCall) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 4) return;
        for (const answer of waiting) answer();
        waiting = [];
      });
      atOnce -= 1;
      return details[method]?.(asked);
    };
    knows(
      { getwalletinfo: together('getwalletinfo'), getbalances: together('getbalances') },
      listing(
        names.map((name) => ({ name })),
        names,
      ),
    );
    const { rows, details: all } = await list();
    expect(rows).toHaveLength(500);
    expect(new Set(all.map((each) => each.name)).size).toBe(500);
    expect(all.every((each) => each.problem === null && !each.pending)).toBe(true);
    expect(most).toBe(4);
  });

  it('of an older list end when a newer one begins', async () => {
    const asked: (() => void)[] = [];
    const reached = new Promise<void>((resolve) => {
      knows(
        {
          getwalletinfo: (call) =>
            new Promise((answer) => {
              asked.push(() => answer(details.getwalletinfo?.(call)));
              resolve();
            }),
        },
        listing([], ['a']),
      );
    });
    const older: Wallet[] = [];
    await listNodeWallets(session, (wallet) => older.push(wallet), noneRead);
    await reached;
    knows(details, listing([], ['a']));
    const { details: newer } = await list();
    for (const answer of asked) answer();
    expect(newer).toHaveLength(1);
    expect(older).toEqual([]);
  });
});
