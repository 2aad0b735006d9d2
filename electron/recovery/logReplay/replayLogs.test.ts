import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import { type LogMaker, logMaker } from '../../walletfile/testing/berkeleyLogs.ts';
import {
  brokenWallet,
  brokenWallets,
  foreignNote,
  hasForeignWallets,
} from '../../walletfile/testing/foreignWallets.ts';
import { berkeleyFile } from '../../walletfile/testing/wallets.ts';
import type { LogFile } from './logRecords.ts';
import { berkeleyHash } from './logRecords.ts';
import { addLoggedRecords, replayLogs } from './replayLogs.ts';

const wallet = berkeleyFile('hd-512-little');
const uid = wallet.slice(52, 72);
const TRANSACTION = 0x80000001;
const page = firstLeaf(wallet);
const refusal = (finding: Finding) => expect.objectContaining({ finding });

describe('replaying a log', () => {
  // SECURITY.md: A hostile wallet file
  it('refuses 64 MiB of records with false lengths', () => {
    const log = logMaker();
    open(log);
    log.add(10, TRANSACTION, new Uint8Array(16 << 20));
    const { name, bytes: whole } = log.file();
    const bytes = new Uint8Array(64 << 20);
    bytes.set(whole);
    const view = new DataView(bytes.buffer);
    for (let at = whole.length; at + 8 <= bytes.length; at += 8) {
      // Each record refers to the last position as the previous one, and claims a length of half the file.
      view.setUint32(at, whole.length, true);
      view.setUint32(at + 4, 20 << 20, true);
    }
    expect(() => replayLogs(wallet, [{ name, bytes }])).toThrow(refusal({ code: 'log_file_damaged', name }));
  });

  it.each([
    ['4.8', 16],
    ['5.3', 19],
  ])('reads the records of release %s', (_, version) => {
    const log = logMaker({ version });
    open(log);
    put(log, version);
    log.add(10, TRANSACTION, commit(log));
    const replayed = replayLogs(wallet, [log.file()]);
    expect(replayed).toMatchObject({ redone: 2, undone: 0, lastCommit: 1_700_000_000 });
    expect(valueAt(replayed.bytes, '\x01a')).toBe('b');
    expect(readBerkeley(replayed.bytes)).toMatchObject({ format: { cleanlyClosed: true }, problems: [] });
  });

  it.each([false, true])(
    'replays into a file of big-endian order (log of little-endian order: %s)',
    (little) => {
      const big = berkeleyFile('imported-8192-big');
      const log = logMaker({ little });
      const at = firstLeaf(big);
      open(log, big.slice(52, 72));
      put(log, 19, at);
      log.add(10, TRANSACTION, commit(log));
      const replayed = replayLogs(big, [log.file()]).bytes;
      expect(valueAt(replayed, '\x01a')).toBe('b');
      const { records, format, problems } = readBerkeley(replayed);
      expect({ problems, byteOrder: format.byteOrder }).toEqual({ problems: [], byteOrder: 'big' });
      expect(records).toHaveLength(readBerkeley(big).records.length + 1);
      expect(() => replayLogs(wallet, [log.file()])).toThrow(refusal({ code: 'log_of_other_file' }));
    },
  );

  it('reads a log without checksums', () => {
    const log = logMaker({ checksums: false });
    open(log);
    put(log, 19);
    log.add(10, TRANSACTION, commit(log));
    expect(replayLogs(wallet, [log.file()]).redone).toBe(2);
  });

  it('adds no uncommitted change and removes one that the file has', () => {
    const log = logMaker();
    open(log);
    const place = put(log, 19);
    const uncommitted = log.file();
    log.add(10, TRANSACTION, commit(log));
    const replayed = replayLogs(wallet, [log.file()]).bytes;
    expect(replayLogs(wallet, [uncommitted])).toMatchObject({ redone: 0, undone: 0, lastCommit: null });
    // The page as it was while the transaction was open.
    const during = replayed.slice();
    during.set(place, page * 512);
    const undone = replayLogs(during, [uncommitted]);
    expect(undone.undone).toBe(2);
    expect(contentOf(undone.bytes)).toEqual(contentOf(wallet));
  });

  it('commits a child transaction only with its parent', () => {
    const log = logMaker();
    open(log);
    put(log, 19);
    log.add(12, TRANSACTION + 1, log.uint32(TRANSACTION), log.uint32(1, 28));
    expect(replayLogs(wallet, [log.file()]).redone).toBe(0);
    log.add(10, TRANSACTION + 1, commit(log));
    expect(replayLogs(wallet, [log.file()]).redone).toBe(2);
  });

  it('replays several files in the order of their numbers', () => {
    const first = logMaker();
    open(first);
    put(first, 19);
    const second = logMaker({ number: 2, previousEnd: first.end() });
    // Its transaction began in the file before.
    second.add(10, TRANSACTION, commit(second));
    const last = second.file();
    last.bytes.set(second.uint32(1, first.end()), SECOND_RECORD + 20);
    const files = [resealed(last), first.file()];
    expect(replayLogs(wallet, files)).toMatchObject({ redone: 2, lastCommit: 1_700_000_000 });
  });

  it('needs no files older than the last checkpoint', () => {
    const damaged = logMaker({ number: 6 });
    open(damaged);
    open(damaged);
    const older = [logMaker({ number: 4 }), damaged].map((one) => one.file());
    older[1]?.bytes.set([9], SECOND_RECORD + 20);
    const logOf = (isChecked: boolean) => {
      const log = logMaker({ number: 7, previousEnd: damaged.end() });
      open(log);
      if (isChecked) log.add(11, 0, log.uint32(7, SECOND_RECORD));
      put(log, 19);
      log.add(10, TRANSACTION, commit(log));
      return [log.file()];
    };
    expect(replayLogs(wallet, logOf(true), true).redone).toBe(2);
    expect(() => replayLogs(wallet, logOf(false), true)).toThrow(refusal({ code: 'log_too_large' }));
    expect(replayLogs(wallet, logOf(false)).redone).toBe(2);
    for (const [at, finding] of [
      { code: 'log_file_missing', number: 4 } as const,
      { code: 'log_file_damaged', name: 'log.0000000006' } as const,
    ].entries()) {
      const withGap = older.slice(at, at + 1);
      expect(replayLogs(wallet, [...withGap, ...logOf(true)]).redone).toBe(2);
      expect(() => replayLogs(wallet, [...withGap, ...logOf(false)])).toThrow(refusal(finding));
    }
  });

  it('replays renamed and renumbered files, once for copies', () => {
    const log = logMaker({ number: 3 });
    open(log);
    put(log, 19);
    log.add(10, TRANSACTION, commit(log));
    const { bytes } = log.file();
    for (const name of ['log (1).0000000003', 'log.0000000007', 'log.txt']) {
      const files = [log.file(), { name, bytes: bytes.subarray(0, 200) }, { name, bytes }];
      for (const all of [files.slice(2), files]) expect(replayLogs(wallet, all).redone).toBe(2);
    }
  });

  it('gives the last value of a key that a log has twice, if it cannot be replayed', () => {
    const log = logMaker({ number: 2 });
    open(log);
    put(log, 19, page, ['\x04name\x01y', '\x03any']);
    put(log, 19, page + 1, ['\x04name\x01x', '\x03old']);
    put(log, 19, page, ['\x04name\x01x', '\x03new']);
    const added = addLoggedRecords(wallet, [log.file()]);
    expect(added?.redone).toBe(2);
    expect(toLatin1(added?.bytes ?? wallet)).toContain('\x03new');
  });

  it.each([
    ['a master key of the file', 'mkey', 'file', true],
    ['a master key of the log', 'mkey', 'log', true],
    ['a key on a page as it was before', 'ckey', 'page', true],
    ['no key on a page of another time', 'ckey', 'file', false],
    ['no key of the log', 'ckey', 'log', false],
  ] as const)('changes %s in its place, if it cannot be replayed', (_, type, where, isChanged) => {
    const [first, log] = [logMaker(), logMaker({ number: 2 })];
    for (const one of [first, log]) open(one);
    put(where === 'log' ? log : first, 19, page, [`\x04${type}\x01x`, '\x03old']);
    first.add(10, TRANSACTION, commit(first));
    const { bytes: file } = replayLogs(wallet, [first.file()]);
    const before = where === 'page' ? log.uint32(1, 100) : log.uint32(0, 0);
    if (where === 'page') file.set(before, page * 512);
    const [place, kept] = [[log.uint32(0, page), before, log.uint32(1, 0)], log.uint32(1, 2)];
    // The first is of another value.
    for (const change of ['?!', 'oN']) {
      const [original, replacement] = [...change].map((one) => log.bytes(utf8ToBytes(one)));
      log.add(58, TRANSACTION, ...place, original ?? kept, replacement ?? kept, kept);
    }
    log.add(10, TRANSACTION, commit(log));
    const added = addLoggedRecords(file, [log.file()]);
    expect(added?.redone).toBe(isChanged || where === 'log' ? 1 : 0);
    expect(toLatin1(added?.bytes ?? wallet)).toContain(isChanged ? '\x03Nld' : '\x03old');
  });

  it('stops before an incomplete record', () => {
    const log = logMaker();
    open(log);
    put(log, 19);
    log.add(10, TRANSACTION, commit(log));
    const { name, bytes } = log.file();
    expect(replayLogs(wallet, [{ name, bytes: bytes.subarray(0, -1) }]).redone).toBe(0);
  });
});

