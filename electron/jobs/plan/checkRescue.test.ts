import { describe, expect, it } from 'vitest';
import type { Hazard } from '../../../shared/model/migrationPreview.ts';
import type { RescueFacts } from '../../../shared/model/safety.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { sampleRescue } from '../../../shared/testing/sampleRescue.ts';
import { OTHERS_MAY_READ } from '../../../shared/wording/findings/hints.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { readResult, restoreFacts, statusOf } from '../testing/testFacts.ts';
import { passphraseQuestion } from './buildPlan.ts';
import type { FileInspection, RestoreFacts } from './checkFacts.ts';
import { checkLog, checkRescue } from './checkRescue.ts';
import { checkHazards } from './nodeChecks.ts';

const WHOLE = sampleRescue({ saved: { keys: 60, derived: 0, seeds: 1, labels: 3, transactions: 2 } });

const inspected = (rescue: Partial<RescueFacts>): FileInspection => ({
  state: 'read',
  inspection: sampleInspection(),
  sha256: 'a'.repeat(64),
  rescue: { ...WHOLE, ...rescue },
});
const factsOf = (
  fileInspection: FileInspection,
  logs: NonNullable<RestoreFacts['rescue']>['logs'] = 'beside',
) => restoreFacts({ fileInspection, rescue: { logs } });
const savedCheck = (facts: RestoreFacts) =>
  checkRescue(facts).find(({ id }) => id === 'rescue' || id === 'backup-file');

it('waits until no program has the file open', () => {
  const stops = (isOpen: boolean) =>
    checkRescue({ ...factsOf(inspected({})), isOpen }).some(({ id }) => id === 'loaded-elsewhere');
  expect([stops(true), stops(false)]).toEqual([true, false]);
});

// SECURITY.md: Other users, on Windows, outside your own folders
it('warns if other users may be able to read the wallets folder', () => {
  const rights = (othersMayRead: boolean) =>
    checkRescue({ ...factsOf(inspected({})), othersMayRead }).filter(({ id }) => id === 'folder-rights');
  expect(rights(true)).toMatchObject([{ verdict: 'warning', title: OTHERS_MAY_READ }]);
  expect(rights(false)).toEqual([]);
});

