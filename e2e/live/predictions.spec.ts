/**
 * Compares the app's predictions for odd wallets with the node that `BITCOIND` names. The app plans the migration of each
 * wallet. Then the node, called without the app, migrates it, refuses it, or crashes. Files from other machines are used if
 * they are there.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { parseRecord, typeIn, writeRecord } from '../../electron/walletfile/records/records.ts';
import { foreignWallets } from '../../electron/walletfile/testing/foreignWallets.ts';
import { type Plan, plan as planShape } from '../../shared/model/plan.ts';
import { byCookie, openServices } from '../services/services.ts';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';
import { type RealNode, startRealNode } from './realNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

const FOREIGN = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const MAIN_NETWORK = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

/** Wallets derived from the fixtures. */
const derived: Readonly<Record<string, () => Uint8Array>> = {
  'a whole wallet': () => fileOf('legacy-hd'),
  'a blank wallet': () => fileOf('legacy-blank'),
  'only its last page unclean': () =>
    edited('legacy-hd', (view, size) => view.setUint32(size - 4096, 1, true)),
  'two pages unclean': () =>
    edited('legacy-hd', (view) => {
      view.setUint32(3 * 4096, 1, true);
      view.setUint32(5 * 4096 + 4, 28, true);
    }),
  'one page more than its header says': () => {
    const whole = fileOf('legacy-hd');
    const longer = new Uint8Array(whole.length + 4096);
    longer.set(whole);
    return longer;
  },
  'of Berkeley DB 6': () =>
    edited('legacy-hd', (view) => {
      for (const page of [0, 2]) view.setUint32(page * 4096 + 16, 10, true);
    }),
  'no best block': () => rewritten('legacy-hd', (type) => !type.startsWith('bestblock')),
  'an empty old best block alone': () =>
    rewritten('legacy-hd', (type) => !type.startsWith('bestblock'), [
      writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes: [] }),
    ]),
  'a newer format': () =>
    rewritten('legacy-hd', (type) => type !== 'minversion', [
      writeRecord({ type: 'minversion', version: 999_999 }),
    ]),
  'a label of a foreign address, for receiving': () =>
    rewritten('legacy-hd', () => true, label(FOREIGN, 'receive')),
  'a label of a foreign address, for sending': () =>
    rewritten('legacy-hd', () => true, label(FOREIGN, 'send')),
  'a label of another network': () => rewritten('legacy-hd', () => true, label(MAIN_NETWORK, 'receive')),
  'a wallet that only watches': () => rewritten('legacy-watchonly', watches),
  'a wallet that only watches, with transactions': () =>
    rewritten('legacy-watchonly', (type) => type === 'tx' || watches(type)),
  'a wallet that only watches, with a label of a foreign address': () =>
    rewritten('legacy-watchonly', watches, label(FOREIGN, 'send')),
  'a chain without its seed': withoutSeed,
  'a chain without one of its keys': () => withoutFifthKey(['key', 'keymeta']),
  'a key without its chain': () => withoutFifthKey(['keymeta']),
};