describe('a replay refuses', () => {
  const log = logMaker();
  open(log);
  put(log, 19);
  log.add(10, TRANSACTION, commit(log));
  const { name, bytes } = log.file();

  it('a log of another file', () => {
    const other = wallet.slice();
    other.fill(7, 52, 72);
    expect(() => replayLogs(other, [{ name, bytes }])).toThrow(refusal({ code: 'log_of_other_file' }));
  });

  it('a wallet from another time', () => {
    const later = wallet.slice();
    later.set([1, 0, 0, 0, 40, 0, 0, 0], page * 512);
    expect(() => replayLogs(later, [{ name, bytes }])).toThrow(refusal({ code: 'log_unusable' }));
  });

  it.each<[number, Finding]>([
    [1, { code: 'log_file_damaged', name }],
    [2, { code: 'log_file_missing', number: 1 }],
  ])('a log without the end that the wallet has, in file %s', (file, finding) => {
    const later = wallet.slice();
    later.set([file, 0, 0, 0, 0, 0, 1, 0], page * 512);
    expect(() => replayLogs(later, [{ name, bytes }])).toThrow(refusal(finding));
  });

  it('a log with damage before its end', () => {
    const hurt = bytes.slice();
    hurt[80] = (hurt[80] ?? 0) ^ 1;
    expect(() => replayLogs(wallet, [{ name, bytes: hurt }])).toThrow(
      refusal({ code: 'log_file_damaged', name }),
    );
  });

  it.each<[string, LogFile[], Finding]>([
    ['an empty list', [], { code: 'no_log' }],
    ['a file that is no log', [{ name, bytes: wallet }], { code: 'log_file_damaged', name }],
    [
      'a file that is too short',
      [{ name, bytes: bytes.subarray(0, 20) }],
      { code: 'log_file_damaged', name },
    ],
    ['an unknown version', [logMaker({ version: 22 }).file()], { code: 'log_version_unknown', version: 22 }],
    [
      'logs with one missing between them',
      [log.file(), logMaker({ number: 3, previousEnd: 9 }).file()],
      { code: 'log_file_missing', number: 1 },
    ],
  ])('%s', (_, files, finding) => {
    expect(() => replayLogs(wallet, files)).toThrow(refusal(finding));
  });

  it('a second log that does not continue the first', () => {
    expect(() => replayLogs(wallet, [log.file(), logMaker({ number: 2, previousEnd: 9 }).file()])).toThrow(
      refusal({ code: 'log_file_damaged', name: 'log.0000000002' }),
    );
  });

  it('a change that does not fit its page', () => {
    const wild = logMaker();
    open(wild);
    const none = wild.bytes(new Uint8Array());
    wild.add(41, TRANSACTION, wild.uint32(0x105, 0, page, 999, 8), none, none, wild.uint32(0, 1));
    wild.add(10, TRANSACTION, commit(wild));
    expect(() => replayLogs(wallet, [wild.file()])).toThrow(refusal({ code: 'log_unusable' }));
  });

  it.each([36, 55, 56])('refuses a record of type %s, which no wallet has', (type) => {
    const log = logMaker();
    open(log);
    log.add(type, TRANSACTION, log.uint32(0, page, 0, 1, 0, 0, 0));
    log.add(10, TRANSACTION, commit(log));
    expect(() => replayLogs(wallet, [log.file()])).toThrow(refusal({ code: 'log_unusable' }));
  });
});

