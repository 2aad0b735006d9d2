/** Replays every recorded exchange over HTTP: the app sends the same call and reads the answer correctly. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RecordedExchange, recordedExchanges } from '../../../e2e/testNode/recording.ts';
import { type ReceivedCall, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import type { AppError, ErrorCode } from '../../../shared/model/errors.ts';

import type { Credentials } from '../rpc/credentials.ts';
import type { NodeClient } from '../rpc/session.ts';
import { releaseOf } from '../rpc/session.ts';
import { testClient } from '../testing/testClient.ts';
import { blockchainInfo, indexInfo, networkInfo, rpcInfo, send, sendPlanned } from './call.ts';
import {
  backupCall,
  listWalletDir,
  listWallets,
  loadWallet,
  migrationCalls,
  parseMigrateResult,
  parseRestoreResult,
  restoreCall,
  unloadWallet,
} from './walletCalls.ts';
import { walletInfo } from './walletInfo.ts';

interface Expectation {
  /** The app's call for the recorded one. */
  call(client: NodeClient, recorded: RecordedExchange, release: number): Promise<unknown>;
  /** The app's result for the recorded one. */
  gives?(result: never, release: number): unknown;
  /** The app's code for the recorded error. */
  fails?: ErrorCode | ((release: number) => ErrorCode);
}

const releases = ['23.0', '24.1', '25.2', '28.1', '29.3', '30.0', '31.0', '32.0-pre'];
const cookie = '__cookie__:0123456789abcdef';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferry-recorded-'));
  await writeFile(join(folder, '.cookie'), cookie);
  return () => rm(folder, { recursive: true });
});

describe.each(releases)('release %s', (release) => {
  let node: RpcServer;
  let exchanges: RecordedExchange[];
  beforeAll(async () => {
    exchanges = recordedExchanges(release, folder);
    node = await startRpcServer(() => undefined);
    return () => node.close();
  });

  it('has an expectation for every exchange', () => {
    expect(exchanges.map((exchange) => exchange.id).filter((id) => !(id in expectations))).toEqual([]);
  });

  it.each(namesOf(release))('%s', async (id) => {
    const recorded = exchanges.find((exchange) => exchange.id === id) as RecordedExchange;
    const { call, gives, fails } = expectations[id] as Expectation;
    const { status, headers, body } = recorded.response;
    node.answerWith((call, response) => {
      // The id is the client's, and the temporary folder has its own length.
      const own = body.replace(`"id":"${id}"`, `"id":${call.id}`);
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(own) }).end(own);
    });
    const client = testClient(node, { credentials: credentialsOf(recorded) });
    const number = Number(release.split('.')[0]);
    const outcome = await call(client, recorded, number).then(
      (value) => ({ value }),
      (error: AppError) => ({ error }),
    );

    const { path, auth, body: request } = recorded.request;
    const params = named(request.method, request.params);
    expect(meaningOf(node.calls.at(-1) as ReceivedCall)).toEqual({
      path,
      method: request.method,
      params,
      auth,
    });
    const answer = body.startsWith('{') ? JSON.parse(body) : null;
    if (answer === null || answer.error) {
      const code = typeof fails === 'function' ? fails(number) : fails;
      expect(outcome).toHaveProperty('error.code', code);
      expect(outcome).toHaveProperty('error.node', answer?.error);
      expect((outcome as { error: AppError }).error.hint).not.toBe('');
    } else {
      expect(outcome).toEqual({ value: gives?.(answer.result as never, number) });
    }
  });
});

const verifyNode = async () => undefined;

const restored = (params: unknown) => {
  const { wallet_name, backup_file, load_on_startup } = named('restorewallet', params, true);
  const loadOnStartup = (load_on_startup ?? null) as boolean | null;
  return { name: wallet_name as string, backupFile: backup_file as string, loadOnStartup };
};
const restore: Expectation['call'] = async (client, { request }) =>
  parseRestoreResult(client, await send(client, restoreCall(restored(request.body.params))));
