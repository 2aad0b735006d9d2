/** Tasks on the recorded wallets, compared with the answers of nodes. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { needsRescue } from '../../shared/model/inspection.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { fileVerdict } from '../../shared/wording/verdictWords.ts';
import { hashFile } from '../files/hash.ts';
import { fileChangedError } from '../files/openFile.ts';
import { withWallet } from '../files/readWallet.ts';
import { HAS_MODES } from '../files/testing/system.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { writeBerkeley } from '../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../walletfile/database/rawRecord.ts';
import { journalOf } from '../walletfile/database/testing/sqliteJournals.ts';
import { readSqlite, writeSqlite } from '../walletfile/database/walletDatabase.ts';
import { parseDescriptor } from '../walletfile/descriptor/descriptorParse.ts';
import { keyChecksum, makeStoredKey } from '../walletfile/keys/privateKey.ts';
import { writeRecord } from '../walletfile/records/records.ts';
import { hash160, makeOutputScript } from '../walletfile/script/script.ts';
import { conditionFiles } from '../walletfile/testing/conditionFiles.ts';
import { cutOffChange } from '../walletfile/testing/cutOffChange.ts';
import { foreignNote, hasForeignWallets, reportFolder } from '../walletfile/testing/foreignWallets.ts';
import { inOrder, keyRecords, sampleKey, transactionRecord } from '../walletfile/testing/sampleWallet.ts';
import { factsOf, sourceOnDisk, walletPath } from '../walletfile/testing/wallets.ts';
import { doWalletTask, type WalletTasks } from './walletTask.ts';

vi.mock('../files/readWallet.ts', { spy: true });

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const inspect = (path: string, more: Partial<WalletTasks['inspect']> = {}) =>
  doWalletTask({ kind: 'inspect', task: { path, ...more } });

/** A legacy wallet without a readable list of blocks, and so without a sign of its network. */
function withoutNetwork(): string {
  const bytes = readFileSync(walletPath('legacy-blank'));
  for (let at = bytes.indexOf('bestblock'); at >= 0; at = bytes.indexOf('bestblock')) bytes.write('xest', at);
  const path = join(folder, 'blank.dat');
  writeFileSync(path, bytes);
  return path;
}

describe('a first look', () => {
  const keyAt = (at: number) => {
    const privateKey = new Uint8Array(32).fill(1);
    privateKey.set([at >> 8, at & 0xff]);
    return makeStoredKey({ privateKey, compressed: true });
  };
  const keys = Array.from({ length: 600 }, (_, at) => keyAt(at));
  keys.sort((one, next) => Buffer.compare(one.publicKey, next.publicKey));
  const [early, late] = [keys[10], keys[599]] as [(typeof keys)[0], (typeof keys)[0]];

  /** A wallet whose key `forged` has the private key of another one. Returns the conditions that both looks find. */
  async function looks(forged: typeof early | null, more: RawRecord[] = [], hasChecksum = true) {
    const { der } = keyAt(1000);
    const records = keys.map((key) => {
      if (key !== forged) return writeRecord({ type: 'key', ...key });
      const checksum = hasChecksum ? keyChecksum(key.publicKey, der) : null;
      return writeRecord({ type: 'key', publicKey: key.publicKey, der, checksum });
    });
    const path = join(folder, 'wallet.dat');
    writeFileSync(path, writeBerkeley(inOrder(records, more)));
    const first = (await inspect(path, { isFirstLook: true })).inspection;
    const whole = (await inspect(path)).inspection;
    return {
      first,
      whole,
      codes: [first, whole].map(({ conditions }) => conditions.map(({ code }) => code)),
    };
  }

  it('gives all facts of a wallet whose keys are whole', async () => {
    const { first, whole } = await looks(null);
    expect(first).toEqual(whole);
  });

  it('finds a forged key among the first ones', async () => {
    expect((await looks(early)).codes).toEqual([['key-misfit'], ['key-misfit']]);
  });

  it('leaves a forged key behind them, whose checksum is right, to the whole inspection', async () => {
    expect((await looks(late)).codes).toEqual([[], ['key-misfit']]);
  });

  it('finds a forged key that a transaction pays', async () => {
    const script = makeOutputScript({ kind: 'p2pkh', keyHash: hash160(late.publicKey) });
    const { codes } = await looks(late, [transactionRecord([script]).record]);
    expect(codes).toEqual([['key-misfit'], ['key-misfit']]);
  });

  it('finds a damaged key that has no checksum', async () => {
    expect((await looks(late, [], false)).codes).toEqual([['key-damaged'], ['key-damaged']]);
  });
});

