import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { journalOf } from '../../walletfile/database/testing/sqliteJournals.ts';
import { readSqlite, writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { typeIn, writeRecord } from '../../walletfile/records/records.ts';
import {
  inOrder,
  keyRecords,
  sampleKey,
  transactionRecord,
  watchRecords,
} from '../../walletfile/testing/sampleWallet.ts';
import type { CheckpointOf } from '../plan/checkpoint.ts';
import { createBench, createFileProver } from '../testing/bench.ts';
import { findMigratedFiles } from './proof.ts';

const [own, watched] = [sampleKey(1), sampleKey(2)];
const legacy = writeBerkeley(
  inOrder(keyRecords(own), watchRecords(watched.p2pkh), transactionRecord([own.p2pkh]).record),
);
const migrated = await migrateWallet({
  bytes: legacy,
  name: 'w',
  network: 'regtest',
  now: 1_795_182_461,
  keypoolSize: 5,
});

/** A node on this machine with the files of a migration, none of them loaded. */
async function createMigrated() {
  const { node, session, folder } = await createBench();
  const before = join(folder, 'before.dat');
  writeFileSync(before, legacy);
  const files = new Map<string, string>();
  const place = (name: string, content: Uint8Array) => {
    const file = join(folder, name, 'wallet.dat');
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(file, content);
    files.set(name, file);
    return file;
  };
  for (const one of [migrated.primary, migrated.watchonly]) if (one) place(one.name, one.bytes);
  node.handlers.listwalletdir = () => ({ wallets: [...files.keys()].map((name) => ({ name })) });
  const prover = createFileProver();
  const checkpoint: CheckpointOf<'migrate'> = {
    kind: 'migrate',
    name: 'w',
    loadedBefore: [],
    gavePassphrase: false,
    encrypted: false,
    fileForProof: before,
    balanceBefore: null,
  };
  const { signal } = new AbortController();
  const look = (changed: Partial<typeof checkpoint> = {}) =>
    findMigratedFiles(session, { ...checkpoint, ...changed }, prover, signal);
  return { session, place, files, look };
}

const FOUND = { walletName: 'w', watchonlyName: 'w_watchonly', solvablesName: null };

function without(records: RawRecord[], type: string): RawRecord[] {
  return records.filter(({ key }) => typeIn(key) !== type);
}

function withFlags(records: RawRecord[], flags: bigint): RawRecord[] {
  return [...without(records, 'flags'), writeRecord({ type: 'flags', flags })];
}

describe('findMigratedFiles', () => {
  it('finds wallets that hold everything of the old one', async () => {
    const { look, files } = await createMigrated();
    expect([...files.keys()].sort()).toEqual(['w', 'w_watchonly']);
    expect(await look()).toEqual(FOUND);
  });

  it('returns null if no new wallet has some part of the old one', async () => {
    const { look } = await createMigrated();
    expect(await look({ loadedBefore: ['w_watchonly'] })).toBeNull();
  });

  it('does not name a wallet that was on the disk before', async () => {
    const { look, place } = await createMigrated();
    place('w_solvables', readFileSync(fixtureFile('descriptor-hd')));
    expect(await look({ onDiskBefore: ['w', 'w_solvables'] })).toEqual(FOUND);
    expect(await look({ onDiskBefore: ['w', 'w_watchonly'] })).toBeNull();
  });

  it.each([
    ['the legacy records are still there', (all: RawRecord[]) => [...all, ...keyRecords(sampleKey(1))]],
    ['the flag is not set', (all: RawRecord[]) => withFlags(all, 0n)],
    ['private keys are gone', (all: RawRecord[]) => without(all, 'walletdescriptorkey')],
  ])('finds nothing if in the main wallet %s', async (_, change) => {
    const { look, place, files } = await createMigrated();
    const { records } = await readSqlite(readFileSync(files.get('w') ?? ''));
    place('w', await writeSqlite(records, 'regtest'));
    expect(await look()).not.toBeNull();
    place('w', await writeSqlite(change(records), 'regtest'));
    expect(await look()).toBeNull();
  });

  it('finds nothing if a change of a file was interrupted', async () => {
    const { look, files } = await createMigrated();
    const file = files.get('w_watchonly') ?? '';
    writeFileSync(`${file}-journal`, 'one that SQLite ignores');
    expect(await look()).not.toBeNull();
    const { records } = await readSqlite(readFileSync(file));
    const before = await writeSqlite(without(records, 'walletdescriptor'), 'regtest');
    const pages = Array.from({ length: before.length / 4096 }, (_, page) => page + 1);
    writeFileSync(`${file}-journal`, journalOf(before, pages));
    expect(await look()).toBeNull();
  });

  it('finds nothing while one of them is no descriptor wallet, or unreadable', async () => {
    const { look, place } = await createMigrated();
    place('w', new Uint8Array(legacy));
    expect(await look()).toBeNull();
    place('w', new Uint8Array(legacy).fill(0));
    expect(await look()).toBeNull();
  });

  it('finds nothing without a copy to compare with, or on another machine', async () => {
    const { look, session } = await createMigrated();
    expect(await look({ fileForProof: null })).toBeNull();
    Object.assign(session.status, { local: false, walletsFolder: null });
    expect(await look()).toBeNull();
  });
});
