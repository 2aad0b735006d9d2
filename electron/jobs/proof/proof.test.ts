import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { AppError } from '../../../shared/model/errors.ts';
import { formatBitcoin } from '../../../shared/model/money.ts';
import { proof } from '../../../shared/model/safety.ts';
import { sampleRescue } from '../../../shared/testing/sampleRescue.ts';
import { proofRows } from '../../../shared/wording/proofWords.ts';
import { failing } from '../../files/testing/failing.ts';
import type { MigrationComparison } from '../../walletfile/migrate/compareMigration.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { createBench, createFileProver, putWallet } from '../testing/bench.ts';
import { proofOf } from './proof.ts';

const whole = (count: number) => ({ before: count, after: count, missing: { total: 0, shown: [] } });
const lacking = (count: number, ...missing: string[]) => ({
  before: count,
  after: count - missing.length,
  missing: { total: missing.length, shown: missing },
});

const comparison: MigrationComparison = {
  keys: 66,
  newCoins: 0n,
  scripts: whole(40),
  misplaced: { total: 0, shown: [] },
  keyless: { total: 0, shown: [] },
  labels: whole(3),
  transactions: whole(7),
  balance: {
    amount: 900n,
    unconfirmed: 0n,
    newest: 1_795_180_000,
    parts: { spendable: 700n, watched: 200n, notYours: 0n },
  },
  wallets: [
    {
      part: 'primary',
      name: 'w',
      descriptors: 11,
      labels: 3,
      transactions: 7,
      incomplete: false,
      twice: 0n,
      watches: false,
      unseenSpends: 0,
    },
    {
      part: 'watchonly',
      name: 'w_watchonly',
      descriptors: 1,
      labels: 0,
      transactions: 1,
      incomplete: false,
      twice: 0n,
      watches: true,
      unseenSpends: 0,
    },
  ],
  isPartlyUnreadable: false,
};
const newWallets = [
  { part: 'primary', name: 'w' },
  { part: 'watchonly', name: 'w_watchonly' },
] as const;
const found = {
  newWallets,
  files: comparison,
  balances: [700n, 200n],
  balanceBefore: 900n,
  offline: false,
  syncing: false,
  rescue: null,
  network: 'regtest',
} as const;

const prove = (fields: Partial<Parameters<typeof proofOf>[0]> = {}) => {
  const whole = proofOf({ ...found, ...fields });
  // It crosses to the page.
  expect(z.decode(proof, z.encode(proof, whole))).toEqual(whole);
  return whole;
};

