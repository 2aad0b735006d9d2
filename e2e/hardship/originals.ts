/**
 * The files that mutations are made of: the recorded wallets, what migrations make of them, Berkeley DB files of other shapes, a
 * large one, and wallets beside a journal or a log.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { journalOf, logOf, pageOf } from '../../electron/walletfile/database/testing/sqliteJournals.ts';
import { readSqlite, writeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { migrateWallet } from '../../electron/walletfile/migrate/migrateWallet.ts';
import { unclosedWallet } from '../../electron/walletfile/testing/berkeleyLogs.ts';
import { brokenWallet, brokenWallets } from '../../electron/walletfile/testing/foreignWallets.ts';
import { recordingOf } from '../../electron/walletfile/testing/wallets.ts';
import { fixtureNames } from '../testNode/walletFixture.ts';
import type { Original } from './trial.ts';

const fixtures = new URL('../fixtures/', import.meta.url);

export async function originals(): Promise<Original[]> {
  const wallets = fixtureNames.toSorted().map((name) => {
    const { bytes, passphrase } = recordingOf(name);
    return { name, bytes, passphrase };
  });
  const shapes = readdirSync(new URL('berkeley/', fixtures))
    .filter((name) => name.endsWith('.gz'))
    .map((name) => ({
      name: name.replace('.dat.gz', ''),
      bytes: gunzipSync(readFileSync(new URL(`berkeley/${name}`, fixtures))),
    }));
  const files = [...wallets, ...(await migrated()), ...shapes, { name: 'large', bytes: large() }];
  const alone = await Promise.all(
    files.map(async (file) => ({
      ...file,
      bytes: Uint8Array.from(file.bytes),
      records: await recordsOf(file.bytes),
    })),
  );
  return [...alone, ...(await withCompanions(alone))];
}

async function withCompanions(files: readonly Original[]): Promise<Original[]> {
  const records = files.find(({ name }) => name === 'legacy-watchonly-migrated')?.records ?? [];
  const before = await writeSqlite(records.slice(0, records.length / 2), 'regtest');
  const after = await writeSqlite(records, 'regtest');
  const numbers = Array.from({ length: after.length / PAGE }, (_, index) => index + 1);
  const frames = numbers.map((number) => ({
    number,
    page: pageOf(after, number),
    ...(number === numbers.length ? { commit: number } : {}),
  }));
  const journal = journalOf(before, numbers.slice(0, before.length / PAGE));
  const logged = files.flatMap(({ name, bytes }) => {
    if (name !== 'legacy-hd' && name !== 'hd-512-little') return [];
    const { bytes: wallet, log } = unclosedWallet(bytes);
    return [{ name, bytes: wallet, log: log.bytes }];
  });
  // Logs that nodes wrote, where they are.
  const recorded = brokenWallets.flatMap((name) => {
    const { bytes, logs } = brokenWallet(name);
    return logs.map((log) => ({ name, bytes, log: log.bytes }));
  });
  return [
    { name: 'journal', bytes: after, records: null, companion: { kind: 'journal', bytes: journal } },
    { name: 'wal', bytes: before, records: null, companion: { kind: 'wal', bytes: logOf(PAGE, frames) } },
    ...[...logged, ...recorded].map(
      ({ name, bytes, log }): Original => ({
        name: `${name}-log`,
        bytes,
        records: null,
        companion: { kind: 'log', bytes: log },
      }),
    ),
  ];
}

/** Bytes. */
const PAGE = 4096;

/** Small ones: with few keys kept ready, what is read of a descriptor wallet is read fast. */
async function migrated() {
  const names = ['legacy-watchonly', 'legacy-solvable', 'legacy-imported'];
  const wallets = await Promise.all(
    names.map((name) =>
      migrateWallet({
        bytes: recordingOf(name).bytes,
        network: 'regtest',
        name: `${name}-migrated`,
        now: 1_800_000_000,
        keypoolSize: 2,
        random: (size) => new Uint8Array(size).fill(7),
      }),
    ),
  );
  return wallets.flatMap(({ primary, watchonly, solvables }) =>
    [primary, watchonly, solvables].flatMap((wallet) => (wallet ? [wallet] : [])),
  );
}

async function recordsOf(bytes: Uint8Array): Promise<RawRecord[] | null> {
  try {
    const { records } = bytes[0] === 0x53 ? await readSqlite(bytes) : readBerkeley(bytes);
    // Plain ones, that can be given to a thread.
    return records.map(({ key, value }) => ({ key: Uint8Array.from(key), value: Uint8Array.from(value) }));
  } catch {
    return null;
  }
}

/** Three levels of pages and long values, so that what a reader keeps in memory is more than what it always needs. */
function large(): Uint8Array {
  const text = new TextEncoder();
  return writeBerkeley(
    Array.from({ length: 12_000 }, (_, number) => ({
      key: Uint8Array.from([
        4,
        ...text.encode('name'),
        20,
        ...text.encode(`address ${String(number).padStart(12, '0')}`),
      ]),
      value:
        number % 50 === 7
          ? new Uint8Array(20_000).fill(number)
          : Uint8Array.from([5, ...text.encode('label')]),
    })),
  );
}
