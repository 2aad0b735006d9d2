import { beforeEach, describe, expect, it } from 'vitest';
import type { RpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, type Methods, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { failing } from '../../files/testing/failing.ts';
import type { NodeClient } from '../rpc/session.ts';
import { releaseOf } from '../rpc/session.ts';
import { startTestClient } from '../testing/testClient.ts';
import { send, sendPlanned } from './call.ts';
import {
  loadWallet,
  migrationCalls,
  parseMigrateResult,
  parseRestoreResult,
  renameBackCalls,
  renameCall,
  restoreCall,
  unloadWallet,
} from './walletCalls.ts';
import { walletBalances, walletInfo } from './walletInfo.ts';

let node: RpcServer;
let client: NodeClient;
const knows = (methods: Methods) => node.answerWith(answering(methods));
const refusing = (code: number) => failing(new RpcFailure(code, 'the words of the node'));
const calls = () => node.calls.map(({ method, path, params }) => [method, path, params]);

beforeEach(async () => {
  ({ node, client } = await startTestClient(answering({})));
});

describe('the warnings of an answer', () => {
  it.each([
    ['no warning', {}, []],
    ['an empty warning', { warning: '' }, []],
    ['a warning of several lines', { warning: 'one\ntwo' }, ['one', 'two']],
    ['a list', { warnings: ['one', 'two'] }, ['one', 'two']],
    ['the same warnings in both fields', { warning: 'one\ntwo', warnings: ['one', 'two'] }, ['one', 'two']],
    ['more warnings in one field', { warning: 'one\ntwo', warnings: ['two'] }, ['two', 'one']],
    ['a list with a warning of several lines', { warning: 'one\ntwo', warnings: ['one\ntwo'] }, ['one\ntwo']],
    ['a list that repeats itself', { warnings: ['one', 'one'] }, ['one']],
  ])('are read from %s', async (_, fields, warnings) => {
    knows({ loadwallet: () => ({ name: 'w', ...fields }) });
    expect(await loadWallet(client, 'w')).toEqual({ name: 'w', warnings });
  });

  it('are empty for null', async () => {
    knows({ unloadwallet: () => null });
    expect(await unloadWallet(client, 'w')).toEqual({ warnings: [] });
  });
});

it('names the wrong fields of a result, but not their values', async () => {
  knows({ restorewallet: () => ({ name: 5, secret: 'value' }) });
  const call = restoreCall({ name: 'w', backupFile: '/b', loadOnStartup: null });
  const error = await send(client, call)
    .then((result) => parseRestoreResult(client, result))
    .catch((thrown: AppError) => thrown);
  expect(error).toMatchObject({ code: 'not_a_node', message: expect.stringContaining('name') });
  expect(JSON.stringify(error)).not.toContain('value');
});

it.each([
  ['first', 0, []],
  ['second', 1, [['b', 'a']]],
  [
    'restore',
    2,
    [
      ['d', 'c'],
      ['b', 'a'],
    ],
  ],
] as const)('give the wallets their names back after a refused undo: %s', async (_, refusedAt, back) => {
  const renames = [
    { name: 'a', newName: 'b' },
    { name: 'c', newName: 'd' },
  ];
  let renamed = 0;
  knows({
    renamewallet: () => (renamed++ === refusedAt ? refusing(-4)() : {}),
    restorewallet: refusing(-4),
  });
  const restore = restoreCall({ name: 'a', backupFile: '/b', loadOnStartup: null });
  const undo = [...renames.map(renameCall), restore, ...renameBackCalls(renames)];
  await expect(sendPlanned(client, undo, { verifyNode: async () => undefined })).rejects.toMatchObject({
    code: 'wallet_error',
  });
  const sent = calls().slice(refusedAt + 1);
  expect(sent.map(([, , params]) => Object.values(params as object))).toEqual(back);
});

/** Sends the calls of the plan. */
async function migrate(
  release: number,
  { loaded = true, passphrase }: { loaded?: boolean; passphrase?: string } = {},
) {
  const migration = { name: 'w', loaded, withPassphrase: passphrase !== undefined, loads: true };
  const secret = { passphrase, verifyNode: async () => undefined };
  const answer = await sendPlanned(client, migrationCalls(releaseOf(release), migration), secret);
  return parseMigrateResult(client, answer);
}

const result = { wallet_name: 'w', backup_path: '/w/w-1.legacy.bak' };

// Release 24.1 ignores that the wallet is unlocked.
it.each([240_100, 240_200])('sends name and passphrase with the call on release %i', async (number) => {
  knows({ migratewallet: () => result });
  await migrate(number, { passphrase: 'p' });
  expect(calls()).toEqual([['migratewallet', '/', { wallet_name: 'w', passphrase: 'p' }]]);
});

describe('migrating on release 24.0', () => {
  const release = 240_001;
  const none = { watchonlyName: null, solvablesName: null };
  const migrated = { walletName: 'w', ...none, backupPath: '/w/w-1.legacy.bak' };

  it('loads and unlocks the wallet, and calls without arguments on its path', async () => {
    const loadwallet = () => ({ name: 'w', warning: '' });
    knows({ loadwallet, walletpassphrase: () => null, migratewallet: () => result });
    expect(await migrate(release, { loaded: false, passphrase: 'p' })).toEqual(migrated);
    expect(calls()).toEqual([
      ['loadwallet', '/', ['w']],
      ['walletpassphrase', '/wallet/w', ['p', expect.any(Number)]],
      ['migratewallet', '/wallet/w', []],
    ]);
  });

  it('neither loads a loaded wallet nor unlocks an unencrypted one', async () => {
    knows({ migratewallet: () => result });
    await migrate(release);
    expect(calls().map(([method]) => method)).toEqual(['migratewallet']);
  });

  it('continues if the wallet needs no passphrase', async () => {
    knows({ walletpassphrase: refusing(-15), migratewallet: () => result });
    expect(await migrate(release, { passphrase: 'p' })).toEqual(migrated);
  });

  it('does not migrate with a wrong passphrase', async () => {
    knows({ walletpassphrase: refusing(-14), migratewallet: () => result });
    const migrating = migrate(release, { passphrase: 'p' });
    await expect(migrating).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(calls().map(([method]) => method)).not.toContain('migratewallet');
  });

  it('locks the wallet again if the node refuses to migrate it', async () => {
    knows({ walletpassphrase: () => null, migratewallet: refusing(-4), walletlock: () => null });
    const refusal = { code: 'wallet_error', node: { code: -4, message: 'the words of the node' } };
    await expect(migrate(release, { passphrase: 'p' })).rejects.toMatchObject(refusal);
    expect(calls().at(-1)).toEqual(['walletlock', '/wallet/w', []]);
  });

  it('does not lock the wallet if the connection is lost, because the migration may continue', async () => {
    const before = answering({ walletpassphrase: () => null });
    node.answerWith((call, response) =>
      call.method === 'migratewallet' ? response.destroy() : before(call, response),
    );
    const migrating = migrate(release, { passphrase: 'p' });
    await expect(migrating).rejects.toMatchObject({ code: 'connection_lost' });
    expect(calls().at(-1)?.[0]).toBe('migratewallet');
  });
});

describe('a wallet’s balance', () => {
  const part = (trusted: number) => ({ trusted, untrusted_pending: 0.00000001, immature: 50 });

  it('is exact in satoshi', async () => {
    knows({ getbalances: () => ({ mine: { ...part(20999999.9769), used: 0.1 } }) });
    const others = { unconfirmed: 1n, immature: 5_000_000_000n, used: 10_000_000n, watched: null };
    expect(await walletBalances(client, 'w')).toEqual({ spendable: 2_099_999_997_690_000n, ...others });
  });

  it('separates the watched coins of a legacy wallet', async () => {
    knows({ getbalances: () => ({ mine: part(0), watchonly: part(1.5) }) });
    const others = { unconfirmed: 1n, immature: 5_000_000_000n, used: 0n };
    expect((await walletBalances(client, 'w')).watched).toEqual({ spendable: 150_000_000n, ...others });
  });
});

describe('a wallet’s facts', () => {
  it('include encryption, a running rescan and missing private keys', async () => {
    const info = {
      walletname: 'w',
      format: 'sqlite',
      txcount: 3,
      unlocked_until: 0,
      private_keys_enabled: false,
      descriptors: true,
      scanning: { duration: 12, progress: 1.00000003 },
      birthtime: 1_600_000_000,
    };
    knows({ getwalletinfo: () => info });
    expect(await walletInfo(client, 'w')).toEqual({
      descriptors: true,
      format: 'sqlite',
      blank: null,
      encrypted: true,
      privateKeys: false,
      scanning: 1,
      txcount: 3,
      birthTime: 1_600_000_000,
    });
  });

  it.each([0, 1])('do not include a birth time of %i', async (birthtime) => {
    knows({ getwalletinfo: () => ({ walletname: 'w', txcount: 0, birthtime }) });
    expect((await walletInfo(client, 'w')).birthTime).toBeNull();
  });
});