describe('proofOf', () => {
  it('finds no difference if everything arrived', () => {
    expect(prove()).toMatchObject({
      verdict: 'same',
      differences: [],
      unknown: [],
      balance: { file: 900n, fileTime: 1_795_180_000, before: 900n, after: 900n, change: 'same' },
      wallets: [
        { name: 'w', descriptors: 11, balance: 700n },
        { name: 'w_watchonly', transactions: 1, balance: 200n, watches: true },
      ],
    });
  });

  it('compares a rescue with the damaged file, and says which keys and coins are missing', () => {
    const rescue = sampleRescue({
      saved: { keys: 90, derived: 5, seeds: 1, labels: 66, transactions: 6 },
      missing: { keys: 12, chainKeys: 0, counter: false, masterKey: false },
      lostCoins: { amount: 40_000_000n, coins: 1, on: { total: 1, shown: ['bcrt1qlost'] } },
      balanceInFile: { spendable: 600n, watched: 200n, newest: 1_795_000_000 },
    });
    const result = prove({ balanceBefore: null, offline: true, rescue });
    expect(result).toMatchObject({
      verdict: 'partly',
      differences: [],
      lost: ['Missing: 12 private keys.', `Known coins on them: ${formatBitcoin(40_000_000n, 'regtest')}.`],
      balance: {
        file: 800n,
        fileTime: 1_795_000_000,
        before: null,
        after: 900n,
        change: 'more',
        split: {
          before: { spendable: 600n, watched: 200n, notYours: 0n },
          after: { spendable: 700n, watched: 200n, notYours: 0n },
        },
      },
    });
    const none = { amount: 0n, coins: 0, on: { total: 0, shown: [] } };
    const { lost } = prove({ balanceBefore: null, offline: true, rescue: { ...rescue, lostCoins: none } });
    expect(lost).toEqual(['Missing: 12 private keys.', 'No known coins are on them.']);
    const whole = { ...rescue, missing: { ...rescue.missing, keys: 0 }, lostCoins: none };
    expect(prove({ balanceBefore: null, offline: true, rescue: whole })).toMatchObject({ verdict: 'same' });
  });

  it('knows no balance of keys without a transaction if there is no chain, or not all of it', () => {
    const files = {
      ...comparison,
      balance: { ...comparison.balance, amount: 0n, newest: null },
      wallets: comparison.wallets.map((one) => ({ ...one, transactions: 0 })),
    };
    const unused = { files, balances: [0n, 0n], balanceBefore: 0n };
    const balance = (offline: boolean, syncing = false) => {
      const proof = prove({ ...unused, offline, syncing });
      expect(proof.verdict).toBe('same');
      const row = proofRows(proof, 'regtest').find(({ label }) => label === 'Balance');
      return [row?.before?.text, row?.after.text];
    };
    expect(balance(true)).toEqual(['Not known', 'Not known']);
    expect(balance(false, true)).toEqual(['Not known', 'Not known']);
    expect(balance(false)).toEqual([formatBitcoin(0n, 'regtest'), formatBitcoin(0n, 'regtest')]);
    const remote = (before: bigint | null) =>
      prove({ ...unused, files: null, balanceBefore: before, offline: false, syncing: true }).balance.after;
    expect([remote(null), remote(0n), remote(5n)]).toEqual([null, null, 0n]);
    const found = prove({ ...unused, balances: [5n, 0n], balanceBefore: null, offline: false });
    expect(found.balance).toMatchObject({ file: null, after: 5n, split: { before: null } });
    expect(found.balance).not.toHaveProperty('change');
  });

  it.each([
    ['scripts', 'Missing: 1 address', 'different'],
    ['labels', 'Missing: 1 label', 'partly'],
    ['transactions', 'Missing: 1 transaction', 'partly'],
  ] as const)('reports missing %s and what that means', (what, words, verdict) => {
    const result = prove({ files: { ...comparison, [what]: lacking(7, 'one') } });
    expect(result.verdict).toBe(verdict);
    const title = expect.stringContaining(words);
    const meaning = expect.stringMatching(/.{40}/);
    const minor = verdict === 'partly' ? true : undefined;
    expect(result.differences).toEqual([{ title, meaning, minor }]);
  });

  it('alarms about a lower balance unless every script and key is there', () => {
    const less = { balances: [500n, 200n] };
    expect(prove(less)).toMatchObject({ verdict: 'partly', differences: [{ minor: true }] });
    const alarming = [
      { ...less, files: null, why: 'Unreadable file.' },
      { ...less, files: { ...comparison, isPartlyUnreadable: true } },
      // Without a chain, both balances are sums of the same transactions.
      { ...less, offline: true },
    ];
    for (const fields of alarming) {
      const { verdict, differences } = prove(fields);
      expect([verdict, differences.map(({ minor }) => minor)]).toEqual(['different', [undefined]]);
    }
  });

  it.each([
    ['misplaced', /Addresses in the wrong wallet: 2/, /may show unspendable coins/],
    ['keyless', /Descriptors without private keys: 2/, /could not be spent/],
  ] as const)('reports what is %s, what that means and what is safe', (what, title, meaning) => {
    const list = { total: 2, shown: ['one', 'two'] };
    const result = prove({ files: { ...comparison, [what]: list } });
    const words = { title: expect.stringMatching(title), meaning: expect.stringMatching(meaning) };
    expect(result).toMatchObject({ verdict: 'different', [what]: list, differences: [words] });
    expect(result.differences[0]?.meaning).toContain('Keep all backups.');
  });

  it('does not alarm about coins that were spent since a backup that is restored', () => {
    const less = { restored: true, balanceBefore: null, balances: [500n, 200n] };
    const result = prove(less);
    expect(result).toMatchObject({ verdict: 'same', differences: [], balance: { file: 900n, after: 700n } });
    expect(result.unknown).toEqual([expect.stringContaining('Coins spent, or node not synced?')]);
    expect(prove({ ...less, balances: [700n, 200n] }).unknown).toEqual([]);
    expect(prove({ ...less, files: { ...comparison, isPartlyUnreadable: true } })).toMatchObject({
      verdict: 'different',
      differences: [{ title: 'Less than last known' }],
    });
  });

  it('reports a wallet whose migration was interrupted', () => {
    const wallets = comparison.wallets.map((wallet, at) => ({ ...wallet, incomplete: at === 0 }));
    const result = prove({ files: { ...comparison, wallets } });
    expect(result).toMatchObject({
      verdict: 'different',
      differences: [{ title: 'Incomplete migration of “w”' }],
      wallets: [{ incomplete: true }, { incomplete: false }],
    });
  });

  it('reads a proof of an earlier version of the app', () => {
    const { misplaced, keyless, ...result } = z.encode(proof, proofOf(found));
    for (const list of [misplaced, keyless]) expect(list).toEqual({ total: 0, shown: [] });
    const wallets = result.wallets.map(({ incomplete, ...wallet }) => wallet);
    expect(z.decode(proof, { ...result, wallets })).toMatchObject({ verdict: 'same' });
  });

  // `proveBalance.test.ts` has the verdicts on balances.
  it('compares a wallet that was not loaded with its file', () => {
    const balance = { file: 900n, after: 0n, change: 'less' };
    const lost = prove({ balanceBefore: null, balances: [0n, 0n] });
    expect(lost).toMatchObject({ verdict: 'partly', balance });
    expect(lost.differences).toHaveLength(1);
    expect(prove({ balanceBefore: null }).verdict).toBe('same');
    const pending = { ...comparison, balance: { ...comparison.balance, unconfirmed: 300n } };
    const unclear = prove({ files: pending, balanceBefore: null, balances: [600n, 0n] });
    expect(unclear).toMatchObject({ verdict: 'partly', differences: [] });
  });

  it('does not count the solvables, which the old balance did not include', () => {
    const all = [...newWallets, { part: 'solvables', name: 'w_solvables' }] as const;
    expect(prove({ newWallets: all, balances: [700n, 200n, 5n] }).balance.after).toBe(900n);
  });

  it('does not know the coins of a solvables wallet without a chain', () => {
    const [main] = comparison.wallets as [MigrationComparison['wallets'][number]];
    const of = (offline: boolean, transactions: number) => {
      const name = 'w_solvables';
      const files = {
        ...comparison,
        balance: { ...comparison.balance, parts: { spendable: 700n, watched: 200n, notYours: 5n } },
        wallets: [...comparison.wallets, { ...main, part: 'solvables' as const, name, transactions }],
      };
      const all = [...newWallets, { part: 'solvables', name }] as const;
      const proof = prove({ newWallets: all, balances: [700n, 200n, 0n], files, offline });
      return proofRows(proof, 'regtest').find(({ label }) => label === 'Not yours')?.after.text;
    };
    expect(of(true, 0)).toBe('Not known');
    expect(of(true, 1)).toBe(formatBitcoin(0n, 'regtest'));
    expect(of(false, 0)).toBe(formatBitcoin(0n, 'regtest'));
  });

  it('does not say that no coins are affected where a left-out address has some', () => {
    const meaningOf = (notYours: bigint) => {
      const parts = { spendable: 700n, watched: 200n, notYours };
      const balance = { ...comparison.balance, parts };
      return prove({ files: { ...comparison, balance, labels: lacking(3, 'a') } }).differences[0]?.meaning;
    };
    expect(meaningOf(0n)).toBe('No coins are affected. The labels are in the backup.');
    expect(meaningOf(5n)).toBe('The labels are in the backup.');
  });

  it('says what it could not compare', () => {
    const noFiles = prove({ files: null, why: 'the file is gone.' });
    expect(noFiles).toMatchObject({ verdict: 'partly', scripts: null, labels: null, transactions: null });
    expect(noFiles.unknown).toContain('Addresses, labels and transactions: the file is gone.');
    expect(prove({ balances: [700n, null] })).toMatchObject({ verdict: 'partly', balance: { after: null } });
    // Not that it was compared with what the file knew.
    const { unknown } = prove({ balances: [700n, null], balanceBefore: null });
    expect(unknown).toEqual(['Balances: the node did not report each.']);
    expect(prove({ files: { ...comparison, isPartlyUnreadable: true } }).verdict).toBe('partly');
  });
});

