import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../model/files.ts';
import type { Finding } from '../model/findings/finding.ts';
import { type Inspection, needsRescue } from '../model/inspection.ts';
import type { Job } from '../model/job.ts';
import type { WholeCopy } from '../model/safety.ts';
import { backedUpBy, NO_BACKUPS, type WalletBackups } from '../model/walletBackups.ts';
import { sampleInspection } from '../testing/sampleInspection.ts';
import { endedJob, migratedJob, sampleJob, sampleProof } from '../testing/sampleJob.ts';
import { sampleRescue } from '../testing/sampleRescue.ts';
import { sampleWallet } from '../testing/sampleWallet.ts';
import { proofHeading } from './jobWords.ts';
import { contentsLine, fileVerdict, jobVerdict, walletVerdict, whySafe } from './verdictWords.ts';

const HALF_MIGRATED = 'Interrupted: the wallet was left half migrated.';
const STILL_SAFE = 'Interrupted. Your coins are safe.';
const SAFE_LEGACY = 'Safe. Bitcoin Core 30 and later cannot open it until it is migrated.';
const keys = { ...sampleInspection().keys, plain: 4 };
const transactions = { total: 2, shown: [] };

describe('fileVerdict', () => {
  const of = (change: Partial<Inspection>) =>
    fileVerdict(sampleInspection({ keys, transactions, records: records(9), ...change }), null);
  const records = (total: number) => ({ ...sampleInspection().records, total });

  it('says calmly that a whole wallet is empty', () => {
    const nothing = { keys: { ...keys, plain: 0 }, transactions: { total: 0, shown: [] } };
    expect(of(nothing)).toEqual({ tone: 'plain', text: 'Empty: no keys, addresses or payments.' });
    const finding = { code: 'records_of_unknown_types', count: 3 } as const;
    const text = 'Records of unknown types: 3. Keep the file.';
    expect(of({ ...nothing, problems: [{ page: null, finding, lost: false }] })).toEqual({
      tone: 'read',
      text,
    });
    const problems = [{ page: null, finding: { code: 'master_key_missing' }, lost: true } as const];
    expect(of({ ...nothing, problems })).toEqual({ tone: 'danger', text: 'Nothing readable.' });
  });

  it('calls a forgery fake, and no file safe that has no private keys', () => {
    const withProblem = (code: 'encrypted_keys_repeat' | 'more_than_all_bitcoin') =>
      of({ problems: [{ page: null, finding: { code }, lost: false }] });
    expect(withProblem('encrypted_keys_repeat')).toEqual({
      tone: 'danger',
      text: 'Repeated encrypted keys: a fake wallet.',
    });
    expect(withProblem('more_than_all_bitcoin').tone).toBe('danger');
    const watching = {
      tone: 'plain',
      text: SAFE_LEGACY.replace('Safe.', 'It watches coins and cannot spend them.'),
    };
    expect(of({ keys: { ...keys, plain: 0, encrypted: 0 } })).toEqual({ ...watching, due: 'migration' });
    const loaded = sampleWallet({ kind: 'legacy', watchOnly: true });
    expect(walletVerdict(loaded, NO_BACKUPS)).toEqual({ ...watching, due: 'migration' });
  });

  it('calls nothing safe that is no wallet yet, or that no node opens', () => {
    const text = (facts: Partial<FileFacts>, earlier: Job | null = null) =>
      fileVerdict(sampleInspection({ keys }), null, earlier, {
        ...{ kind: 'other', fileKind: { code: 'unknown' }, name: 'wallet.dat', temporary: false },
        ...facts,
      } as FileFacts).text;
    expect(text({})).toBe('Bitcoin Core refuses this file. A rescue can save it.');
    expect(text({ fileKind: { code: 'wallet_dump' } })).toBe('4 private keys. Not a wallet yet.');
    const pasted: Partial<FileFacts> = { name: 'pasted-keys.dat', temporary: true };
    expect(text({ ...pasted, kind: 'descriptor-wallet' })).toBe('4 private keys. Not a wallet yet.');
    expect(text(pasted, sampleJob({ state: 'done' }))).toBe('4 private keys.');
    expect(text({ kind: 'legacy-wallet', fileKind: { code: 'legacy_wallet' } })).toContain(SAFE_LEGACY);
  });

  it.each<[string, Finding]>([
    ['Only the passphrase proves its addresses.', { code: 'addresses_unproved' }],
    ['Addresses without a key: 2.', { code: 'addresses_without_key', count: 2 }],
  ])('calls no descriptor wallet safe of which it says "%s"', (text, finding) => {
    expect(of({ kind: 'descriptor', problems: [{ page: null, finding, lost: false }] })).toEqual({
      tone: 'plain',
      text: `${text} Any current Bitcoin Core can open it.`,
    });
    expect(of({ kind: 'descriptor' }).text).toMatch(/^Safe\./);
  });

  it.each([
    ['musig', 'Safe. A descriptor needs release 30.'],
    ['key-only', 'Safe. A descriptor needs release 32.'],
    ['miniscript', 'Safe. Any current Bitcoin Core can open it.'],
  ] as const)('names the release that a descriptor needs: %s', (form, text) => {
    const descriptors = { total: 1, shown: [{ form }] } as unknown as Inspection['descriptors'];
    const tone = form === 'miniscript' ? 'good' : 'plain';
    expect(of({ kind: 'descriptor', descriptors })).toEqual({ tone, text });
  });

  it.each([
    ['descriptor-id-later', 'Safe. Its Miniscript descriptors need release 31.', false],
    ['descriptor-id-earlier', 'Safe. Release 31 refuses its Miniscript descriptors.', true],
  ] as const)('names the releases that open a wallet with Miniscript: %s', (code, text, isRefused) => {
    const wallet = { kind: 'descriptor', conditions: [{ code, records: { total: 0, shown: [] } }] } as const;
    expect(of(wallet)).toEqual({ tone: 'plain', text });
    const watching = of({ ...wallet, flags: ['disable_private_keys'] });
    expect(watching.text).toBe(text.replace('Safe.', 'It watches coins and cannot spend them.'));
    const needs = (release: number) => needsRescue({ ...sampleInspection(), ...wallet }, release);
    expect([needs(300_000), needs(310_000)]).toEqual([false, isRefused]);
  });

  it('does not call a file without transactions empty', () => {
    const none = { total: 0, shown: [] };
    expect(of({ transactions: none }).text).toBe(
      `This file has no history. It may still hold coins. ${SAFE_LEGACY}`,
    );
    expect(of({ kind: 'descriptor', transactions: none }).tone).toBe('plain');
  });

  it('calls a descriptor wallet with keys safe, and says what one without keys cannot do', () => {
    expect(of({ kind: 'descriptor' }).tone).toBe('good');
    expect(of({ kind: 'descriptor', flags: ['disable_private_keys'] })).toEqual({
      tone: 'plain',
      text: 'It watches coins and cannot spend them.',
    });
    expect(of({ kind: 'descriptor', flags: ['disable_private_keys', 'external_signer'] })).toEqual({
      tone: 'plain',
      text: 'Signs with an external device.',
    });
  });

  it('never calls an interrupted migration or a wallet of another coin safe', () => {
    const incomplete = 'legacy-records' as unknown as Inspection['incomplete'];
    expect(of({ incomplete })).toEqual({ tone: 'read', text: HALF_MIGRATED });
    const interrupted = sampleInspection({ incomplete });
    const copy: WholeCopy = {
      path: '/big_1795651085.legacy.bak',
      from: 'legacy-backup' as const,
      made: 1_795_651_085,
      size: 94_208,
      sha256: '00'.repeat(32),
      matches: true,
    };
    const verdict = (copies: WholeCopy[]) =>
      fileVerdict(interrupted, { wallet: null, file: '/big/wallet.dat', cause: 'legacy-records', copies });
    expect(verdict([copy])).toEqual({ tone: 'read', text: STILL_SAFE });
    // A node that has it open may be migrating it.
    const isOpen = 'Another program has this wallet open. Close it there, then check again.';
    expect(of({ incomplete, isOpen: true }).text).toBe(isOpen);
    // A rescue still saves its records.
    expect(verdict([{ ...copy, isOther: true }])).toEqual({ tone: 'read', text: HALF_MIGRATED });
    const coin = { ...sampleInspection().coin, verdict: 'other', coins: ['Litecoin'] } as Inspection['coin'];
    // Nothing is wrong with it, and nothing is to be done here.
    expect(of({ coin }).tone).toBe('plain');
    expect(of({ coin }).text).toContain('Litecoin');
    expect(of({ coin }).text).not.toContain('Safe');
  });
});

