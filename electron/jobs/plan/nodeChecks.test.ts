import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendPlanned } from '../../bitcoind/calls/call.ts';
import { migrationCalls, rescanCalls } from '../../bitcoind/calls/walletCalls.ts';
import { guardClient } from '../../bitcoind/connection/connection.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { conditionFiles } from '../../walletfile/testing/conditionFiles.ts';
import { walletFile } from '../../walletfile/testing/wallets.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createBench } from '../testing/bench.ts';
import { migrationFacts, NOW, readResult, restoreFacts, statusOf } from '../testing/testFacts.ts';
import type { MigrationFacts } from './checkFacts.ts';
import { checkMigration } from './checkMigration.ts';
import { checkRestore } from './checkRestore.ts';
import { createLoadGuard } from './nodeChecks.ts';

/** A node whose client asks the guard, with one wallet that would end it and one that is whole. */
async function guarded(release = 310_000, code: 'transaction-id' | 'flags-missing' = 'transaction-id') {
  const created = await createBench({ release: releaseOf(release) });
  const files = { bad: (await conditionFiles[code]()).bytes, good: walletFile('descriptor-hd') };
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(created.folder, name));
    writeFileSync(join(created.folder, name, 'wallet.dat'), bytes);
  }
  const { handlers, calls } = created.node;
  handlers.listwallets = () => [];
  handlers.loadwallet = ({ params }) => ({ name: Object.values(params ?? {})[0], warnings: [] });
  handlers.rescanblockchain = () => ({ start_height: 0, stop_height: 1 });
  handlers.walletpassphrase = () => null;
  handlers.migratewallet = () => ({ wallet_name: 'bad', backup_path: '/b' });
  const guard = createLoadGuard(walletWorkHere);
  const client = guardClient(created.session.client, (name) => guard(created.session, name));
  return { client, session: { ...created.session, client }, sent: () => calls.map(({ method }) => method) };
}

const STOPPED = { code: 'stopped_by_check', message: 'This wallet would crash the node.' };
const secret = () => ({ passphrase: undefined, verifyNode: async () => undefined });

it('stops the load before a rescan, and the rescan too', async () => {
  const { client, sent } = await guarded();
  const calls = (name: string) =>
    rescanCalls(name, { from: 0, to: 110, loaded: false, withPassphrase: false });
  await expect(sendPlanned(client, calls('bad'), secret())).rejects.toMatchObject(STOPPED);
  expect(sent()).toEqual([]);
  await sendPlanned(client, calls('good'), secret());
  expect(sent()).toEqual(['loadwallet', 'rescanblockchain']);
});

it('stops the load before a migration on release 24.0', async () => {
  const { client, sent } = await guarded(240_000, 'flags-missing');
  const calls = migrationCalls(releaseOf(240_000), {
    name: 'bad',
    loaded: false,
    withPassphrase: false,
    loads: true,
  });
  expect(calls[0]).toMatchObject({ method: 'loadwallet' });
  await expect(sendPlanned(client, calls, secret())).rejects.toMatchObject(STOPPED);
  expect(sent()).toEqual([]);
});

it('stops a load over a separate connection', async () => {
  const { client, sent } = await guarded();
  await expect(
    client.overOneConnection((line) => line.call('loadwallet', { filename: 'bad' })),
  ).rejects.toMatchObject(STOPPED);
  expect(sent()).toEqual([]);
});

describe('payments outside of a block', () => {
  const DAY = 24 * 60 * 60;
  const none = { received: 0n, spent: 0n };
  const amounts = { received: 0n, spent: 1000n };
  const payment = { txid: 'ab'.repeat(32), time: NOW - 20 * DAY, state: 'unconfirmed' as const };
  const given20DaysAgo = { ...payment, coinbase: false, spendable: amounts, watched: none };
  const withOne = (fields: Partial<typeof given20DaysAgo> | { state: 'abandoned' | 'confirmed' } = {}) => ({
    fileInspection: readResult({
      transactions: { total: 1, shown: [{ ...given20DaysAgo, ...fields }] },
    }),
  });
  const again = {
    id: 'unconfirmed',
    verdict: 'warning',
    title: 'Unconfirmed for over two weeks: 1',
    text: ['The node sends them again unless a block has them.'],
    todo: [expect.stringContaining('-walletbroadcast=0')],
  };

  it('are sent again by a node that loads the wallet', () => {
    expect(checkRestore(restoreFacts(withOne()))).toContainEqual(again);
    expect(checkMigration(migrationFacts(withOne()))).toContainEqual(again);
    expect(checkMigration(migrationFacts(withOne({ spendable: none, watched: amounts })))).toContainEqual(
      again,
    );
  });

  it.each([
    ['in a block', withOne({ state: 'confirmed' })],
    ['abandoned', withOne({ state: 'abandoned' })],
    ['received', withOne({ spendable: { received: 1000n, spent: 0n } })],
    ['still known to other nodes', withOne({ time: NOW - 10 * DAY })],
    ['in a loaded wallet', { ...withOne(), loaded: ['w'] }],
    ['in the engine', { ...withOne(), status: statusOf({ offline: true }) }],
  ])('are not sent again if %s', (_, facts) => {
    const checks = checkMigration(migrationFacts(facts));
    expect(checks.map(({ id }) => id)).not.toContain('unconfirmed');
  });

  it('are not sent again if the node does not load the wallet', () => {
    const checks = checkMigration(migrationFacts(withOne()), false);
    expect(checks.map(({ id }) => id)).not.toContain('unconfirmed');
  });
});

describe('addresses that a locked wallet cannot make', () => {
  const encryption = { masterKeys: 1, iterations: 25_000, secondsPerTry: null };
  const chain = { version: 2, externalKeys: 1000, internalKeys: 1000, fingerprint: null, hasSeed: true };
  const hdChains = { total: 1, shown: [{ ...chain, seedId: 'ab'.repeat(20), active: true }] };
  const described = (text: string) => {
    const one = { text, active: false, internal: null, addressType: null, range: [0, 9] as const, next: 0 };
    return { total: 1, shown: [{ ...one, form: null, created: NOW }] };
  };
  const behind = { chain: { ...migrationFacts().chain, lastBlock: { height: 500_000, time: 1 } } };
  const rescanOf = (
    fields: Parameters<typeof readResult>[0],
    facts: Pick<MigrationFacts, 'chain'> = behind,
  ) => {
    const checks = checkRestore(restoreFacts({ ...facts, fileInspection: readResult(fields) }));
    return checks.find(({ id }) => id === 'rescan');
  };

  it.each([
    ['of an old, encrypted legacy backup', { encryption, hdChains }],
    [
      'of its migrated form',
      { encryption, kind: 'descriptor' as const, descriptors: described('combo(tpub/0h/1h/*h)') },
    ],
  ])('are not searched: %s', (_, fields) => {
    expect(rescanOf(fields)).toMatchObject({
      verdict: 'warning',
      text: expect.arrayContaining(['Locked wallets miss payments to later addresses.']),
      todo: ['Rescan with the passphrase.'],
    });
  });

  it.each([
    ['without a passphrase', { encryption: null, hdChains }, behind],
    [
      'that makes addresses from public keys',
      { encryption, descriptors: described('wpkh(tpub/0/*)') },
      behind,
    ],
    ['that saw the newest blocks', { encryption, hdChains }, { chain: migrationFacts().chain }],
  ])('are no concern of a wallet %s', (_, fields, facts) => {
    expect(rescanOf(fields, facts)).toMatchObject({ verdict: 'fine', todo: [] });
  });
});