describe('prove', () => {
  it('names the only wallet that is left as the watch-only one', async () => {
    const { node, session } = await createBench();
    node.handlers.getbalances = () => ({ mine: { trusted: 0.4, untrusted_pending: 0, immature: 0 } });
    const prover = createFileProver(failing(new Error('there is no copy to compare')));
    const name = 'w_watchonly';
    const names = { walletName: name, watchonlyName: name, solvablesName: null };
    const { signal } = new AbortController();
    const { proof } = await prover(session, { fileForProof: null, balanceBefore: null }, names, signal);
    expect(proof.wallets).toMatchObject([{ part: 'watchonly', name, balance: 40_000_000n }]);
  });

  it.each([
    ['can be tried again once it is loaded', [], 'wallet_not_found'],
    ['stays unknown if it is loaded meanwhile', ['w'], undefined],
  ])('without a wallet’s balance %s', async (_, loaded, code) => {
    const { folder, node, session } = await createBench();
    await putWallet(folder, 'w', 'descriptor-hd');
    const lists: string[][] = [[]];
    node.handlers.listwallets = () => lists.shift() ?? loaded;
    node.handlers.getbalances = failing(new AppError('wallet_not_found', 'Not loaded.', ''));
    const prover = createFileProver((async () => comparison) as WalletWork);
    const names = { walletName: 'w', watchonlyName: null, solvablesName: null };
    const before = { fileForProof: '/backup.dat', balanceBefore: null };
    const { proof, proofError } = await prover(session, before, names, new AbortController().signal);
    expect(proof.unknown).toContain('Balances: the node did not report each.');
    expect(proofError?.code).toBe(code);
  });

  it.each([
    ['less', 3],
    ['unclear', 4],
  ])(
    'calls a lower balance %s on a node that lacks %i blocks after its initial download',
    async (change, lacks) => {
      const { folder, node, session } = await createBench();
      node.handlers.getbalances = () => ({ mine: { trusted: 0, untrusted_pending: 0, immature: 0 } });
      for (const name of ['w', 'w_watchonly']) await putWallet(folder, name, 'descriptor-hd');
      Object.assign(session.status, { blocks: 900, headers: 900 + lacks });
      const prover = createFileProver((async () => comparison) as WalletWork);
      const names = { walletName: 'w', watchonlyName: 'w_watchonly', solvablesName: null };
      const before = { fileForProof: '/backup.dat', balanceBefore: null };
      const { proof } = await prover(session, before, names, new AbortController().signal);
      expect(proof.balance.change).toBe(change);
    },
  );

  it.each([
    ['no_space', true, 'here'],
    // Others could change the app's own folder.
    ['not_available_here', true, 'here'],
    ['beyond_limits', false, 'here'],
    ['bad_input', false, 'here'],
    ['no_space', true, 'in an unknown folder'],
    ['no_space', false, 'on another machine'],
  ] as const)(
    'says that files were not compared because of %s, and whether another try may do it: %s, with wallets %s',
    async (code, again, where) => {
      const { folder, session } = await createBench();
      await putWallet(folder, 'w', 'descriptor-hd');
      const prover = createFileProver(failing(new AppError(code, 'Disk full.', '')));
      const names = { walletName: 'w', watchonlyName: null, solvablesName: null };
      const before = { fileForProof: '/backup.dat', balanceBefore: null };
      if (where !== 'here')
        Object.assign(session.status, { local: where !== 'on another machine', walletsFolder: null });
      const { proof, proofError } = await prover(session, before, names, new AbortController().signal);
      const why = where === 'here' ? 'Disk full.' : 'It is on the node’s machine.';
      // Another try's error is shown beside the proof, so the proof must not say it a second time.
      const lasting = again ? [] : [`Addresses, labels and transactions: ${why}`];
      expect(proof.unknown.filter((words) => words.includes(why))).toEqual(lasting);
      expect(proof.wallets.map(({ path }) => path)).toEqual([
        where === 'here' ? join(folder, 'w', 'wallet.dat') : undefined,
      ]);
      expect(proofError?.code).toBe(again ? (where === 'here' ? code : 'not_available_here') : undefined);
    },
  );
});
