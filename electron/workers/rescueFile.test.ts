import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bytesToHex } from '@noble/hashes/utils.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fixturePassphrase } from '../../e2e/testNode/walletFixture.ts';
import { sha256Of } from '../files/hash.ts';
import type * as readWallet from '../files/readWallet.ts';
import { MAX_BYTES_IN_MEMORY, withWallet } from '../files/readWallet.ts';
import { ON_WINDOWS } from '../files/testing/system.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { repairDescriptors } from '../recovery/repair/repairDescriptors.ts';
import { repairWallet } from '../recovery/repair/repairWallet.ts';
import { writeBerkeley } from '../recovery/repair/writeBerkeley.ts';
import { findRecords } from '../recovery/salvage/readableRecords.ts';
import type { FileBytes } from '../walletfile/bytes/byteSource.ts';
import { readBerkeley } from '../walletfile/database/berkeley.ts';
import type { RawRecord } from '../walletfile/database/rawRecord.ts';
import { journalOf, logOf, pageOf } from '../walletfile/database/testing/sqliteJournals.ts';
import { readEntries } from '../walletfile/inspect/identifyWallet.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import { type RecordOfType, recordOf, writeRecord } from '../walletfile/records/records.ts';
import { logMaker, unclosedWallet } from '../walletfile/testing/berkeleyLogs.ts';
import { brokenWallet, foreignNote, hasForeignWallets } from '../walletfile/testing/foreignWallets.ts';
import { inOrder, transactionRecord } from '../walletfile/testing/sampleWallet.ts';
import { changeFirst, editedWallet, sourceOnDisk, walletFile } from '../walletfile/testing/wallets.ts';
import { REPAIRED_FILE, type RescueRequest } from './repairRequest.ts';
import { inspectRescued, repairInto, withRescued } from './rescueFile.ts';
import { doWalletTask } from './walletTask.ts';
import { saveWhole, withLog } from './wholeCopy.ts';

vi.mock('../files/readWallet.ts', { spy: true });
vi.mock('../recovery/repair/repairDescriptors.ts', { spy: true });
vi.mock('../recovery/repair/repairWallet.ts', { spy: true });
vi.mock('../recovery/salvage/readableRecords.ts', { spy: true });

const whole = walletFile('legacy-hd');
const unclean = unclosedWallet(whole);
/** Two keys of BIP 38 under “TestingOneTwoThree”. */
const SEALED = [
  '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg',
  '6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo',
].join('\n');

let folder = '';
let file = '';

beforeEach(() => {
  folder = join(makeTestFolder(), 'wallet');
  mkdirSync(folder);
  file = join(folder, 'wallet.dat');
});

/** Writes the file, and its log into a node's folder for it or another one. */
function put(bytes: Uint8Array | string, log?: { name: string; bytes: Uint8Array }, at = 'database'): string {
  writeFileSync(file, bytes);
  const logs = join(folder, at);
  mkdirSync(logs, { recursive: true });
  if (log) writeFileSync(join(logs, log.name), log.bytes);
  return logs;
}

const recordsOf = (bytes: FileBytes) =>
  readBerkeley(bytes).records.map(({ key, value }) =>
    [key, value].map((part) => Buffer.from(part).toString('hex')),
  );

const rescued = (logs: RescueRequest['logs'], passphrase?: string) =>
  withRescued(file, { logs, network: 'regtest' }, { passphrase }, async (found) => found);

/** Repairs the file as it is now, without its log. */
const repair = (passphrase?: string) => {
  const rescue = { logs: 'none', network: 'regtest' } as const;
  return repairInto({ path: file, sha256: sha256Of(readFileSync(file)), folder, rescue, passphrase });
};

const badLog = (code: string) => ({ code: 'bad_input', finding: { code } });

it.each([
  ['descriptor', 'sqlite', 1],
  ['legacy', 'bdb', 68],
] as const)('makes a %s wallet of a dump without its end', async (kind, format, keys) => {
  const { records } = await readEntries(walletFile(`${kind}-hd`));
  const lines = records.map(({ key, value }) => `${bytesToHex(key)},${bytesToHex(value)}`);
  put(['BITCOIN_CORE_WALLET_DUMP,1', `format,${format}`, ...lines.slice(0, -1)].join('\n'));
  const opened = await doWalletTask({ kind: 'openText', task: { path: file, folder } });
  expect(opened).toMatchObject({ newFile: null, hasKeys: true });
  const found = await rescued('none');
  expect(found.kind).toBe(kind);
  const damaged = { keys: 0, others: 1 };
  expect(found.facts).toMatchObject({ saved: { keys }, damaged, damagedTextKeys: 0 });
});