describe('walletVerdict', () => {
  const none = NO_BACKUPS;

  it('calls a wallet backed up only after a new backup', () => {
    expect(walletVerdict(sampleWallet(), none)).toEqual({
      tone: 'plain',
      text: 'Save a backup, in case this disk fails.',
      due: 'backup',
    });
    const lastFinished = sampleJob({ kind: 'backup', state: 'done' });
    expect(walletVerdict(sampleWallet(), { ...none, lastFinished })).toEqual({
      tone: 'good',
      text: 'Safe and backed up.',
    });
    expect(walletVerdict(sampleWallet(), { ...none, isNeeded: true, lastFinished }).text).toContain(
      'Save a new one now.',
    );
  });

  it('calls no wallet safe whose backup is gone, out of reach or not compared', () => {
    const text = 'Backup gone or changed: /b.dat. Save a new one now.';
    expect(walletVerdict(sampleWallet(), { ...none, gonePath: '/b.dat' })).toMatchObject({
      tone: 'read',
      text,
    });
    const proof = { seen: true, path: '/b.dat', size: 1, sha256: 'a' } as const;
    const result = { kind: 'backup', walletName: 'w', proof, fileNow: 'out-of-reach' } as const;
    const lastFinished = sampleJob({ kind: 'backup', state: 'done', result });
    expect(walletVerdict(sampleWallet(), { ...none, lastFinished })).toEqual({
      tone: 'plain',
      text: 'Backed up. File not seen. Copy it to another disk.',
    });
    const compared = sampleJob({ kind: 'backup', state: 'done' });
    expect(walletVerdict(sampleWallet(), { ...none, lastFinished: compared, unchecked: true })).toEqual({
      tone: 'plain',
      text: 'Backed up. Keys not compared.',
    });
    expect(
      walletVerdict(sampleWallet(), { ...none, lastFinished: compared, hasOtherPassphrase: true }).text,
    ).toBe('The backup needs its earlier passphrase. Save a new one now.');
    const full = sampleJob({ ...compared, result: { ...result, fileNow: undefined } });
    const fewer = { ...none, lastFinished: full, unchecked: true, fuller: full, hasFewerKeys: true };
    expect(walletVerdict(sampleWallet(), fewer)).toEqual({
      tone: 'read',
      text: 'The backup at /b.dat has more keys. Save a new one now.',
      due: 'backup',
    });
    const saved = { ...none, fuller: full, lastFinished: compared };
    const more = 'The backup at /b.dat has more keys.';
    expect(walletVerdict(sampleWallet(), saved)).toEqual({ tone: 'plain', text: `Backed up. ${more}` });
    const gone = { ...saved, fuller: null, fullerGone: full };
    const had = 'Backup gone or changed: /b.dat. It had more keys.';
    expect(walletVerdict(sampleWallet(), gone)).toEqual({ tone: 'plain', text: `Backed up. ${had}` });
    expect(walletVerdict(sampleWallet(), { ...saved, lastFinished }).text).toBe(
      `Backed up. File not seen. Copy it to another disk. ${more}`,
    );
  });

  it('calls no wallet safe whose backup the app has not seen', () => {
    const result = { kind: 'backup', walletName: 'w', proof: { seen: false, path: '/home/b.dat' } } as const;
    const lastFinished = sampleJob({ kind: 'backup', state: 'done', result });
    const text = 'Backed up. File not seen. Copy it to another disk.';
    expect(walletVerdict(sampleWallet(), { ...none, lastFinished })).toEqual({ tone: 'plain', text });
    const unchecked = { ...none, lastFinished, unchecked: true };
    expect(walletVerdict(sampleWallet({ watchOnly: true }), unchecked)).toEqual({
      tone: 'plain',
      text: `${text} Keys not compared. It watches coins and cannot spend them.`,
    });
    const migrated = migratedJob('w', { proof: sampleProof('same') });
    expect(backedUpBy([endedJob('backup', 'w'), lastFinished])).toBe('unseen');
    expect(jobVerdict(migrated, 'unseen')).toEqual({ tone: 'plain', text });
    expect(jobVerdict(migrated, 'unseen, unchecked').text).toBe(`${text} Keys not compared.`);
    const partly = { ...migrated, proof: sampleProof('partly') };
    expect(jobVerdict(partly, 'unseen')).toEqual({
      tone: 'read',
      text: `Not everything could be compared. ${text}`,
    });
  });

  it.each([
    [false, false, 'Save a backup, in case this disk fails.'],
    [true, false, 'It watches coins and cannot spend them. Save a backup, in case this disk fails.'],
    // A migration made it.
    [true, true, 'It watches coins and cannot spend them. Save a backup, in case this disk fails.'],
  ])('says what a wallet can do before that it has no backup', (watchOnly, isNeeded, text) => {
    const wallet = sampleWallet({ watchOnly, loaded: true });
    expect(walletVerdict(wallet, { ...none, isNeeded })).toEqual({ tone: 'plain', text, due: 'backup' });
  });

  // The node says nothing of an unloaded wallet's keys, but its migration does.
  it.each([
    ['watchonly', null, 'It watches coins and cannot spend them. Save a backup, in case this disk fails.'],
    ['watchonly', true, 'It watches coins and cannot spend them. Save a backup, in case this disk fails.'],
    ['solvables', null, 'Save a backup, in case this disk fails.'],
    ['solvables', true, 'Save a backup, in case this disk fails.'],
  ] as const)('says of the %s wallet of a migration what it is for', (part, watchOnly, text) => {
    const wallet = sampleWallet({ watchOnly, loaded: watchOnly !== null });
    const verdict = walletVerdict(wallet, { ...none, isNeeded: true, part });
    expect(verdict).toEqual({ tone: 'plain', text, due: 'backup' });
  });

  it('keeps the loss of the migration that made a wallet, as its page does, but no mere doubt', () => {
    const result = { kind: 'migrate', walletName: 'w' } as Job['result'];
    type Verdict = 'same' | 'partly' | 'different';
    const createdBy = (verdict: Verdict) =>
      sampleJob({ kind: 'migrate', state: 'done', result, proof: sampleProof(verdict) });
    const lastFinished = sampleJob({ kind: 'backup', state: 'done' });
    const of = (verdict: Verdict) =>
      walletVerdict(sampleWallet(), { ...none, lastFinished, createdBy: createdBy(verdict) });
    expect(of('same')).toEqual({ tone: 'good', text: 'Safe and backed up.' });
    expect(of('partly')).toEqual({ tone: 'good', text: 'Safe and backed up.' });
    expect(of('different')).toEqual({ tone: 'danger', text: 'Something differs.' });
    const differences = [{ title: 'Less than the old wallet held', meaning: 'Rescan.', minor: true }];
    const less = {
      ...createdBy('partly'),
      proof: { verdict: 'partly', differences } as unknown as Job['proof'],
    };
    expect(walletVerdict(sampleWallet(), { ...none, lastFinished, createdBy: less })).toEqual({
      tone: 'read',
      text: 'Less than the old wallet held. Backed up.',
    });
  });

  it('calls an interrupted wallet safe only with a whole copy', () => {
    const interruption = (copies: number, toRescue?: string) =>
      sampleWallet({ kind: 'interrupted', interruption: { copies, toRescue } });
    expect(walletVerdict(interruption(1), none)).toEqual({ tone: 'read', text: STILL_SAFE });
    expect(walletVerdict(interruption(0), none)).toEqual({ tone: 'danger', text: HALF_MIGRATED });
    expect(walletVerdict(interruption(0, '/w'), none)).toEqual({ tone: 'read', text: HALF_MIGRATED });
  });

  it('names the whole backup of a damaged wallet', () => {
    const proof = { seen: true, path: '/b.dat', size: 1, sha256: 'ab' } as const;
    const saved = { kind: 'legacy', encrypted: false } as const;
    const backup = (change: object = {}, warnings: string[] = []) => {
      const result = { kind: 'backup', walletName: 'w', proof, saved, ...change } as const;
      return sampleJob({ kind: 'backup', state: 'done', result, warnings });
    };
    const of = (backups: Partial<WalletBackups>) =>
      walletVerdict(sampleWallet({ damagedFile: '/w.dat' }), { ...none, ...backups });
    expect(of({ lastFinished: backup() })).toEqual({
      tone: 'read',
      text: 'Damaged. A rescue saves what is left. Your backup: /b.dat',
    });
    expect(of({ fuller: backup() }).tone).toBe('read');
    expect(of({ lastFinished: backup({ fileNow: 'out-of-reach' }) })).toEqual(of({}));
    expect(of({ lastFinished: backup({ saved: undefined }) })).toEqual(of({}));
    expect(of({ lastFinished: backup({}, ['Wallet and backup are damaged.']) })).toEqual(of({}));
    expect(of({}).tone).toBe('danger');
  });

  it('says that the coins are safe while the node rescans', () => {
    expect(walletVerdict(sampleWallet({ scanning: 0.4 }), none)).toEqual({
      tone: 'plain',
      text: 'Your coins are safe. The node still searches for payments.',
    });
  });

  it('does not alarm about an incomplete wallet that is kept after its restore', () => {
    const kept = { text: 'Nothing to do here.', tone: 'plain' };
    const interruption = { copies: 0, restoredAs: 'savings' };
    expect(walletVerdict(sampleWallet({ kind: 'interrupted', interruption }), none)).toEqual(kept);
    const file = {
      wallet: null,
      file: '/w',
      cause: 'legacy-records' as const,
      copies: [],
      restoredAs: 'savings',
    };
    expect(fileVerdict(sampleInspection({ incomplete: 'legacy-records' }), file)).toEqual(kept);
  });
});

