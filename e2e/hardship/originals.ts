/**
 * The files that mutations are made of: the recorded wallets, what migrations make of them, Berkeley DB files of other
 * shapes, and a large one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { readSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { migrateWallet } from '../../electron/walletfile/migrate/migrateWallet.ts';
import { fixtureNames } from '../testNode/walletFixture.ts';
import { recordingOf } from './subject.ts';
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
  return Promise.all(
    files.map(async (file) => ({
      ...file,
      bytes: Uint8Array.from(file.bytes),
      records: await recordsOf(file.bytes),
    })),
  );
}

/** Small ones: with few keys kept ready, what is read of a descriptor wallet is read fast. */
async function migrated() {
  const names = ['legacy-watchonly', 'legacy-solvable', 'legacy-imported'];
  const made = await Promise.all(
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
  return made.flatMap(({ primary, watchonly, solvables }) =>
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