describe('a damaged first block', () => {
  /** Puts a wallet whose list of blocks ends with this hash. */
  const putLastHash = async (changed: (first: string) => string) => {
    const { records } = await readEntries(whole);
    const edited = records.map((entry) => {
      const record = recordOf('bestblock_nomerkle', entry);
      const first = record?.blockHashes.at(-1);
      if (!record || first === undefined) return entry;
      return writeRecord({ ...record, blockHashes: [...record.blockHashes.slice(0, -1), changed(first)] });
    });
    put(writeBerkeley(edited));
  };
  const inspected = async () =>
    withRescued(file, { logs: 'none', network: 'regtest' }, {}, (found) => inspectRescued(found, {}));

  it('is repaired if few of its bits are wrong', async () => {
    await putLastHash((first) => first.replace(/^0f/, '4f'));
    const before = await inspect(readFileSync(file));
    expect(before).toMatchObject({ coin: { verdict: 'bitcoin' }, network: { name: 'regtest' } });
    expect(before.conditions).toMatchObject([{ code: 'record-unreadable', records: { total: 1 } }]);
    const { path } = await repair();
    expect(recordsOf(readFileSync(path))).toEqual(recordsOf(whole));
  });

  it('is left out if nothing proves it, and the rescue asks whether the keys are Bitcoin’s', async () => {
    await putLastHash(() => '00'.repeat(32));
    const { inspection } = await inspected();
    expect(inspection).toMatchObject({ coin: { verdict: 'ambiguous', coins: ['Bitcoin'] }, conditions: [] });
    const { path } = await repair();
    expect((await inspect(readFileSync(path))).coin.verdict).toBe('bitcoin');
  });
});

describe('the journal of a wallet that is gone', () => {
  const wallet = walletFile('descriptor-hd');
  const pages = [4, 5, 6, 7];
  const frames = pages.map((number) => ({ number, page: pageOf(wallet, number), commit: 7 }));

  it.each([
    ['alone', 'wallet.dat-journal', journalOf(wallet, pages)],
    ['alone, a write-ahead log', 'wallet.dat-wal', logOf(4096, frames)],
    ['next to an empty file', 'wallet.dat', journalOf(wallet, pages)],
  ])('saves what its pages have (%s)', async (_, name, journal) => {
    // The same pages in a file without the others.
    const holed = Buffer.from(wallet).fill(0, 0, 3 * 4096);
    writeFileSync(file, holed);
    const inFile = await rescued('none');
    expect(inFile).toMatchObject({ kind: 'descriptor', facts: { saved: { keys: 1 } } });
    writeFileSync(file, '');
    if (name !== 'wallet.dat') rmSync(file);
    writeFileSync(join(folder, name === 'wallet.dat' ? 'wallet.dat-journal' : name), journal);
    const request = { logs: 'none', network: 'regtest' } as const;
    const found = await withRescued(join(folder, name), request, {}, async (saved) => saved);
    const facts = { ...inFile.facts, unclean: true };
    expect(found).toMatchObject({ kind: 'descriptor', bytes: inFile.bytes, facts });
  });

  const every = [1, 2, 3, 4, 5, 6, 7];
  const damaged = journalOf(wallet, every);
  // The checksum of the third page, before the pages with the key.
  damaged.fill(0xff, 512 + 3 * 4104 - 4, 512 + 3 * 4104);
  const uncommitted = every.map((number) => ({
    number,
    page: pageOf(wallet, number),
    commit: number === 2 ? 7 : 0,
  }));

  it.each([
    ['behind a damaged page', 'wallet.dat-journal', damaged],
    ['behind the last commit', 'wallet.dat-wal', logOf(4096, uncommitted)],
  ])('saves a key %s', async (_, name, journal) => {
    rmSync(file, { force: true });
    writeFileSync(join(folder, name), journal);
    const request = { logs: 'none', network: 'regtest' } as const;
    const found = await withRescued(join(folder, name), request, {}, async (saved) => saved);
    expect(found.facts.saved.keys).toBe(1);
  });
});

