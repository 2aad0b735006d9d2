import { describe, expect, it } from 'vitest';
import type { BalanceParts, Inspection } from '../model/inspection.ts';
import { formatBitcoin } from '../model/money.ts';
import { NOTHING as none, sampleInspection } from '../testing/sampleInspection.ts';
import { sampleNodeStatus } from '../testing/sampleNodeStatus.ts';
import { balanceLine, balanceWords, listedBalance, partRemarks } from './balanceWords.ts';
import { formatTime } from './format/formatTime.ts';

const TIME = 1_795_180_497;
function wallet(spendable: Partial<BalanceParts>, change: Partial<Inspection> = {}): Inspection {
  const balance = { spendable: { ...none, ...spendable }, watched: none, notYours: 0n, lastBlock: null };
  return sampleInspection({
    balance: { ...balance, newestTransaction: TIME },
    transactions: { total: 2, shown: [] },
    ...change,
  });
}

const lost = { page: null, finding: { code: 'no_main_database' }, lost: true } as const;

describe('balanceWords', () => {
  it('dates the balance', () => {
    const words = balanceWords(wallet({ confirmed: 930_000_000n }));
    expect(words.total).toBe(formatBitcoin(930_000_000n, 'main'));
    expect(words.parts).toEqual([]);
    expect(words.notes.join(' ')).toContain(`Last known on ${formatTime(TIME)}`);
  });

  it('counts unconfirmed coins and lists them', () => {
    const words = balanceWords(wallet({ confirmed: 1n, unconfirmed: 2n }));
    expect(words.total).toBe(formatBitcoin(3n, 'main'));
    expect(words.parts).toEqual([['Of this, unconfirmed', formatBitcoin(2n, 'main')]]);
  });

  it('shows the part from invalid transactions', () => {
    const forged = wallet({ confirmed: 5n, invalid: 4n });
    expect(balanceWords(forged).parts).toEqual([['Of this, invalid', formatBitcoin(4n, 'main')]]);
    expect(balanceLine(forged)).toContain(`invalid: ${formatBitcoin(4n, 'main')}`);
    expect(balanceLine(wallet({ confirmed: 5n }))).not.toContain('invalid');
  });

  it('is unknown without transactions, and where nothing is found but addresses are lacking', () => {
    const nothing = { spendable: none, watched: none, notYours: 0n, newestTransaction: null };
    const never = wallet(
      {},
      { balance: { ...nothing, lastBlock: null }, transactions: { total: 0, shown: [] } },
    );
    expect(balanceWords(never)).toMatchObject({ total: null });
    expect(balanceLine(never)).toBe('Not known');
    const facts = { ...never, balance: { ...nothing, lastBlock: 'ab'.repeat(32) } };
    expect(balanceWords(facts).total).toBeNull();
    const problems = [
      { page: null, finding: { code: 'balance_lacks_addresses', count: 126 }, lost: false },
    ] as const;
    expect(balanceLine(wallet({}, { problems }))).toBe('Not known');
    expect(balanceWords(wallet({ confirmed: 1n }, { problems })).total).toBe(formatBitcoin(1n, 'main'));
    expect(balanceWords(wallet({})).total).toBe(formatBitcoin(0n, 'main'));
  });

  it('speaks of block rewards only if some could not be spent', () => {
    const said = (immature: bigint) =>
      balanceWords(wallet({ confirmed: 5n, ofBlockRewards: 5n, immature })).notes.join(' ');
    expect(said(5n)).toContain('block rewards');
    expect(said(0n)).not.toContain('block rewards');
  });

  it('lists what cannot be spent yet', () => {
    const mined = { ...none, confirmed: 9n, ofBlockRewards: 9n, immature: 4n };
    const notYet = ['Of this, not spendable yet', formatBitcoin(4n, 'main')];
    expect(balanceWords(wallet(mined)).parts).toContainEqual(notYet);
    const { parts } = balanceWords(wallet({ ...mined, immature: 0n }));
    expect(parts.map(([label]) => label)).toEqual(['Of this, block rewards']);
    const balance = { spendable: { ...none, confirmed: 1n }, watched: mined, notYours: 0n, lastBlock: null };
    const both = balanceWords(wallet({}, { balance: { ...balance, newestTransaction: TIME } }));
    expect(both.parts).toContainEqual(['Watched, not spendable yet', notYet[1]]);
  });

  it('shows what a wallet without private keys watches', () => {
    const balance = {
      spendable: none,
      watched: { ...none, confirmed: 40n },
      notYours: 0n,
      newestTransaction: TIME,
      lastBlock: null,
    };
    const { keys } = sampleInspection();
    const keyless = { ...keys, plain: 0, encrypted: 0 };
    const watching = { balance, keys: keyless, flags: ['disable_private_keys'] };
    // An old one has no flag of it. A node uses no keys of a wallet with the flag.
    for (const change of [
      watching,
      { ...watching, flags: [] },
      { ...watching, keys: { ...keys, plain: 1 } },
    ]) {
      expect(balanceWords(wallet({}, change)).total).toBe(formatBitcoin(40n, 'main'));
    }
    const mixed = balanceWords(wallet({}, { balance, keys: { ...keys, plain: 1 } }));
    expect(mixed.total).toBe(formatBitcoin(0n, 'main'));
    expect(mixed.parts).toEqual([['Watched', formatBitcoin(40n, 'main')]]);
  });

  it('calls the balance of a damaged file neither zero nor complete', () => {
    const empty = { total: 0, shown: [] };
    const unreadable = wallet({}, { problems: [lost], transactions: empty });
    expect(balanceWords(unreadable).total).toBeNull();
    expect(balanceLine(unreadable)).toContain('Not known');
    expect(balanceWords(wallet({}, { problems: [lost] })).total).toBeNull();
    expect(balanceWords(wallet({ confirmed: 1n }, { problems: [lost] })).notes.join(' ')).toContain(
      'transactions may be missing',
    );
  });

  it('gives one line with its date', () => {
    expect(balanceLine(wallet({ confirmed: 1n }))).toBe(
      `${formatBitcoin(1n, 'main')}, as of ${formatTime(TIME)}`,
    );
  });
});