describe('inspect', () => {
  it('uses the requested network if the file does not show one', async () => {
    const path = withoutNetwork();
    const { inspection: alone } = await inspect(path);
    expect(alone).toMatchObject({ kind: 'legacy', network: { name: 'unknown', from: 'nothing' } });
    const { inspection } = await inspect(path, { network: 'signet' });
    expect(inspection.network).toMatchObject({ name: 'signet', from: 'asked' });
  });

  it('returns the SHA-256 of the bytes', async () => {
    const path = walletPath('legacy-hd');
    expect((await inspect(path)).sha256).toBe(await hashFile(path));
  });

  it('inspects the latest two contents once, whatever the file’s name', async () => {
    const path = join(folder, 'wallet.dat');
    const fileOf = async (wallet: string) => {
      copyFileSync(walletPath(wallet), path);
      return (await inspect(path)).inspection.file;
    };
    const first = await fileOf('legacy-hd');
    expect(await fileOf('descriptor-hd')).toMatchObject({ format: { kind: 'sqlite' } });
    expect(await fileOf('legacy-hd')).toBe(first);
    for (const other of ['descriptor-hd', 'descriptor-encrypted']) await fileOf(other);
    const again = await fileOf('legacy-hd');
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  it('keeps nothing of an inspection during which the disk failed', async () => {
    const path = walletPath('legacy-imported');
    const sha256 = await hashFile(path);
    const disk = sourceOnDisk(readFileSync(path));
    const failure = new Error('the disk failed');
    let reads = 0;
    const content: typeof disk = {
      ...disk,
      read(offset, length) {
        reads += 1;
        if (reads > 20) throw failure;
        return disk.read(offset, length);
      },
      throwError() {
        throw failure;
      },
    };
    vi.mocked(withWallet).mockImplementationOnce((_, work) =>
      work({ content, recovered: false, journal: 'none', wal: 'none', sha256: () => sha256 }),
    );
    await expect(inspect(path)).rejects.toThrow(failure);
    expect(reads).toBeGreaterThan(20);
    expect((await inspect(path)).inspection.problems).toEqual([]);
  });

  it('reports a journal of another file', async () => {
    const path = join(folder, 'wallet.dat');
    copyFileSync(walletPath('descriptor-hd'), path);
    const other = readFileSync(walletPath('descriptor-encrypted'));
    writeFileSync(`${path}-journal`, journalOf(other, [1, 2, 3, 4, 5]));
    const { inspection, recovered } = await inspect(path);
    expect(inspection.problems).toMatchObject([{ finding: { code: 'journal_of_other_file' }, lost: false }]);
    expect(recovered).toBe(false);
  });

  it.each([
    ['-journal', 'change_undone_by_journal'],
    ['-wal', 'changes_read_from_log'],
  ] as const)('reads a wallet with its %s', async (ending, code) => {
    const { path, whole, changed } = await cutOffChange(folder, ending);
    const expected = await inspect(whole);
    const { inspection, sha256, recovered } = await inspect(path);
    expect(recovered).toBe(true);
    expect(sha256).toBe(expected.sha256);
    expect(inspection.keys).toEqual(expected.inspection.keys);
    expect(inspection.keys.plain).toBeGreaterThan(0);
    expect(inspection.problems).toMatchObject([{ finding: { code }, lost: false }]);
    expect((await inspect(changed)).inspection.keys.plain).toBe(0);
    const [facts] = await doWalletTask({ kind: 'readFacts', task: { paths: [path], of: 'unloaded' } });
    expect(facts?.watchOnly).toBe(false);
    const keys = {
      private: true,
      format: 'importdescriptors',
      destination: join(folder, 'keys.json'),
    } as const;
    const exported = await doWalletTask({ kind: 'export', task: { path, name: 'w', ...keys } });
    expect(exported.descriptors).toBeGreaterThan(0);
    expect(readFileSync(exported.path, 'utf8')).toContain('prv');
    const rescued = await inspect(path, { rescue: { logs: 'none' } });
    expect(rescued.rescue?.saved.keys).toBe(expected.inspection.keys.plain);
    expect(rescued.rescue?.unclean).toBe(false);
  });

  it.each([
    ['legacy-hd', 'magic', 12],
    ['legacy-hd', 'version', 16],
    ['legacy-hd', 'page size', 20],
    ['legacy-hd', 'page type', 25],
    ['descriptor-hd', 'name', 2],
    ['descriptor-hd', 'page size', 16],
    ['descriptor-hd', 'page type', 100],
    ['descriptor-encrypted', 'table', 4040],
  ])('reads %s with a damaged %s as a rescue does, if asked', async (wallet, _, at) => {
    const bytes = readFileSync(walletPath(wallet));
    bytes.writeUInt8((bytes[at] ?? 0) ^ 2, at);
    const path = join(folder, 'wallet.dat');
    writeFileSync(path, bytes);
    const { inspection: whole } = await inspect(walletPath(wallet));
    await expect(inspect(path)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { inspection, sha256 } = await inspect(path, { otherwise: { logs: 'none', network: 'regtest' } });
    expect(inspection.keys.encrypted + inspection.keys.plain).toBe(whole.keys.encrypted + whole.keys.plain);
    expect(inspection.balance.spendable.confirmed).toBe(whole.balance.spendable.confirmed);
    expect(needsRescue(inspection)).toBe(true);
    expect(fileVerdict(inspection, null).text).toBe('Damaged. A rescue saves what is left.');
    expect(sha256).toBe(await hashFile(path));
  });

  it.each<[string, (file: Buffer) => Buffer]>([
    ['FTP took for text', (file) => Buffer.from(file.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')],
    [
      'FTP took for text, and that lost a byte of it',
      (file) =>
        Buffer.from(
          file
            .toString('latin1')
            .replaceAll('\n', '\r\n')
            .replace(/(.{9000}.*?)\r\n/s, '$1\n'),
          'latin1',
        ),
    ],
    ['was written as UTF-8', (file) => Buffer.from(file.toString('latin1'))],
    [
      'has the head of an answer of HTTP',
      (file) => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), file]),
    ],
  ])('reads all of a wallet that %s', async (_, convert) => {
    for (const name of ['legacy-hd', 'descriptor-hd'] as const) {
      const path = join(folder, `${name}.dat`);
      writeFileSync(path, convert(readFileSync(walletPath(name))));
      const { inspection } = await inspect(path, { otherwise: { logs: 'none', network: 'regtest' } });
      const { keys, balance, transactions } = (await inspect(walletPath(name))).inspection;
      const { spendable } = balance;
      expect(inspection).toMatchObject({
        keys,
        balance: { spendable },
        transactions: { total: transactions.total },
      });
      expect(needsRescue(inspection)).toBe(true);
      const finding = { code: 'wallet_damaged', fault: { code: 'file_converted' } };
      expect(inspection.problems).toEqual([{ page: null, finding, lost: false }]);
    }
  });

  it.each([
    ['start', 0, 512, 'regtest', 'addresses'],
    ['root page', 0, 4096, 'regtest', 'addresses'],
    ['root page and addresses', 0, 4096, 'unknown', 'keys'],
    ['table', 4096, 8192, 'regtest', 'file'],
  ])('reads a descriptor wallet without its %s as a rescue does', async (_, start, end, network, from) => {
    const bytes = readFileSync(walletPath('descriptor-hd')).fill(0, start, end);
    if (network === 'unknown')
      for (let at = bytes.indexOf('bcrt1'); at >= 0; at = bytes.indexOf('bcrt1')) bytes.write('xxxxx', at);
    const path = join(folder, 'wallet.dat');
    writeFileSync(path, bytes);
    for (const nodeNetwork of [undefined, 'main'] as const)
      expect((await inspect(path, { otherwise: { logs: 'none', nodeNetwork } })).inspection).toMatchObject({
        keys: { plain: 1 },
        descriptors: { total: 8 },
        network: { name: network, from },
      });
    const { inspection } = await inspect(path, { otherwise: { logs: 'none' } });
    if (network === 'regtest') expect(inspection.balance.spendable.confirmed).toBe(930_000_000n);
    expect(fileVerdict(inspection, null).text).toBe('Damaged. A rescue saves what is left.');
  });

  it.each([
    ['text', 'private key: none\n'.repeat(40), 'not_core_wallet'],
    ['other bytes', '\0\x01\x02\x03'.repeat(400), 'not_core_wallet'],
    ['an empty database', 'SQLite format 3\0'.padEnd(100, '\0'), 'no_wallet_table'],
  ])('refuses %s, whose rescue would save nothing', async (_, text, code) => {
    const path = join(folder, 'other.dat');
    writeFileSync(path, text, 'latin1');
    const refused = inspect(path, { otherwise: { logs: 'none' } });
    await expect(refused).rejects.toMatchObject({ code: 'not_a_wallet', finding: { code } });
  });

  it.each(['descriptor-misfit', 'descriptor-keyless', 'descriptor-key-sealed'] as const)(
    'calls a wallet damaged in the list: %s',
    async (condition) => {
      const path = join(folder, 'wallet.dat');
      writeFileSync(path, (await conditionFiles[condition]()).bytes);
      const [facts] = await doWalletTask({ kind: 'readFacts', task: { paths: [path], of: 'unloaded' } });
      expect(facts?.damaged).toBe(true);
    },
  );

  it.skipIf(!hasForeignWallets)(`reads the wallet of a public report${foreignNote}`, async () => {
    const path = join(reportFolder('sqlite-hot-journal-whole'), 'wallet.dat');
    const { inspection } = await inspect(path);
    const { descriptors, keys, labels, transactions } = inspection;
    expect([descriptors.total, keys.plain, labels.total, transactions.total]).toEqual([8, 1, 6, 6]);
    const [facts] = await doWalletTask({ kind: 'readFacts', task: { paths: [path], of: 'unloaded' } });
    expect(facts?.balance?.spendable).toBe(930_000_000n);
    const rescued = await inspect(path, { rescue: { logs: 'none' } });
    expect(rescued.rescue?.saved.keys).toBe(1);
    const stale = join(reportFolder('sqlite-stale-journal'), 'wallet.dat');
    const idle = await inspect(stale);
    expect([idle.recovered, idle.inspection.problems]).toEqual([false, []]);
    expect(idle.sha256).toBe(await hashFile(stale));
  });
});

it('inspect reports a migration that was interrupted between its two writes', async () => {
  const { records } = await readSqlite(readFileSync(walletPath('descriptor-hd')));
  const path = join(folder, 'half.dat');
  // A migration sets the flag of descriptor wallets with its last change.
  const half = records.filter(({ key }) => !Buffer.from(key).includes('flags'));
  writeFileSync(path, await writeSqlite([...half, ...keyRecords(sampleKey(1))], 'regtest'));
  const { kind, problems } = (await inspect(path)).inspection;
  expect(kind).toBe('legacy');
  expect(problems).toContainEqual({ page: null, finding: { code: 'half_migrated' }, lost: false });
});

describe('rehearse', () => {
  const rehearse = (name: string, more: Partial<WalletTasks['rehearse']> = {}) => {
    const { passphrase } = factsOf(name);
    const task = { path: walletPath(name), name, network: 'regtest', passphrase, ...more } as const;
    return doWalletTask({ kind: 'rehearse', task });
  };

  // What is made of every recorded wallet: `walletfile/migrate/migrateWallet.test.ts`.
  it.each(['legacy-hd-encrypted', 'legacy-watchonly'])('%s: makes what release 31.0 makes', async (name) => {
    const recorded = factsOf(name).after_by_release?.['31.0'];
    if (!recorded) throw new Error('not recorded');
    const { wallets: newWallets, proof } = await rehearse(name);
    const { wallet_name, watchonly_name } = recorded.migratewallet;
    const names = [wallet_name, watchonly_name].filter((each) => each !== undefined);
    expect(newWallets.map((wallet) => wallet.name)).toEqual(names);
    const before = await inspect(walletPath(name), { network: 'regtest' });
    expect(proof.transactions).toBe(before.inspection.transactions.total);
    for (const { part, found } of newWallets) {
      const view = recorded.wallets[part === 'primary' ? 'wallet_name' : 'watchonly_name'];
      const listed = view?.listdescriptors?.descriptors ?? [];
      // The new wallet has the old passphrase.
      const passphrase = name === 'legacy-hd-encrypted' ? 'right' : 'not-encrypted';
      const network = { name: 'regtest', from: 'file' };
      expect(found).toMatchObject({ kind: 'descriptor', passphrase, network });
      expect(found.descriptors.total).toBe(listed.length);
      expect(found.descriptors.shown.map(({ text }) => text)).toEqual(listed.map(({ desc }) => desc));
    }
  });

  const encrypted = 'legacy-hd-encrypted';
  it.each<[string, string, string, string, Parameters<typeof rehearse>[1]]>([
    [
      'without a passphrase',
      'wallet_unlock_needed',
      'passphrase_needed',
      encrypted,
      { passphrase: undefined },
    ],
    ['with a wrong one', 'wrong_passphrase', 'passphrase_wrong', encrypted, { passphrase: 'sesame-wrong' }],
    ['of a descriptor wallet', 'wallet_error', 'already_descriptor_wallet', 'descriptor-hd', {}],
    ['on another network', 'bad_input', 'network_differs', 'legacy-hd', { network: 'main' }],
  ])('is refused %s', async (_, code, finding, name, more) => {
    const refused = rehearse(name, more);
    await expect(refused).rejects.toMatchObject({ code, finding: { code: finding } });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(errorShapeOf(error)) + String(error)).not.toContain('sesame');
  });

  it('needs the network if the file does not show one', async () => {
    const path = withoutNetwork();
    const refused = { code: 'bad_input', finding: { code: 'network_unknown' } };
    await expect(rehearse('legacy-blank', { path, network: undefined })).rejects.toMatchObject(refused);
    const { wallets: newWallets } = await rehearse('legacy-blank', { path, network: 'testnet4' });
    expect(newWallets).toMatchObject([
      { part: 'primary', found: { network: { name: 'testnet4', from: 'file' } } },
    ]);
  });
});

describe('export', () => {
  const exported = async (name: string, more: Partial<WalletTasks['export']> = {}) => {
    const destination = join(folder, 'out');
    const usual = { network: 'regtest', private: false, format: 'lines' } as const;
    const task = { path: walletPath(name), name, ...usual, destination, ...more };
    const done = await doWalletTask({ kind: 'export', task });
    const text = readFileSync(destination, 'utf8');
    expect(done).toMatchObject({ path: destination, size: Buffer.byteLength(text) });
    if (HAS_MODES) expect(statSync(destination).mode & 0o777).toBe(0o600);
    return { ...done, text };
  };
  const privateKeysOf = (line: string) =>
    parseDescriptor(line, { network: 'regtest', checksum: 'required' }).privateKeys.size;

  it('writes one descriptor a line, without private keys', async () => {
    const { text, descriptors } = await exported('descriptor-hd');
    const lines = text.trimEnd().split('\n');
    const listed = factsOf('descriptor-hd').before.listdescriptors?.descriptors;
    expect(lines).toEqual(listed?.map(({ desc }) => desc));
    expect(descriptors).toBe(lines.length);
    expect(lines.map(privateKeysOf)).toEqual(lines.map(() => 0));
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.platform === 'win32').each([0o777, 0o1777])(
    'writes no private keys into a folder that others can change (%o)',
    async (mode) => {
      const { passphrase } = factsOf('legacy-hd-encrypted');
      const shared = join(folder, 'shared');
      mkdirSync(shared);
      chmodSync(shared, mode);
      const destination = join(shared, 'out');
      for (const more of [{ private: true }, { format: 'wif' } as const]) {
        const task = exported('legacy-hd-encrypted', { ...more, passphrase, destination });
        await expect(task).rejects.toMatchObject({ code: 'not_available_here' });
      }
      expect(readdirSync(shared)).toEqual([]);
    },
  );

  it.each(['watchonly', 'solvables'] as const)('writes the %s part of a migration', async (part) => {
    const name = part === 'watchonly' ? 'legacy-watchonly' : 'legacy-solvable';
    const recorded = factsOf(name).after_by_release?.['31.0']?.wallets[`${part}_name`];
    const listed = recorded?.listdescriptors?.descriptors;
    const { text } = await exported(name, { part });
    expect(text.trimEnd().split('\n')).toEqual(listed?.map(({ desc }) => desc));
  });

  const wrong = { private: true, passphrase: 'sesame-wrong' };
  it.each<[string, string, string, Parameters<typeof exported>[1]]>([
    ['a private form without passphrase', 'wallet_unlock_needed', 'descriptor-encrypted', { private: true }],
    ['a private form with a wrong passphrase', 'wrong_passphrase', 'descriptor-encrypted', wrong],
    ['keys to sweep without passphrase', 'wallet_unlock_needed', 'legacy-hd-encrypted', { format: 'wif' }],
    ['a part that the migration does not make', 'bad_input', 'legacy-hd', { part: 'watchonly' }],
    ['a part of a descriptor wallet', 'bad_input', 'descriptor-hd', { part: 'solvables' }],
  ])('refuses %s, and leaves no file', async (_, code, name, more) => {
    const refused = exported(name, more);
    await expect(refused).rejects.toMatchObject({ code });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error) + String(error)).not.toContain('sesame');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves no keys of a file that changes while it is read', async () => {
    vi.mocked(withWallet).mockImplementationOnce(async (...args) => {
      await withWallet(...args);
      throw fileChangedError();
    });
    const changed = exported('legacy-hd', { format: 'wif' });
    await expect(changed).rejects.toMatchObject({ code: 'file_changed' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never overwrites a file', async () => {
    writeFileSync(join(folder, 'out'), 'theirs');
    await expect(exported('descriptor-hd')).rejects.toMatchObject({ code: 'file_exists' });
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('theirs');
  });
});