describe('what can be saved', () => {
  it('counts keys that need a passphrase, and says that the new wallet will hold them unencrypted', () => {
    const saved = { ...WHOLE.saved, keys: 0, labels: 0, transactions: 0 };
    const check = savedCheck(factsOf(inspected({ saved, sealed: 2 })));
    expect(check?.title).toBe('Can be saved: 2 private keys');
    expect(check?.text).toContain('They are unencrypted in the new wallet.');
    expect(savedCheck(factsOf(inspected({})))?.text).not.toContain('They are unencrypted in the new wallet.');
  });

  it('stops a rescue without the passphrase if it would save no key, and never counts encrypted keys', () => {
    const saved = { ...WHOLE.saved, keys: 0 };
    const openOnly = (more: Partial<RescueFacts>) =>
      savedCheck({
        ...factsOf(inspected({ saved, sealed: 2, ...more })),
        rescue: { logs: 'beside', openOnly: true },
      });
    expect(openOnly({})).toMatchObject({ verdict: 'blocker', title: 'All its keys are encrypted' });
    const some = openOnly({ saved: { ...saved, keys: 1 }, open: 1 });
    expect(some?.title).toBe('Can be saved: 1 private key, 2 transactions, 3 labels');
    expect(some?.text).not.toContain('They are unencrypted in the new wallet.');
  });

  it('stops a rescue of a legacy wallet whose keys all lack their master key, unless it watches scripts', () => {
    const missing = { ...WHOLE.missing, keys: 134, masterKey: true };
    const check = (keys: number, byType: Record<string, number> = {}) => {
      const inspection = sampleInspection({ records: { ...sampleInspection().records, byType } });
      const saved = { ...WHOLE.saved, keys };
      return savedCheck(factsOf({ ...inspected({ saved, missing }), inspection } as FileInspection));
    };
    expect([check(0)?.verdict, check(1)?.verdict]).toEqual(['blocker', 'warning']);
    expect(check(0)?.text).toContain('Missing: 134 private keys, the master key');
    const watched = check(0, { watchs: 1 });
    expect(watched).toMatchObject({
      verdict: 'warning',
      title: 'Can be saved: 2 transactions, 3 labels',
    });
    expect(watched?.text).toContain('Missing: 134 private keys, the master key');
  });

  it('asks for the passphrase of many keys, and says how long a try takes', () => {
    const seconds = (count: number) => {
      const locked = { finding: { code: 'keys_locked', count }, lost: false, page: null } as const;
      const fileInspection = { ...inspected({}), inspection: sampleInspection({ problems: [locked] }) };
      return passphraseQuestion(true, fileInspection).map(
        (question) => 'secondsPerTry' in question && question.secondsPerTry,
      );
    };
    expect(seconds(40)).toEqual([10]);
    expect(seconds(1)).toEqual([null]);
  });

  it('is fine if nothing is known to be lost', () => {
    const title = 'Can be saved: 60 private keys, 2 transactions, 3 labels';
    expect(savedCheck(factsOf(inspected({})))).toMatchObject({ verdict: 'fine', title });
  });

  it.each<[string, Partial<RescueFacts>, string]>([
    ['keys', { missing: { ...WHOLE.missing, keys: 4 } }, 'Missing: 4 private keys'],
    [
      'a seed',
      { missing: { ...WHOLE.missing, chainKeys: 7 } },
      'Missing: 7 private keys and the seed of 7 of them',
    ],
    ['whole records', { damaged: { keys: 1, others: 2 } }, 'Damaged records: 2'],
    ['the passphrase of a single key', { sealed: 1 }, 'Need the passphrase: 1 private key'],
  ])('is a warning if the file lacks %s', (_, facts, words) => {
    const check = savedCheck(factsOf(inspected(facts)));
    expect(check).toMatchObject({ verdict: 'warning' });
    expect(check?.text).toContain(words);
    expect(check?.text.at(-1)).toContain('rescanblockchain');
  });

  it.each<[string, Partial<RescueFacts>, string]>([
    ['private keys', { unowned: 2 }, 'May not be yours: 2 private keys'],
    [
      'transactions',
      { excluded: { ...WHOLE.excluded, transactions: { total: 3, shown: [] } } },
      'Left out: 3 transactions',
    ],
  ])('is a warning if %s are left out', (_, facts, words) => {
    const check = savedCheck(factsOf(inspected(facts)));
    expect(check).toMatchObject({ verdict: 'warning' });
    expect(check?.text.at(-1)).toBe(words);
  });

  it('is a blocker with the reason if there is nothing', () => {
    const error = { code: 'not_a_wallet', message: 'No wallet.', hint: 'Nothing was changed.' } as const;
    const unreadable = factsOf({ state: 'unreadable', error });
    expect(checkRescue(unreadable).map(({ id }) => id)).not.toContain('rescan');
    for (const facts of [unreadable, restoreFacts({ fileError: error })])
      expect(savedCheck(facts)).toMatchObject({ verdict: 'blocker', title: error.message });
  });
});