describe('the three parts', () => {
  const satoshi = (amount: bigint) => formatBitcoin(amount, 'main');

  it('are shown for a file, and no sum includes what is not yours', () => {
    const watched = { ...none, confirmed: 61n };
    const balance = { spendable: { ...none, confirmed: 1855n }, watched, notYours: 60n, lastBlock: null };
    const { total, parts } = balanceWords(wallet({}, { balance: { ...balance, newestTransaction: TIME } }));
    expect(total).toBe(satoshi(1855n));
    expect(parts).toEqual([
      ['Watched', satoshi(61n)],
      ['Not yours', satoshi(60n)],
    ]);
  });

  it('says of a damaged file that a key was not found, not that coins are of others', () => {
    const balance = { spendable: none, watched: none, notYours: 60n, lastBlock: null };
    const { parts } = balanceWords(
      wallet({}, { balance: { ...balance, newestTransaction: TIME }, problems: [lost] }),
    );
    expect(parts).toEqual([['Key not found', satoshi(60n)]]);
  });

  it('are the same in the list of wallets as for a file', () => {
    const balance = { spendable: 1855n, watched: 61n, notYours: 0n };
    const wallet = { balance, watchOnly: false, transactions: 2, fromFile: false, spendable: null };
    const listed = (fields: Partial<Parameters<typeof listedBalance>[0]>, node = {}) =>
      listedBalance({ ...wallet, ...fields }, { ...sampleNodeStatus(), ...node });
    const watched = `${satoshi(61n)} watched`;
    expect(listed({})).toEqual({ main: 1855n, watched, spendable: null });
    expect(listed({ spendable: 1855n }).spendable).toBeNull();
    expect(listed({ spendable: 5n }).spendable).toBe(`${satoshi(5n)} spendable`);
    const watching = { balance: { ...balance, spendable: 0n }, watchOnly: true };
    expect(listed(watching)).toMatchObject({ main: 61n, watched: null });
    expect(listed({ balance: null, watchOnly: null })).toMatchObject({ main: null, watched: null });
    // The file of pasted keys has no payments: only a node knows what is on them.
    const empty = { balance: { spendable: 0n, watched: 0n, notYours: 0n }, transactions: 0 };
    expect(listed(empty, { offline: true }).main).toBeNull();
    expect(listed(empty, { initialBlockDownload: true }).main).toBeNull();
    expect(listed({}, { initialBlockDownload: true }).main).toBe(1855n);
    expect(listed({ ...empty, fromFile: true }).main).toBeNull();
    expect(listed(empty).main).toBe(0n);
  });

  it('come with a sentence if a coin is in two new wallets or not yours', () => {
    expect(partRemarks({ part: 'primary', twice: 0n }, 'main')).toEqual([]);
    expect(partRemarks({ part: 'watchonly', twice: 60n }, 'main')).toEqual([
      `${satoshi(60n)} more is in another new wallet.`,
    ]);
    expect(partRemarks({ part: 'solvables' }, 'main')).toEqual(['Not counted as yours.']);
  });
});