const unclean = brokenWallets.filter((name) => name.startsWith('unclean'));

describe.runIf(hasForeignWallets)(`a wallet of a node that was killed${foreignNote}`, () => {
  it.each(unclean)('replaying %s gives what the node’s own recovery gave', (name) => {
    const { bytes, logs, facts } = brokenWallet(name);
    const { records, format, problems } = readBerkeley(replayLogs(bytes, logs).bytes);
    expect(problems).toEqual([]);
    expect(format.cleanlyClosed).toBe(true);
    const node = facts.node_29_after_its_recovery;
    const wanted = Object.keys(node?.keys ?? {});
    expect(wanted.length).toBeGreaterThan(10);
    const keys = namesOf(records, facts.passphrase === null ? '\x03key!' : '\x04ckey!');
    expect(wanted.filter((publicKey) => !keys.has(publicKey))).toEqual([]);
    const transactions = namesOf(records, '\x02tx');
    expect([...transactions].map((id) => Buffer.from(id, 'hex').reverse().toString('hex')).sort()).toEqual(
      node?.transactions.slice().sort(),
    );
  });

  it('is rebuilt from its log and its first pages', () => {
    for (const name of ['unclean-new-coins', 'unclean-new-keys']) {
      const { bytes, logs } = brokenWallet(name);
      expect(contentOf(replayLogs(bytes.subarray(0, 3 * 4096), logs).bytes)).toEqual(contentOf(bytes));
    }
  });

  it('refuses the log of another wallet', () => {
    const [one, other] = ['unclean-new-coins', 'unclean-new-keys'].map(brokenWallet);
    expect(() => replayLogs(one?.bytes ?? wallet, other?.logs ?? [])).toThrow(
      refusal({ code: 'log_of_other_file' }),
    );
  });
});