describe('what the node does with it', () => {
  const verdictOf = (id: string, facts: RestoreFacts, loads = true) =>
    checkRescue(facts, loads).find((check) => check.id === id)?.verdict;

  it('refuses no wallet for damage that a rescue repairs', () => {
    const { migration, ...found } = sampleInspection();
    const status = statusOf({ release: releaseOf(310_000) });
    const on31 = (...hazards: Hazard[]) => {
      const inspection = { ...found, migration: migration && { ...migration, hazards } };
      return { ...factsOf({ ...inspected({}), inspection } as FileInspection), status };
    };
    expect(checkHazards(on31('no-best-block')).verdict).toBe('blocker');
    expect(checkHazards(on31('no-best-block')).todo).toContain('Release 32 migrates it.');
    expect(checkHazards(on31('no-best-block', 'no-seed')).todo).not.toContain('Release 32 migrates it.');
    expect(verdictOf('obstacles', on31('no-best-block'))).toBe('fine');
    expect(verdictOf('obstacles', on31('unused-seed'))).toBe('fine');
    expect(verdictOf('obstacles', on31('wkey'))).toBe('blocker');
  });

  it('gives each reason once, also if several rules apply to the engine', () => {
    const conditions = [{ code: 'key-sealed', records: { total: 1, shown: ['02ab'] } } as const];
    const fileInspection = readResult({ conditions });
    const check = checkHazards({ ...factsOf(fileInspection), status: statusOf({ offline: true }) });
    expect(check).toMatchObject({ verdict: 'blocker', text: ['Undecryptable private key.', 'In: 02ab.'] });
  });

  it('does not suggest the rescue itself', () => {
    const conditions = [{ code: 'database-damaged', records: { total: 1, shown: [] } } as const];
    const facts = factsOf({ ...inspected({}), ...readResult({ kind: 'descriptor', conditions }) });
    expect(checkHazards({ ...facts, rescue: null }, 'loading').todo).toEqual(['Rescue what is intact.']);
    const crashing = [{ code: 'transaction-id', records: { total: 1, shown: [] } } as const];
    const onNode = factsOf({ ...inspected({}), ...readResult({ kind: 'descriptor', conditions: crashing }) });
    const status = statusOf({ release: releaseOf(310_000) });
    expect(checkHazards({ ...onNode, status, rescue: null }, 'loading').todo).toEqual([
      'Rescue what is intact.',
    ]);
    expect(checkRescue(facts).find(({ id }) => id === 'obstacles')).toMatchObject({
      verdict: 'blocker',
      todo: [],
    });
  });

  it('needs no blocks if the node loads nothing', () => {
    const status = statusOf({ pruned: true, pruneHeight: 800_000 });
    const facts = { ...factsOf(inspected({})), status };
    const notFound = { ...facts, chain: { ...facts.chain, lastBlock: { height: 700_000, time: 1 } } };
    expect(verdictOf('pruned', notFound)).toBe('blocker');
    expect(verdictOf('pruned', notFound, false)).not.toBe('blocker');
  });
});

describe('the log', () => {
  const log = { folder: '/stick/database', redone: 3, undone: 0, lastCommit: null };

  it('is needed for a file that was not closed, until the user continues without one', () => {
    expect(checkLog(factsOf(inspected({})))).toBeNull();
    expect(checkLog(factsOf(inspected({ unclean: true })))).toMatchObject({ verdict: 'blocker' });
    expect(checkLog(factsOf(inspected({ unclean: true }), 'none'))).toMatchObject({ verdict: 'warning' });
    const text = ['Changes from the log: 3'];
    expect(checkLog(factsOf(inspected({ log })))).toMatchObject({ verdict: 'fine', text });
    const problem = { code: 'log_file_damaged', name: 'log.0000000001' } as const;
    const damaged = { verdict: 'warning', title: 'Damaged log file log.0000000001.', text };
    expect(checkLog(factsOf(inspected({ log: { ...log, problem } })))).toMatchObject(damaged);
  });

  it('can be replaced by another one if it does not fit', () => {
    const message = 'Not this wallet’s log.';
    const unreadable = (code: 'log_of_other_file' | 'file_changed') => {
      const error = { code: 'bad_input', message, hint: 'Choose.', finding: { code } } as const;
      return { state: 'unreadable', error } as const;
    };
    const misfit = unreadable('log_of_other_file');
    expect(checkLog(factsOf(misfit))).toMatchObject({ verdict: 'blocker', title: message });
    // Once, where it is asked for.
    expect(savedCheck(factsOf(misfit))).toBeUndefined();
    expect(checkLog(factsOf(misfit, 'none'))).toBeNull();
    const other = unreadable('file_changed');
    expect(checkLog(factsOf(other))).toBeNull();
    expect(savedCheck(factsOf(other))).toMatchObject({ verdict: 'blocker', title: message });
  });
});

it('needs space for three repaired files and one copy of the damaged file', () => {
  const fileInspection = inspected({});
  const size = fileInspection.state === 'read' ? fileInspection.inspection.file.size : 0;
  const inFolder = 3 * size + 16 * 1024 * 1024;
  const spaceWith = (free: number, freeForCopies: number) => {
    const space = { size: 1_000_000_000, otherWalletsSize: 0, free, freeForCopies, oneDisk: false };
    return checkRescue({ ...factsOf(fileInspection), space }).find(({ id }) => id === 'space')?.verdict;
  };
  const inApp = size + 1_000_000_000 + 16 * 1024 * 1024;
  expect(spaceWith(inFolder, inApp)).toBe('fine');
  expect(spaceWith(inFolder - 1, inApp)).toBe('blocker');
  expect(spaceWith(inFolder, inApp - 1)).toBe('blocker');
});
