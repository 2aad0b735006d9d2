import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, type Methods, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { createNodeClient } from '../rpc/client.ts';
import { releaseOf } from '../rpc/release.ts';
import type { NodeClient } from '../rpc/session.ts';
import { send, sendPlanned } from './call.ts';
import {
  listWalletDir,
  loadWallet,
  migrationCalls,
  parseMigrateResult,
  parseRestoreResult,
  restoreCall,
  unloadWallet,
  walletBalances,
  walletInfo,
} from './walletCalls.ts';

let node: RpcServer;
let client: NodeClient;
const knows = (methods: Methods) => node.answerWith(answering(methods));
const failing = (code: number) => () => {
  throw new RpcFailure(code, 'the words of the node');
};
const calls = () => node.calls.map(({ method, path, params }) => [method, path, params]);

beforeEach(async () => {
  node = await startRpcServer(answering({}));
  client = createNodeClient({
    address: node.address,
    credentials: { by: 'password', user: 'me', password: 'x' },
    retryPausesMs: [],
  });
});
afterEach(async () => {
  await client.close();
  await node.close();
});

describe('warnings', () => {
  it.each([
    ['none', {}, []],
    ['an empty warning', { warning: '' }, []],
    ['a warning of several lines', { warning: 'one\ntwo' }, ['one', 'two']],
    ['a list', { warnings: ['one', 'two'] }, ['one', 'two']],
    ['the same in both', { warning: 'one\ntwo', warnings: ['one', 'two'] }, ['one', 'two']],
    ['more in one than in the other', { warning: 'one\ntwo', warnings: ['two'] }, ['two', 'one']],
    ['a list with a text of several lines', { warning: 'one\ntwo', warnings: ['one\ntwo'] }, ['one\ntwo']],
    ['a list that repeats itself', { warnings: ['one', 'one'] }, ['one']],
  ])('%s', async (_, fields, warnings) => {
    knows({ loadwallet: () => ({ name: 'w', ...fields }) });
    expect(await loadWallet(client, 'w')).toEqual({ name: 'w', warnings });
  });

  it('are empty for a node that answers an unloading with null', async () => {
    knows({ unloadwallet: () => null });
    expect(await unloadWallet(client, 'w')).toEqual({ warnings: [] });
  });

  it('come with each wallet of the folder', async () => {
    knows({ listwalletdir: () => ({ wallets: [{ name: '' }, { name: 'w', warnings: ['old'] }] }) });
    expect(await listWalletDir(client)).toEqual([
      { name: '', warnings: [] },
      { name: 'w', warnings: ['old'] },
    ]);
  });
});

describe('a result of another shape', () => {
  it('is told by its fields, without their values', async () => {
    knows({ restorewallet: () => ({ name: 5, secret: 'value' }) });
    const call = restoreCall({ name: 'w', backupFile: '/b', loadOnStartup: null });
    const error = await send(client, call)
      .then((result) => parseRestoreResult(client, result))
      .catch((thrown: AppError) => thrown);
    expect(error).toMatchObject({ code: 'not_a_node', message: expect.stringContaining('name') });
    expect(JSON.stringify(error)).not.toContain('value');
  });
});

/** Sends the calls that are planned for it. */
async function migrate(
  release: number,
  { loaded = true, passphrase }: { loaded?: boolean; passphrase?: string } = {},
) {
  const calls = migrationCalls(releaseOf(release), {
    name: 'w',
    loaded,
    withPassphrase: passphrase !== undefined,
  });
  return parseMigrateResult(
    client,
    await sendPlanned(client, calls, { passphrase, verifyNode: async () => undefined }),
  );
}

describe('migrating on release 24.1 and 24.2', () => {
  it.each([240_100, 240_200])(
    'gives name and passphrase, which the call needs there (%i)',
    async (number) => {
      knows({
        walletpassphrase: () => null,
        // As 24.1 answered: an unlocked wallet is none to it.
        migratewallet: ({ params }) => {
          if (typeof params === 'object' && params !== null && 'passphrase' in params)
            return { wallet_name: 'w', backup_path: '/w/w-1.legacy.bak' };
          throw new RpcFailure(
            -4,
            'Error: Wallet decryption failed, the wallet passphrase was not provided or was incorrect.',
          );
        },
      });
      await migrate(number, { passphrase: 'p' });
      expect(calls()).toEqual([['migratewallet', '/', { wallet_name: 'w', passphrase: 'p' }]]);
    },
  );
});