const migrate: Expectation['call'] = async (client, { request }, release) => {
  const { wallet_name, passphrase, load_wallet } = named('migratewallet', request.body.params, true);
  const withPassphrase = passphrase !== undefined && passphrase !== null;
  const loads = load_wallet !== false;
  const migration = { name: wallet_name as string, loaded: false, withPassphrase, loads };
  // Release 23 cannot migrate. The recording shows its refusal.
  const calls = migrationCalls(releaseOf(Math.max(release, 25) * 10_000), migration);
  const secret = { passphrase: passphrase as string | undefined, verifyNode };
  return parseMigrateResult(client, await sendPlanned(client, calls, secret));
};
/** For calls that the app never makes, but whose refusals it reads. */
const raw: Expectation['call'] = (client, { request: { path, body } }) =>
  client.call(body.method, body.params, {
    wallet: path.startsWith('/wallet/') ? decodeURIComponent(path.slice('/wallet/'.length)) : undefined,
  });
const walletOf = ({ request }: RecordedExchange) => decodeURIComponent(request.path.slice('/wallet/'.length));
const onlyParam = ({ request }: RecordedExchange) => (request.body.params as string[])[0] as string;
const info: Expectation['call'] = (client, recorded) => walletInfo(client, walletOf(recorded));
const load: Expectation['call'] = (client, recorded) => loadWallet(client, onlyParam(recorded));
const unload: Expectation['call'] = (client, recorded) => unloadWallet(client, onlyParam(recorded));
const backUp: Expectation['call'] = (client, recorded) =>
  send(client, backupCall(walletOf(recorded), onlyParam(recorded)));

const LEGACY_WARNING = /^Wallet loaded successfully\. The legacy wallet type is being deprecated/;
const cleanly = (name: string) => ({ call: restore, gives: () => ({ name, warnings: [] }) });
const legacyRestored = (name: string): Expectation => ({
  call: restore,
  gives: (_, release) => ({ name, warnings: release < 28 ? [] : [expect.stringMatching(LEGACY_WARNING)] }),
  fails: 'wallet_not_found',
});
const migrated = (name: string, more: object = {}): Expectation => ({
  call: migrate,
  gives: ({ backup_path }: { backup_path: string }) => ({
    walletName: name,
    watchonlyName: null,
    solvablesName: null,
    backupPath: backup_path,
    ...more,
  }),
  fails: 'unknown_method',
});
/** Release 23 has no such method. */
const migrateRefused = (code: ErrorCode, call = migrate): Expectation => ({
  call,
  fails: (release) => (release < 24 ? 'unknown_method' : code),
});
const described: Expectation = {
  call: info,
  gives: (_, release) => ({
    descriptors: true,
    encrypted: false,
    privateKeys: true,
    format: 'sqlite',
    scanning: null,
    txcount: 0,
    blank: release < 26 ? null : expect.any(Boolean),
    birthTime: release < 26 ? null : expect.any(Number),
  }),
};
const folderListing: Expectation = {
  call: (client) => listWalletDir(client),
  gives: ({ wallets }: { wallets: { name: string; warnings?: string[] }[] }) =>
    wallets.map(({ name, warnings }) => ({ name, warnings: warnings ?? [] })),
};
const loadedListing: Expectation = {
  call: (client) => listWallets(client),
  gives: (names: string[]) => names,
};