describe('the log of a file', () => {
  it.each(['database', '.', '../database', 'elsewhere/database'])(
    'restores what the file lacks (%s)',
    async (at) => {
      const logs = put(unclean.bytes, unclean.log, at);
      // Berkeley DB leaves an empty file if the disk is full.
      writeFileSync(join(logs, 'log.0000000002'), '');
      const where = at.startsWith('elsewhere') ? { in: join(folder, 'elsewhere') } : 'beside';
      const found = await rescued(where);
      expect(found.facts.log).toEqual({ folder: logs, redone: 2, undone: 0, lastCommit: 1_700_000_000 });
      const { bytes } = await repairWallet(whole, { logs: [], network: 'regtest' });
      expect(recordsOf(found.bytes)).toEqual(recordsOf(bytes));
      const without = await rescued('none');
      // The wallet's seed gives the last committed key again.
      expect(without.facts).toMatchObject({ log: null, unclean: true, saved: { derived: 1 } });
      expect(found.facts).toMatchObject({ unclean: false, saved: { derived: 0 } });
      expect(readFileSync(file)).toEqual(Buffer.from(unclean.bytes));
      const log = join(logs, unclean.log.name);
      expect(readFileSync(log)).toEqual(Buffer.from(unclean.log.bytes));
      renameSync(log, join(logs, 'log (1).0000000007.txt'));
      expect((await rescued(where)).facts.log).toEqual(found.facts.log);
    },
  );

  it('that cannot be replayed gives the records in it', async () => {
    const logs = put(unclean.bytes, unclean.log);
    writeFileSync(join(logs, 'log.0000000003'), logMaker({ number: 3, previousEnd: 9 }).file().bytes);
    const log = { redone: 1, problem: { code: 'log_file_missing', number: 1 } };
    const { facts } = await rescued('beside');
    expect(facts).toMatchObject({ unclean: true, saved: { derived: 0 }, log });
  });

  it('counts where the file is inspected, and in the balance before a rescue', async () => {
    const imported = walletFile('legacy-imported');
    const { bytes, log } = unclosedWallet(imported);
    put(bytes, log);
    const { keys, balance } = await inspect(imported, { network: 'regtest' });
    const task = { path: file, network: 'regtest' } as const;
    const { inspection } = await doWalletTask({ kind: 'inspect', task });
    expect(inspection).toMatchObject({
      keys,
      balance,
      problems: [{ finding: { code: 'changes_read_from_log' }, lost: false }],
      file: { format: { cleanlyClosed: false } },
    });
    const exported = {
      ...task,
      name: 'w',
      private: true,
      format: 'wif',
      destination: join(folder, 'keys'),
    } as const;
    expect((await doWalletTask({ kind: 'export', task: exported })).keys?.total).toBe(keys.plain);
    const { wallets } = await doWalletTask({ kind: 'rehearse', task: { ...task, name: 'w' } });
    expect(wallets[0]?.found.balance.spendable).toEqual(balance.spendable);
    const rescue = { logs: 'beside', network: 'regtest' } as const;
    const { facts } = await repairInto({ path: file, sha256: sha256Of(bytes), folder, rescue });
    expect(facts.balanceInFile?.spendable).toBe(balance.spendable.confirmed);
  });

  it('that cannot be read leaves the file readable', async () => {
    const logs = put(unclean.bytes, unclean.log);
    mkdirSync(join(logs, 'log.0000000009'));
    const task = { path: file, network: 'regtest' } as const;
    const { inspection } = await doWalletTask({ kind: 'inspect', task });
    const codes = inspection.problems.map(({ finding }) => finding.code);
    expect(codes).toEqual(['not_closed_cleanly', 'keys_missing']);
  });

  it('is refused in its usual folder if it belongs to another wallet', async () => {
    const { log } = unclosedWallet(walletFile('legacy-watchonly'));
    // A damaged file id of zeros is in every log.
    const filled = { ...log, bytes: Buffer.concat([log.bytes, Buffer.alloc(20)]) };
    const withoutId = unclean.bytes.slice().fill(0, 52, 72);
    for (const bytes of [withoutId, unclean.bytes]) {
      put(bytes, filled, '.');
      expect((await rescued('beside')).facts.log).toBeNull();
    }
    writeFileSync(join(folder, 'log.0000000009'), '');
    truncateSync(join(folder, 'log.0000000009'), 300_000_000);
    expect((await rescued('beside')).facts.log).toBeNull();
    put(unclean.bytes, log);
    await expect(rescued('beside')).rejects.toMatchObject(badLog('log_of_other_file'));
  });

  it('may be missing, unless the user named its folder', async () => {
    put(unclean.bytes);
    expect((await rescued('beside')).facts.log).toBeNull();
    await expect(rescued({ in: folder })).rejects.toMatchObject(badLog('no_log'));
    await expect(rescued({ in: join(folder, 'gone') })).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('is read up to its newest 256 MB if they contain the last checkpoint', async () => {
    const newest = unclosedWallet(whole, 2);
    const logs = put(newest.bytes, newest.log);
    const older = join(logs, 'log.0000000001');
    writeFileSync(older, '');
    // A sparse file.
    truncateSync(older, 300_000_000);
    expect((await rescued('beside')).facts.log).toMatchObject({ redone: 2 });
  });

  it('is refused if one of its files is larger', async () => {
    const logs = put(unclean.bytes, unclean.log);
    truncateSync(join(logs, unclean.log.name), 300_000_000);
    const before = process.memoryUsage().arrayBuffers;
    await expect(rescued('beside')).rejects.toMatchObject(badLog('log_too_large'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });
});

describe('a rescue that saves nothing', () => {
  it.each<[string, string | Uint8Array]>([
    ['a text without keys', 'nothing of a wallet\n'.repeat(50)],
    ['zeros', new Uint8Array(20_000)],
  ])('reports it: %s', async (_, bytes) => {
    put(bytes);
    await expect(rescued('beside')).rejects.toMatchObject({ code: 'not_a_wallet' });
    await expect(repair()).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(readdirSync(folder).sort()).toEqual(['database', 'wallet.dat']);
  });
});

describe('a wrong passphrase', () => {
  it.each<[string, () => Uint8Array | string]>([
    ['an encrypted wallet', () => walletFile('legacy-hd-encrypted')],
    ['encrypted keys (BIP 38)', () => SEALED],
  ])('writes nothing of %s', async (_, bytes) => {
    put(bytes());
    await expect(repair('wrong')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(readdirSync(folder)).not.toContain(REPAIRED_FILE);
  });

  it('does not prevent the right one', async () => {
    put(walletFile('legacy-hd-encrypted'));
    const { facts } = await rescued('none', fixturePassphrase('legacy-hd-encrypted'));
    expect(facts.saved.keys).toBeGreaterThan(0);
  });
});

describe('the repaired file', () => {
  it('overwrites no file, and comes from the file that the user saw', async () => {
    put(unclean.bytes, unclean.log);
    const into = join(folder, 'into');
    mkdirSync(into);
    const request = {
      path: file,
      sha256: sha256Of(unclean.bytes),
      folder: into,
      rescue: { logs: 'beside', network: 'regtest' },
    } as const;
    const { path, sha256 } = await repairInto(request);
    expect(path).toBe(join(into, REPAIRED_FILE));
    expect(sha256Of(readFileSync(path))).toBe(sha256);
    await expect(repairInto(request)).rejects.toMatchObject({ code: 'file_exists' });
    expect(sha256Of(readFileSync(path))).toBe(sha256);
    rmSync(path);
    const another = repairInto({ ...request, sha256: '0'.repeat(64) });
    await expect(another).rejects.toMatchObject({ code: 'file_changed' });
    expect(readdirSync(into)).toEqual([]);
  });
});

it('keeps a balance of zero unless transactions or keys may be missing', async () => {
  const { records } = await readEntries(walletFile('legacy-blank'));
  const ofOthers = transactionRecord([new Uint8Array([0x51])]).record;
  const balance = async (...more: RawRecord[]) => {
    put(writeBerkeley(inOrder(records, more)));
    const { path, facts } = await repair();
    rmSync(path);
    return facts.balanceInFile;
  };
  expect(await balance(ofOthers)).toEqual({ spendable: 0n, watched: 0n, newest: 1_700_000_000 });
  expect(await balance()).toBeNull();
  const { key, value } = transactionRecord([]).record;
  expect(await balance(ofOthers, { key, value: value.subarray(0, 5) })).toBeNull();
});

describe.skipIf(!hasForeignWallets)(`a damaged file${foreignNote}`, () => {
  it('keeps the balance that its own inspection shows', async () => {
    const { bytes } = brokenWallet('damaged-some-leaves');
    put(bytes);
    const { facts } = await repair();
    const { balance } = await inspect(bytes, { network: 'regtest' });
    expect(balance.spendable).toMatchObject({ confirmed: 310_000_000n, unconfirmed: 0n });
    expect(facts.balanceInFile).toMatchObject({ spendable: 310_000_000n, watched: 0n });
  });
});

describe('the inspection, a try of the passphrase and the repair in one thread', () => {
  it.each([
    { name: 'legacy-hd-encrypted', repair: repairWallet },
    { name: 'descriptor-encrypted', repair: repairDescriptors },
  ] as const)('search $name once, and repair it once without the passphrase', async (one) => {
    put(walletFile(one.name));
    const [search, repair] = [vi.mocked(findRecords), vi.mocked<(...args: never[]) => unknown>(one.repair)];
    search.mockClear();
    repair.mockClear();
    const rescue = { logs: 'none', network: 'regtest' } as const;
    const passphrase = fixturePassphrase(one.name) ?? '';
    const { sha256 } = await doWalletTask({ kind: 'inspect', task: { path: file, rescue } });
    const tried = { kind: 'tryPassphrase', task: { path: file, passphrase, rescue } } as const;
    expect(await doWalletTask(tried)).toMatchObject({ verdict: 'right' });
    await doWalletTask({ kind: 'repair', task: { path: file, sha256, folder, rescue, passphrase } });
    expect(search).toHaveBeenCalledTimes(1);
    expect(repair).toHaveBeenCalledTimes(3);
  });

  it.each(['legacy-hd-encrypted', 'descriptor-encrypted'] as const)(
    'name the variant of a wrong passphrase that opens %s',
    async (name) => {
      put(walletFile(name));
      const right = fixturePassphrase(name) ?? '';
      const rescue = { logs: 'none', network: 'regtest' } as const;
      const verdictOf = (passphrase: string) =>
        doWalletTask({ kind: 'tryPassphrase', task: { path: file, passphrase, rescue } });
      expect(await verdictOf(`${right} `)).toEqual({ verdict: 'right-trimmed' });
      expect(await verdictOf(`${right}x`)).toEqual({ verdict: 'wrong' });
    },
  );
});

const flip = (bytes: Uint8Array, place: number) => bytes.with(place, (bytes[place] ?? 0) ^ 4);

type MasterKey = RecordOfType<'mkey'>;

it.each<
  [string, 'legacy-hd-encrypted' | 'descriptor-encrypted', boolean, (record: MasterKey) => Partial<MasterKey>]
>([
  ['key', 'legacy-hd-encrypted', false, ({ encrypted }) => ({ encrypted: flip(encrypted, 3) })],
  ['key', 'descriptor-encrypted', false, ({ encrypted }) => ({ encrypted: flip(encrypted, 40) })],
  ['salt', 'legacy-hd-encrypted', true, ({ salt }) => ({ salt: flip(salt, 7) })],
  ['salt', 'descriptor-encrypted', true, ({ salt }) => ({ salt: flip(salt, 0) })],
  ['rounds', 'legacy-hd-encrypted', true, ({ iterations }) => ({ iterations: iterations ^ (2 ** 14) })],
  ['rounds', 'descriptor-encrypted', true, ({ iterations }) => ({ iterations: iterations ^ 2 })],
])(
  'repairs a bit of the %s of the master key of %s with the passphrase',
  async (_, name, isThorough, change) => {
    const flipBit = changeFirst('mkey', (record) => ({ ...record, ...change(record) }));
    const bytes = await editedWallet(name, flipBit);
    put(bytes);
    const passphrase = fixturePassphrase(name) ?? '';
    const task = { path: file, rescue: { logs: 'none', network: 'regtest' }, passphrase } as const;
    expect((await inspect(bytes, { passphrase })).passphrase).toBe('wrong');
    if (isThorough) expect(await doWalletTask({ kind: 'tryPassphrase', task })).toEqual({ verdict: 'wrong' });
    const tried = await doWalletTask({ kind: 'tryPassphrase', task: { ...task, isThorough } });
    const opened = { inspection: { passphrase: 'right' }, rescue: { repaired: 1 } };
    expect(tried).toMatchObject({ verdict: 'right', opened });
    const wrong = { ...task, passphrase: `${passphrase}x` };
    expect(await doWalletTask({ kind: 'tryPassphrase', task: wrong })).toEqual({ verdict: 'wrong' });
    const { path } = await repairInto({ ...task, sha256: sha256Of(bytes), folder });
    const whole = await inspect(walletFile(name), { passphrase });
    const { keys, passphrase: verdict } = await inspect(readFileSync(path), { passphrase });
    expect({ keys, verdict }).toEqual({ keys: whole.keys, verdict: 'right' });
  },
);

it.skipIf(ON_WINDOWS)('saves no copy of a whole wallet, and does not read its huge log', async () => {
  const logs = put(whole, { name: 'log.0000000001', bytes: new Uint8Array() });
  truncateSync(join(logs, 'log.0000000001'), 10 * 2 ** 30);
  const saved = await saveWhole({ path: file, destination: join(folder, 'copy.dat') });
  expect(saved).toEqual({ saved: null, state: 'whole' });
  expect(readdirSync(folder).sort()).toEqual(['database', 'wallet.dat']);
});

describe('a file beyond 2 GiB', () => {
  beforeEach(async () => {
    const { withWallet: open } = await vi.importActual<typeof readWallet>('../files/readWallet.ts');
    vi.mocked(withWallet).mockImplementation((path, work, options) =>
      open(path, work, {
        ...options,
        mostInMemory: options?.mostInMemory === MAX_BYTES_IN_MEMORY ? 0 : 2 ** 31,
      }),
    );
    return () => vi.mocked(withWallet).mockImplementation(open);
  });
  const hurt = walletFile('legacy-hd').fill(0, 14 * 4096, 16 * 4096);

  it('is rescued from its disk as in memory', async () => {
    put(hurt);
    const rescue = { logs: 'none', network: 'regtest' } as const;
    const { inspection } = await doWalletTask({ kind: 'inspect', task: { path: file, rescue } });
    const { path, sha256, facts } = await repair();
    const inMemory = await repairWallet(hurt, { logs: [], network: 'regtest', withBlock: true });
    expect(readFileSync(path)).toEqual(Buffer.from(inMemory.bytes));
    expect(sha256).toBe(sha256Of(inMemory.bytes));
    expect(facts).toMatchObject({ saved: inMemory.facts.saved, damaged: inMemory.facts.damaged });
    expect(inspection.transactions.total).toBe(facts.saved.transactions);
  });

  it('is repaired once without and once with the passphrase', async () => {
    put(walletFile('legacy-hd-encrypted'));
    vi.mocked(repairWallet).mockClear();
    const passphrase = fixturePassphrase('legacy-hd-encrypted') ?? '';
    const task = { path: file, rescue: { logs: 'none', network: 'regtest' }, passphrase } as const;
    const { inspection } = await doWalletTask({ kind: 'inspect', task });
    expect(inspection.passphrase).toBe('right');
    expect(repairWallet).toHaveBeenCalledTimes(2);
  });

  it('is no text with keys', async () => {
    put(walletFile('descriptor-hd'));
    truncateSync(file, 3 * 2 ** 30);
    expect(await doWalletTask({ kind: 'openText', task: { path: file, folder } })).toMatchObject({
      newFile: null,
      lines: null,
    });
  });

  it('is refused with a log', async () => {
    put(unclean.bytes, unclean.log);
    await expect(rescued('beside')).rejects.toMatchObject(badLog('log_too_large'));
  });

  it.each([
    ['without its header', 0],
    ['with a lost page', 5],
  ])('may be a descriptor wallet %s', async (_, page) => {
    const lost = walletFile('descriptor-hd').fill(0, page * 4096, (page + 1) * 4096);
    put(lost);
    const { bytes, facts } = await rescued('none');
    const inMemory = await repairDescriptors(lost, { network: 'regtest' });
    expect(Buffer.compare(bytes as Uint8Array, inMemory?.bytes ?? new Uint8Array())).toBe(0);
    expect(facts.saved).toEqual(inMemory?.facts.saved);
  });
});

it('applies a log to a file that is read from its disk as to one in memory', async () => {
  put(unclean.bytes, unclean.log);
  const applied = await withLog(file, unclean.bytes);
  expect(recordsOf(applied ?? new Uint8Array())).toEqual(recordsOf(whole));
  expect(await withLog(file, sourceOnDisk(unclean.bytes))).toEqual(applied);
});