test('the node does what the app predicts for each odd wallet', async () => {
  test.setTimeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
  const node = await startRealNode(join(folder, '.bitcoin'), {});
  const { services, call } = openServices(join(folder, 'data'));
  const connect = () => call('nodes.connect', byCookie(node));
  const predicted = async (name: string) => {
    const source = { by: 'wallet', name };
    return predictionOf(
      planShape.parse(
        await call('plan.make', { action: 'migrate', source, answers: { loadOnStartup: null } }),
      ),
    );
  };
  const outcomes: Record<string, unknown> = {};
  const predictions: Record<string, unknown> = {};
  try {
    await connect();
    const foreign = foreignWallets('odd', 'old').filter(({ network }) => network === 'regtest');
    const all = [
      ...Object.entries(derived).map(([name, bytes]) => ({ name, bytes: bytes(), passphrase: undefined })),
      ...foreign.map(({ name, path, passphrase }) => ({
        name: name.replace('/', ' '),
        bytes: readFileSync(path),
        passphrase,
      })),
    ];
    for (const { name, bytes, passphrase } of all) {
      const file = join(folder, 'wallet.dat');
      writeFileSync(file, bytes);
      node.putWallet(name, file);
      predictions[name] = await predicted(name);
      const outcome = await outcomeOf(node, name, passphrase);
      if (outcome === 'crashes' || outcome === 'hangs') {
        await node.start();
        await services.call('nodes.disconnect', {});
        await connect();
      }
      outcomes[name] = outcome;
    }
    expect(predictions).toEqual(outcomes);
  } finally {
    await services.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

function predictionOf({ checks }: Plan): string {
  const stops = checks.filter(({ verdict }) => verdict === 'blocker');
  if (stops.some(({ title }) => title === 'This wallet would crash the node')) return 'crashes';
  return stops.length > 0 ? 'refuses' : 'migrates';
}

async function outcomeOf(node: RealNode, name: string, passphrase: string | undefined): Promise<string> {
  const migrates = node.call('migratewallet', passphrase === undefined ? [name] : [name, passphrase]).then(
    () => 'migrates',
    () => 'refuses',
  );
  const answer = await inTime(migrates, 60_000);
  const isAlive =
    (await inTime(
      node.call('uptime').then(String, () => null),
      10_000,
    )) !== null;
  if (answer !== null && isAlive) return answer;
  await node.kill();
  return isAlive ? 'hangs' : 'crashes';
}

/** Null if there is no answer in time. */
function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T | null> {
  return Promise.race([
    answer,
    new Promise<null>((resolve) => setTimeout(resolve, milliseconds, null).unref()),
  ]);
}

function fileOf(fixture: FixtureName): Uint8Array {
  return Uint8Array.from(readFileSync(fixtureFile(fixture)));
}

function edited(fixture: FixtureName, edit: (view: DataView, size: number) => void): Uint8Array {
  const bytes = fileOf(fixture);
  edit(new DataView(bytes.buffer), bytes.length);
  return bytes;
}

function rewritten(
  fixture: FixtureName,
  stays: (type: string, record: RawRecord) => boolean,
  more: readonly RawRecord[] = [],
): Uint8Array {
  const kept = readBerkeley(fileOf(fixture)).records.filter((record) => stays(typeIn(record.key), record));
  const all = [...kept, ...more].map(({ key, value }) => ({ key, value }));
  return writeBerkeley(all.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))));
}

function label(address: string, purpose: string): RawRecord[] {
  return [
    writeRecord({ type: 'name', address, label: 'x' }),
    writeRecord({ type: 'purpose', address, purpose }),
  ];
}

/** Whether a record stays in a wallet without keys and what they received. */
function watches(type: string): boolean {
  return !['key', 'keymeta', 'hdchain', 'pool', 'cscript', 'tx', 'name', 'purpose'].includes(type);
}

function withoutSeed(): Uint8Array {
  const { records } = readBerkeley(fileOf('legacy-hd'));
  const seeds = new Set(
    records.flatMap(({ key, value }) => {
      const record = parseRecord(key, value);
      const isSeed = record.type === 'keymeta' && record.hd?.keyPath === 's';
      return isSeed ? [Buffer.from(record.publicKey).toString('hex')] : [];
    }),
  );
  return rewritten('legacy-hd', (_, { key, value }) => {
    const record = parseRecord(key, value);
    return record.type !== 'key' || !seeds.has(Buffer.from(record.publicKey).toString('hex'));
  });
}

/** Removes these records of a key in the middle of its chain. */
function withoutFifthKey(types: readonly string[]): Uint8Array {
  const fifth = readBerkeley(fileOf('legacy-hd')).records.flatMap(({ key, value }) => {
    const record = parseRecord(key, value);
    const isFifth = record.type === 'keymeta' && record.hd?.keyPath === "m/0'/1'/5'";
    return isFifth ? [Buffer.from(record.publicKey)] : [];
  })[0];
  return rewritten('legacy-hd', (type, { key }) => !types.includes(type) || !endsWith(key, fifth));
}

function endsWith(key: Uint8Array, publicKey: Buffer | undefined): boolean {
  return publicKey !== undefined && Buffer.from(key).subarray(-publicKey.length).equals(publicKey);
}