const expectations: Record<string, Expectation> = {
  getnetworkinfo: {
    call: (client) => networkInfo(client),
    gives: ({ version, subversion }: { version: number; subversion: string }, release) => ({
      version,
      subversion,
      warnings: release < 32 ? [] : [expect.stringContaining('pre-release')],
    }),
  },
  getblockchaininfo: {
    call: (client) => blockchainInfo(client),
    gives: ({ time }: { time: number }, release) => ({
      newestBlockTime: time,
      network: 'regtest',
      blocks: release < 28 ? 110 : 137,
      headers: release < 28 ? 110 : 137,
      // Release 32 was recorded long after its newest block.
      syncProgress: release < 32 ? 1 : expect.any(Number),
      initialBlockDownload: release >= 32,
      pruned: false,
      pruneHeight: null,
    }),
  },
  getrpcinfo: {
    call: (client) => rpcInfo(client),
    gives: () => ({
      activeCommands: [{ method: 'getrpcinfo', duration: expect.any(Number) }],
      logPath: join(folder, 'regtest/debug.log'),
    }),
  },
  getindexinfo: { call: (client) => indexInfo(client), gives: () => ({}) },
  'auth-none': { call: (client) => rpcInfo(client), fails: 'credentials_missing' },
  'auth-wrong': { call: (client) => rpcInfo(client), fails: 'credentials_refused' },
  'unknown-method': { call: raw, fails: 'unknown_method' },
  'restore-positional': cleanly('restored'),
  'restore-named': cleanly('restored-named'),
  'restore-load-on-startup-true': cleanly('restored-true'),
  'restore-load-on-startup-false': cleanly('restored-false'),
  'restore-load-on-startup-null': cleanly('restored-null'),
  'restore-unicode-name': cleanly('Ersparnisse für später 💰'),
  'restore-nested-name': cleanly('family/alice'),
  'restore-jsonrpc-1.0': cleanly('restored-v1'),
  'restore-jsonrpc-2.0': cleanly('restored-v2'),
  'restore-with-walletwarningfield': cleanly('restored-depr'),
  'restore-legacy': legacyRestored('restored-legacy'),
  'undo-restore-legacy-backup': legacyRestored('legacy-hd-undone'),
  'restore-exists': { call: restore, fails: 'wallet_already_exists' },
  'restore-no-such-backup': { call: restore, fails: 'invalid_parameter' },
  'restore-empty-name': { call: restore, fails: 'invalid_parameter' },
  'restore-not-a-wallet': { call: restore, fails: 'wallet_not_found' },
  'restore-empty-file': { call: restore, fails: 'wallet_not_found' },
  'restore-truncated': { call: restore, fails: 'wallet_error' },
  'restore-missing-argument': { call: raw, fails: 'misc_error' },
  'restore-wrong-type': { call: raw, fails: (release) => (release < 25 ? 'misc_error' : 'wrong_type') },
  'restore-unknown-named': { call: raw, fails: 'invalid_parameter' },
  listwallets: loadedListing,
  'listwallets-after': loadedListing,
  listwalletdir: folderListing,
  'listwalletdir-legacy': folderListing,
  'listwalletdir-after': folderListing,
  getwalletinfo: described,
  'getwalletinfo-unicode': described,
  'getwalletinfo-legacy': {
    call: info,
    gives: (_, release) => ({
      descriptors: false,
      encrypted: false,
      privateKeys: true,
      format: 'bdb',
      scanning: null,
      txcount: 7,
      blank: release < 26 ? null : false,
      birthTime: release < 26 ? null : 1795180497,
    }),
    fails: 'wallet_not_found',
  },
  'wallet-not-loaded': { call: info, fails: 'wallet_not_found' },
  'wallet-not-specified': { call: raw, fails: 'wallet_not_specified' },
  backupwallet: { call: backUp, gives: () => null },
  'backupwallet-bad-path': { call: backUp, fails: 'wallet_error' },
  unloadwallet: { call: unload, gives: () => ({ warnings: [] }) },
  'unload-legacy': { call: unload, gives: () => ({ warnings: [] }), fails: 'wallet_not_found' },
  loadwallet: { call: load, gives: () => ({ name: 'restored-null', warnings: [] }) },
  'loadwallet-again': {
    call: load,
    fails: (release) => (release < 25 ? 'wallet_error' : 'wallet_already_loaded'),
  },
  'load-legacy': {
    call: load,
    fails: (release) => (release < 30 ? 'wallet_already_loaded' : 'wallet_not_found'),
  },
  'loadwallet-legacy': {
    call: load,
    gives: (_, release) => ({
      name: 'legacy-hd',
      warnings: release < 28 ? [] : [expect.stringMatching(LEGACY_WARNING)],
    }),
    fails: 'wallet_not_found',
  },
  'migrate-name-mismatch': migrateRefused('invalid_parameter', raw),
  'migrate-no-arguments-no-endpoint': migrateRefused('invalid_parameter', raw),
  'migrate-unknown': migrateRefused('wallet_error'),
  'migrate-already-descriptor': migrateRefused('wallet_error'),
  'migrate-again': migrateRefused('wallet_error'),
  'migrate-encrypted-no-passphrase': migrateRefused('wallet_error'),
  'migrate-encrypted-wrong-passphrase': migrateRefused('wallet_error'),
  'migrate-encrypted': migrated('legacy-hd-encrypted'),
  'migrate-positional': migrated('legacy-hd'),
  'migrate-imported': migrated('legacy-imported'),
  'migrate-watchonly': migrated('legacy-watchonly', { watchonlyName: 'legacy-watchonly_watchonly' }),
  'migrate-solvable': migrated('legacy-solvable', { solvablesName: 'legacy-solvable_solvables' }),
  'migrate-endpoint-same-name': {
    call: raw,
    gives: ({ backup_path }: { backup_path: string }) => ({ wallet_name: 'legacy-nokeys', backup_path }),
    fails: 'unknown_method',
  },
  'migrate-endpoint-no-arguments': {
    ...migrateRefused('wallet_error', raw),
    gives: ({ backup_path }: { backup_path: string }) => ({ wallet_name: 'legacy-blank', backup_path }),
  },
  'migrate-load-wallet-false': migrated('quiet'),
  'migrate-load-wallet-false-positional': migrated('quiet-watch', { watchonlyName: 'quiet-watch_watchonly' }),
  'migrate-load-wallet-wrong-type': { call: raw, fails: 'wrong_type' },
  'migrate-load-wallet-unknown': { call: raw, fails: 'invalid_parameter' },
  'load-after-quiet-migration': { call: load, gives: () => ({ name: 'quiet', warnings: [] }) },
  'restore-name-not-normalized': cleanly('a//b'),
  'restore-name-dots': { call: restore, fails: 'wallet_error' },
  'restore-name-root': { call: restore, fails: 'wallet_error' },
  'busy-work-queue-exceeded': { call: (client) => listWallets(client), fails: 'busy' },
};