describe('jobVerdict', () => {
  const migrated = {
    kind: 'migrate',
    walletName: 'w',
    watchonlyName: null,
    solvablesName: null,
    backupPath: null,
    backupSeen: null,
  } as const;
  const proof = (verdict: string) =>
    ({ verdict, differences: [], unknown: [], wallets: [] }) as unknown as Job['proof'];
  const done = (change: Partial<Job>) => sampleJob({ state: 'done', ended: 2, result: migrated, ...change });

  it('asks for a backup after the proof, until there is one', () => {
    const job = done({ proof: proof('same') });
    expect(jobVerdict(job, false)).toEqual({
      tone: 'good',
      text: 'Everything arrived. One step left: save a backup.',
    });
    expect(jobVerdict(job, true)).toEqual({ tone: 'good', text: 'Safe and backed up.' });
    // A later job created the wallet again: there is nothing left to back up.
    expect(jobVerdict(job, null)).toEqual({ tone: 'good', text: 'Everything arrived.' });
  });

  it('tells coins that are only watched from coins that can be spent', () => {
    const wallets = (...parts: object[]) => done({ proof: { ...proof('same'), wallets: parts } as never });
    const texts = (job: Job) => [jobVerdict(job, false).text, jobVerdict(job, true).text, proofHeading(job)];
    const watched = [
      'Everything arrived. The new wallet cannot spend: it only watches. One step left: save a backup.',
      'Safe and backed up. The new wallet cannot spend: it only watches.',
      'Everything arrived, watched only',
    ];
    // A file of addresses becomes a watch-only wallet, and a descriptor wallet without keys stays one.
    expect(texts(wallets({ part: 'watchonly' }))).toEqual(watched);
    expect(texts(wallets({ part: 'primary', watches: true }))).toEqual(watched);
    const lastFinished = sampleJob({ kind: 'backup', state: 'done' });
    const spends = wallets({ part: 'primary' }, { part: 'watchonly', watches: true });
    expect(texts(spends).join()).not.toContain('watche');
    const signer = wallets({ part: 'primary', watches: true, signsOutside: true });
    expect(texts(signer).join()).not.toContain('watche');
    expect(walletVerdict(sampleWallet({ watchOnly: true }), { ...NO_BACKUPS, lastFinished }).text).toBe(
      'Safe and backed up. It watches coins and cannot spend them.',
    );
    // A restore may have no proof.
    const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
    const unproved = done({ kind: 'restore', result: { ...restored, watches: true } });
    expect(jobVerdict(unproved, null).text).toBe(
      'Wallet restored. The new wallet cannot spend: it only watches.',
    );
  });

  const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
  it.each([
    ['was compared in part', done({ proof: proof('partly') }), 'Not everything could be compared.'],
    ['was not compared', done({ proof: null }), 'Wallet migrated. Nothing was compared.'],
    [
      'shows no payments since its birth',
      done({ kind: 'restore', result: { ...restored, since: 1, transactions: 0 } }),
      'Wallet restored. No payments found.',
    ],
    [
      'comes from a file that changed',
      done({ kind: 'restore', result: { ...restored, backupAfter: 'changed' } }),
      'Wallet restored. Backup file changed meanwhile.',
    ],
  ] as const)('is amber for a wallet that %s', (_, job, doubt) => {
    expect(jobVerdict(job, false)).toEqual({ tone: 'read', text: `${doubt} One step left: save a backup.` });
    expect(jobVerdict(job, true)).toEqual({ tone: 'read', text: `${doubt} Backed up.` });
    expect(jobVerdict(job, null)).toEqual({ tone: 'read', text: doubt });
  });

  it('does not call transactions of others a loss', () => {
    const transactions = { total: 3, shown: [] };
    const rescue = sampleRescue({ excluded: { transactions, addresses: { total: 0, shown: [] } } });
    const result = { kind: 'migrate', rescue } as Job['result'];
    const job = done({ result, proof: proof('partly') });
    const leftOut = 'Left out: 3 transactions. No coins of this wallet are involved.';
    expect(jobVerdict(job, false)).toEqual({
      tone: 'read',
      text: `${leftOut} One step left: save a backup.`,
    });
    expect(jobVerdict(job, true)).toEqual({ tone: 'good', text: `Safe and backed up. ${leftOut}` });
    const doubts = [{ title: 'Balance not compared', meaning: '' }];
    const doubtful = { ...proof('partly'), differences: doubts } as Job['proof'];
    const textOf = (change: Partial<Job>) => jobVerdict(done({ result, ...change }), true);
    expect(textOf({ proof: doubtful })).toEqual({ tone: 'read', text: 'Balance not compared. Backed up.' });
    const unread = { ...proof('partly'), unknown: ['Unreadable parts of a file.'] } as Job['proof'];
    expect(textOf({ proof: unread }).text).toBe('Not everything could be compared. Backed up.');
    expect(textOf({ proof: null }).text).toBe('Wallet migrated. Nothing was compared. Backed up.');
    const back = { ...restored, rescue, backupAfter: 'changed' } as Job['result'];
    expect(textOf({ result: back, proof: proof('partly') }).tone).toBe('read');
  });

  it('says that a restored legacy wallet still has to be migrated, but not after an undo', () => {
    const result = { kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null } as const;
    const textOf = (change: Partial<Job>) =>
      jobVerdict(done({ kind: 'restore', result, ...change }), true).text;
    expect(textOf({})).toBe('Restored. Now migrate it.');
    expect(textOf({ action: 'undo' })).toBe('Old wallet put back.');
    const undone = { ...migratedJob('w').result, undone: true } as Job['result'];
    const before = jobVerdict(migratedJob('w', { proof: sampleProof('same'), result: undone }), false);
    expect(before).toEqual({ tone: 'plain', text: 'Undone: the old wallet is back.' });
  });

  it('distinguishes the three outcomes of an unsuccessful job', () => {
    const error = { code: 'wallet_error', message: 'No.', hint: '' } as const;
    expect(jobVerdict(sampleJob({ state: 'failed', error }), false).text).toBe('Your wallet is unchanged.');
    const undo = sampleJob({ kind: 'restore', action: 'undo', state: 'failed', error });
    expect(jobVerdict(undo, false).text).toBe('Nothing is lost.');
    const putBack = sampleJob({ kind: 'restore', action: 'put-back', state: 'failed', error });
    expect(jobVerdict(putBack, false).text).toBe('Your wallet is unchanged.');
    expect(jobVerdict(sampleJob({ state: 'interrupted' }), false).text).toBe(
      'Interrupted: the wallet was left incomplete.',
    );
    expect(jobVerdict(sampleJob({ state: 'unknown' }), false).tone).toBe('read');
  });

  it('waits for a node that does not answer', () => {
    expect(jobVerdict(sampleJob({ connection: 'lost' as Job['connection'] }), false).text).toContain(
      'Waiting for the node.',
    );
  });

  it.each([
    ['restore', ': the file is never changed'],
    ['migrate', '. Nothing changes until the copy is made'],
    ['rescue', ': the file is never changed'],
    ['rescan', ': a rescan only adds payments'],
  ] as const)('says why the coins are safe during a %s', (kind, why) => {
    expect(jobVerdict(sampleJob({ kind }), false)).toEqual({
      tone: 'plain',
      text: `Your coins are safe${why}.`,
    });
  });

  it('promises a copy only once it is whole', () => {
    const file = { path: '/c', source: '/w', size: 1, sha256: 'aa' };
    const copy = (state: string) =>
      ({ safetyCopy: { files: [{ ...file, state }] } }) as unknown as Partial<Job>;
    expect(jobVerdict(sampleJob(copy('whole')), false).text).toContain('a copy was made first');
    expect(jobVerdict(sampleJob(copy('unread')), false).text).toContain('until the copy is made');
    const at = (...steps: object[]) => jobVerdict(sampleJob({ steps } as Partial<Job>), false).text;
    expect(at({ phase: 'safety-copy', state: 'skipped' })).toBe('You confirmed your own copy.');
    expect(at({ phase: 'sent', state: 'running' })).toBe('The migration makes a .legacy.bak backup.');
    const refused = sampleJob({
      state: 'failed',
      steps: [{ phase: 'sent', state: 'running' }],
    } as Partial<Job>);
    expect(whySafe(refused)).toBe('Your wallet is unchanged.');
    expect(at({ phase: 'sent', state: 'waiting' })).toContain('until the copy is made');
  });
});

it('counts keys and transactions below the balance', () => {
  expect(contentsLine(sampleInspection({ keys, transactions }))).toBe('4 keys · 2 transactions');
  expect(contentsLine(sampleInspection())).toBe('');
});