/** The offset of the second record. All files start with the same first record. */
const SECOND_RECORD = 28;

/** Corrects the checksum of the second and last record after a change. */
function resealed(file: { name: string; bytes: Uint8Array }): typeof file {
  const view = new DataView(file.bytes.buffer);
  const content = file.bytes.subarray(SECOND_RECORD + 12);
  const head = view.getUint32(SECOND_RECORD, true) ^ view.getUint32(SECOND_RECORD + 4, true);
  view.setUint32(SECOND_RECORD + 8, berkeleyHash(content) ^ head, true);
  return file;
}

/** The rest of each key after its type, in hex. */
function namesOf(records: { key: Uint8Array }[], prefix: string): Set<string> {
  return new Set(
    records
      .map(({ key }) => Buffer.from(key))
      .filter((key) => key.subarray(0, prefix.length).toString('latin1') === prefix)
      .map((key) => key.subarray(prefix.length).toString('hex')),
  );
}

function open(log: LogMaker, id = uid): void {
  log.add(2, 0, log.uint32(3), log.bytes(utf8ToBytes('wallet.dat\0')), log.bytes(id), log.uint32(0, 1, 2, 0));
}

/** Logs the insertion of a record, such as `\x01a` with the value `b`, before all others of a leaf page. Returns the last log record's position. */
function put(log: LogMaker, version: number, on = page, [key, value] = ['\x01a', 'b']): Uint8Array {
  const operation = version > 16 ? 0x105 : 1;
  const item = (index: number, data: string, before: Uint8Array) =>
    log.add(
      41,
      TRANSACTION,
      log.uint32(operation, 0, on, index, data.length > 1 ? 8 : 4),
      log.bytes(new Uint8Array()),
      log.bytes(utf8ToBytes(data)),
      before,
    );
  return item(1, value, item(0, key, log.uint32(0, 1)));
}

function commit(log: LogMaker): Uint8Array {
  return log.uint32(1, 1_700_000_000, 0, 0);
}

/** The first leaf page with enough free space. */
function firstLeaf(file: Uint8Array): number {
  const { pageSize, byteOrder } = readBerkeley(file).format;
  const view = new DataView(file.buffer, file.byteOffset);
  const little = byteOrder === 'little';
  for (let number = 3; ; number += 1) {
    const start = number * pageSize;
    const room = view.getUint16(start + 22, little) - 26 - 2 * view.getUint16(start + 20, little);
    if (view.getUint8(start + 25) === 5 && room > 40) return number;
  }
}

function valueAt(file: Uint8Array, key: string): string | undefined {
  return contentOf(file).find(([name]) => name === key)?.[1];
}

/** Keys and values as text. */
function contentOf(file: Uint8Array): [key: string, value: string][] {
  return readBerkeley(file).records.map(({ key, value }) => [toLatin1(key), toLatin1(value)]);
}