describe('migrating on release 24.0', () => {
  const release = 240_001;
  const result = { wallet_name: 'w', backup_path: '/w/w-1.legacy.bak' };
  const migrated = {
    walletName: 'w',
    watchonlyName: null,
    solvablesName: null,
    backupPath: '/w/w-1.legacy.bak',
  };

  it('loads and unlocks the wallet, and calls without arguments on its path', async () => {
    knows({
      loadwallet: () => ({ name: 'w', warning: '' }),
      walletpassphrase: () => null,
      migratewallet: () => result,
    });
    expect(await migrate(release, { loaded: false, passphrase: 'p' })).toEqual(migrated);
    expect(calls()).toEqual([
      ['loadwallet', '/', ['w']],
      ['walletpassphrase', '/wallet/w', ['p', expect.any(Number)]],
      ['migratewallet', '/wallet/w', []],
    ]);
  });

  it('neither loads what is loaded nor unlocks what is not encrypted', async () => {
    knows({ migratewallet: () => result });
    await migrate(release);
    expect(calls().map(([method]) => method)).toEqual(['migratewallet']);
  });

  it('goes on where a passphrase was given for a wallet that needs none', async () => {
    knows({ walletpassphrase: failing(-15), migratewallet: () => result });
    expect(await migrate(release, { passphrase: 'p' })).toEqual(migrated);
  });

  it('does not migrate with a wrong passphrase', async () => {
    knows({ walletpassphrase: failing(-14), migratewallet: () => result });
    await expect(migrate(release, { passphrase: 'p' })).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
    expect(calls().map(([method]) => method)).not.toContain('migratewallet');
  });

  it('locks the wallet again when the node refuses to migrate it', async () => {
    knows({
      walletpassphrase: () => null,
      migratewallet: failing(-4),
      walletlock: () => null,
    });
    await expect(migrate(release, { passphrase: 'p' })).rejects.toMatchObject({
      code: 'wallet_error',
      node: { code: -4, message: 'the words of the node' },
    });
    expect(calls().at(-1)).toEqual(['walletlock', '/wallet/w', []]);
  });

  it('leaves the wallet alone when the line is cut: the migration may go on', async () => {
    const before = answering({ walletpassphrase: () => null });
    node.answerWith((asked, response) =>
      asked.method === 'migratewallet' ? response.destroy() : before(asked, response),
    );
    await expect(migrate(release, { passphrase: 'p' })).rejects.toMatchObject({
      code: 'connection_lost',
    });
    expect(calls().at(-1)?.[0]).toBe('migratewallet');
  });
});

describe('what a wallet holds', () => {
  const part = (trusted: number) => ({ trusted, untrusted_pending: 0.00000001, immature: 50 });

  it('is exact in satoshi', async () => {
    knows({ getbalances: () => ({ mine: { ...part(20999999.9769), used: 0.1 } }) });
    expect(await walletBalances(client, 'w')).toEqual({
      spendable: 2_099_999_997_690_000n,
      unconfirmed: 1n,
      immature: 5_000_000_000n,
      used: 10_000_000n,
      watched: null,
    });
  });

  it('keeps apart what a legacy wallet only watches', async () => {
    knows({ getbalances: () => ({ mine: part(0), watchonly: part(1.5) }) });
    expect((await walletBalances(client, 'w')).watched).toEqual({
      spendable: 150_000_000n,
      unconfirmed: 1n,
      immature: 5_000_000_000n,
      used: 0n,
    });
  });

  it('comes from getwalletinfo where there is no getbalances', async () => {
    knows({
      getwalletinfo: () => ({
        walletname: 'w',
        txcount: 1,
        balance: 2,
        unconfirmed_balance: 0,
        immature_balance: 1,
      }),
    });
    expect(await walletBalances(client, 'w')).toMatchObject({
      spendable: 200_000_000n,
      immature: 100_000_000n,
    });
  });
});

describe('what a wallet is', () => {
  it('tells an encrypted one that is being rescanned and cannot sign', async () => {
    knows({
      getwalletinfo: () => ({
        walletname: 'w',
        format: 'sqlite',
        txcount: 3,
        unlocked_until: 0,
        private_keys_enabled: false,
        descriptors: true,
        scanning: { duration: 12, progress: 1.00000003 },
        birthtime: 1_600_000_000,
      }),
    });
    expect(await walletInfo(client, 'w')).toEqual({
      descriptors: true,
      format: 'sqlite',
      blank: null,
      encrypted: true,
      privateKeys: false,
      scanning: 1,
      txcount: 3,
      birthTime: 1_600_000_000,
      balances: null,
    });
  });

  it.each([0, 1])('takes a birth time of %i for none', async (birthtime) => {
    knows({ getwalletinfo: () => ({ walletname: 'w', txcount: 0, birthtime }) });
    expect((await walletInfo(client, 'w')).birthTime).toBeNull();
  });
});