/** The ids of a release's exchanges. Tests get their names before a recording can be read. */
function namesOf(release: string): string[] {
  const since32 = (number: number) => number >= 32;
  const only: Record<string, (number: number) => boolean> = {
    'restore-empty-name': (number) => number >= 31,
    'restore-with-walletwarningfield': (number) => number === 25,
    'loadwallet-legacy': (number) => number < 30,
    'getwalletinfo-legacy': (number) => number < 30,
    'unload-legacy': (number) => number < 30,
    'undo-restore-legacy-backup': (number) => number > 23,
    'migrate-load-wallet-unknown': (number) => number === 24,
    'migrate-load-wallet-false': since32,
    'migrate-load-wallet-false-positional': since32,
    'migrate-load-wallet-wrong-type': since32,
    'load-after-quiet-migration': since32,
    'restore-name-not-normalized': since32,
    'restore-name-dots': since32,
    'restore-name-root': since32,
  };
  return Object.keys(expectations).filter((id) => only[id]?.(Number(release.split('.')[0])) ?? true);
}

function credentialsOf({ request }: RecordedExchange): Credentials {
  if (request.auth === 'none') return { by: 'none' };
  if (request.auth === 'wrong') return { by: 'password', user: 'someone', password: 'else' };
  return { by: 'cookie', cookieFile: join(folder, '.cookie') };
}

const argumentNames: Record<string, string[]> = {
  restorewallet: ['wallet_name', 'backup_file', 'load_on_startup'],
  migratewallet: ['wallet_name', 'passphrase', 'load_wallet'],
};

/** Makes positional and named params with the same meaning equal. Null means the same as a missing param. */
function named(method: string, params: unknown, always = false): Record<string, unknown> {
  const names = argumentNames[method] ?? [];
  const entries = Array.isArray(params)
    ? params.map((value, index) => [names[index] ?? String(index), value] as const)
    : Object.entries(params as object);
  return Object.fromEntries(always ? entries : entries.filter(([, value]) => value !== null));
}

function meaningOf({ path, method, params, authorization, jsonrpc, contentType }: ReceivedCall) {
  expect({ jsonrpc, contentType }).toEqual({ jsonrpc: '2.0', contentType: 'application/json' });
  const right = `Basic ${Buffer.from(cookie).toString('base64')}`;
  const auth = authorization === undefined ? 'none' : authorization === right ? 'cookie' : 'wrong';
  return { path, method, params: named(method, params), auth };
}
