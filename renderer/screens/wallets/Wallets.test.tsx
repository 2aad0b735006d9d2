import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../shared/contract.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { NO_BACKUPS, type WalletBackups } from '../../../shared/model/walletBackups.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../../shared/testing/sampleWallet.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../../state/testing/rendered.tsx';
import type { Column } from './WalletsTable.tsx';

installFakeFerry();
const { findWallets, ordered, sortWallets } = await import('./WalletsTable.tsx');
const { failedBackups, Wallets } = await import('./Wallets.tsx');
const { useWallets } = await import('../../state/walletsStore.ts');
const { WalletsActions, WalletsRow } = await import('./WalletsRow.tsx');

const wallet = (name: string, change: Partial<Wallet> = {}) => sampleWallet({ name, ...change });
const holding = (spendable: bigint) => ({ spendable, watched: 2n ** 61n, notYours: 0n });
const createdAt = (started: number): WalletBackups => ({
  ...NO_BACKUPS,
  lastFinished: sampleJob({ kind: 'backup', started }),
});
const sorted = (
  wallets: Wallet[],
  by: Column,
  down = false,
  backups: [string, WalletBackups][] = [],
): string[] => sortWallets(wallets, { by, down }, new Map(backups)).map(({ name }) => name);

describe('sortWallets', () => {
  it('reads numbers in names, and takes the unnamed wallet for what it is called', () => {
    const wallets = ['wallet 10', 'zoo', '', 'Wallet 2', 'apple'].map((name) => wallet(name));
    expect(sorted(wallets, 'name')).toEqual(['apple', '', 'Wallet 2', 'wallet 10', 'zoo']);
    expect(sorted(wallets, 'name', true)).toEqual(['zoo', 'wallet 10', 'Wallet 2', '', 'apple']);
  });

  it('puts what is not known last, either way, and equal ones in the order of their names', () => {
    const wallets = [
      wallet('unknown', { balance: null, size: null }),
      wallet('b', { balance: holding(5n), size: 7 }),
      wallet('rich', { balance: holding(2n ** 60n), size: 8 }),
      wallet('a', { balance: holding(5n), size: 0 }),
      wallet('vague', { balance: null, size: null }),
    ];
    expect(sorted(wallets, 'balance')).toEqual(['a', 'b', 'rich', 'unknown', 'vague']);
    expect(sorted(wallets, 'balance', true)).toEqual(['rich', 'a', 'b', 'unknown', 'vague']);
    expect(sorted(wallets, 'size', true)).toEqual(['rich', 'b', 'a', 'unknown', 'vague']);
  });

  it('sorts kinds by their names', () => {
    const wallets = [
      wallet('x', { kind: 'unknown' }),
      wallet('old', { kind: 'legacy' }),
      wallet('new', { kind: 'descriptor' }),
    ];
    expect(sorted(wallets, 'kind')).toEqual(['new', 'old', 'x']);
    expect(sorted(wallets, 'kind', true)).toEqual(['old', 'new', 'x']);
  });

  it('puts encrypted wallets first after one press, then those that are not, then unknown ones', () => {
    const wallets = [
      wallet('open', { encrypted: false }),
      wallet('unread', { encrypted: null }),
      wallet('locked', { encrypted: true }),
    ];
    const { by, down } = ordered(DEFAULT_SETTINGS.order, 'encrypted');
    expect(sorted(wallets, by, down)).toEqual(['locked', 'open', 'unread']);
    expect(sorted(wallets, by, !down)).toEqual(['open', 'locked', 'unread']);
  });

  it('begins with what owes a backup, then what has none, then the oldest', () => {
    const wallets = [
      wallet('today'),
      wallet('none'),
      wallet('owes', { kind: 'descriptor' }),
      wallet('long ago'),
      wallet('legacy again', { kind: 'legacy' }),
    ];
    const needed = { ...NO_BACKUPS, isNeeded: true };
    const backups: [string, WalletBackups][] = [
      ['today', createdAt(900)],
      ['long ago', createdAt(100)],
      ['owes', needed],
      ['legacy again', needed],
    ];
    expect(sorted(wallets, 'backup', false, backups)).toEqual([
      'owes',
      'legacy again',
      'none',
      'long ago',
      'today',
    ]);
  });
});

describe('a press on a heading', () => {
  it('sorts by it, amounts from the largest on, and then the other way round', () => {
    expect(ordered(DEFAULT_SETTINGS.order, 'name')).toEqual({ by: 'name', down: true });
    expect(ordered(DEFAULT_SETTINGS.order, 'balance')).toEqual({ by: 'balance', down: true });
    expect(ordered({ by: 'balance', down: true }, 'balance')).toEqual({ by: 'balance', down: false });
    expect(ordered(DEFAULT_SETTINGS.order, 'backup')).toEqual({ by: 'backup', down: false });
  });
});

const named = ['', 'Savings', 'Café', 'savings-old'].map((name) => sampleWallet({ name }));
const foundNames = (sought: string) => findWallets(named, sought).map(({ name }) => name);

it('says why the list could not be read', () => {
  const error = { code: 'busy', message: 'The node is too busy.', hint: 'Try again.' } as const;
  startWith(useWallets, { wallets: [wallet('w')], error });
  expect(rendered(<Wallets node={sampleNodeStatus()} />)).toMatch(
    /role="alert".*Wallets not read.*The node is too busy\./,
  );
});

it('finds parts of names in any case, and every name without a search', () => {
  expect(foundNames('SAV')).toEqual(['Savings', 'savings-old']);
  expect(foundNames('  ')).toHaveLength(4);
  expect(foundNames('x')).toEqual([]);
});

it('finds accents however they are typed', () => {
  expect(foundNames('cafe\u0301')).toEqual(['Café']);
});

it('finds the unnamed wallet by what it is called on screen', () => {
  expect(foundNames('unnamed')).toEqual(['']);
});

it('names each wallet whose last backup failed, with the reason, even if an earlier one is finished', () => {
  const finished = sampleJob({ kind: 'backup', state: 'done' });
  const error = { code: 'no_space', message: 'Not enough space.', hint: '' } as const;
  const failed = sampleJob({ kind: 'backup', state: 'failed', error });
  const backups = new Map([
    ['full', { ...NO_BACKUPS, lastTried: failed }],
    ['again', { ...NO_BACKUPS, lastFinished: finished, lastTried: failed }],
    ['saved', { ...NO_BACKUPS, lastFinished: finished, lastTried: finished }],
  ]);
  const refused = { state: 'refused', error: { ...error, message: 'Taken.' } } as const;
  const names = ['full', 'again', 'saved', 'new', 'taken'];
  expect(failedBackups(names, backups, (wallet) => (wallet === 'taken' ? refused : null))).toEqual([
    { wallet: 'full', why: 'Not enough space.' },
    { wallet: 'again', why: 'Not enough space.' },
    { wallet: 'taken', why: 'Taken.' },
  ]);
});

const actionsOf = (change: Partial<Wallet>) =>
  rendered(
    <WalletsActions
      wallet={sampleWallet(change)}
      node={sampleNodeStatus()}
      needsBackup={false}
      isChanging={false}
      blocked={false}
      nameId="name"
    />,
  );

const markupOf = (interruption: Wallet['interruption']) =>
  actionsOf({ kind: 'interrupted', ...(interruption ? { interruption } : {}) });

const rowOf = (change: Partial<Wallet>, backups: WalletBackups = NO_BACKUPS) =>
  rendered(
    <WalletsRow
      {...{ wallet: sampleWallet(change), backups, node: sampleNodeStatus() }}
      {...{ isSelected: false, onSelect: () => {}, index: 0, offset: 0, measure: () => {} }}
    />,
  );

it('says of a backup if its keys were not compared with those of the wallet, once these are known', () => {
  const lastFinished = sampleJob({ kind: 'backup', state: 'done' });
  const backups = { ...NO_BACKUPS, lastFinished, lastTried: lastFinished };
  expect(rowOf({}, { ...backups, unchecked: true })).toContain('Keys not compared');
  expect(rowOf({ pending: true }, { ...backups, unchecked: true })).not.toContain('Keys not compared');
  expect(rowOf({}, backups)).not.toContain('Keys not compared');
});

it('says of a backup if the app does not see its file now', () => {
  const proof = { seen: true, path: '/stick/b.dat' };
  const result = { kind: 'backup', walletName: 'w', proof, fileNow: 'out-of-reach' } as never;
  const lastFinished = sampleJob({ kind: 'backup', state: 'done', result });
  expect(rowOf({}, { ...NO_BACKUPS, lastFinished, lastTried: lastFinished })).toContain('File not seen');
});

it('speaks of new keys only of a wallet that has some', () => {
  const backups = { ...NO_BACKUPS, isNeeded: true };
  const saysSo = (watchOnly: boolean) => rowOf({ watchOnly }, backups).includes('new keys');
  expect([saysSo(false), saysSo(true)]).toEqual([true, false]);
});

it('asks for a new backup where the only one is gone', () => {
  const row = rowOf({ loaded: true }, { ...NO_BACKUPS, gonePath: '/stick/b.dat' });
  expect(row).toMatch(/Backup gone or changed: .*\/stick\/b\.dat.*Back up now/);
  expect(row).not.toContain('Not backed up');
});

it('marks a damaged wallet, and offers its rescue in place of its migration', () => {
  expect(rowOf({ kind: 'legacy' })).not.toContain('Damaged');
  expect(rowOf({ kind: 'legacy', damagedFile: '/w/wallet.dat' })).toContain('Damaged');
  expect(actionsOf({ kind: 'legacy' })).toMatch(/<button.*Migrate/);
  const damaged = actionsOf({ kind: 'legacy', damagedFile: '/w/wallet.dat' });
  expect(damaged).toMatch(/<button.*Rescue/);
  expect(damaged).not.toContain('Migrate');
});

it('offers no migration before the file is read, which may be damaged', () => {
  const unread = { kind: 'legacy', pending: true } as const;
  expect(actionsOf({ ...unread, fromFile: false })).not.toMatch(/Migrate|Load/);
  // It is read again.
  expect(actionsOf({ ...unread, fromFile: true })).toContain('Migrate');
  expect(actionsOf({ ...unread, fromFile: false, loaded: true })).toContain('Migrate');
});

describe('an incomplete wallet in the list', () => {
  it('has a button only if it can be restored', () => {
    expect(markupOf({ copies: 1 })).toContain('Put it back');
    expect(markupOf({ copies: 0 })).not.toContain('Put it back');
    expect(markupOf({ copies: 1, restoredAs: 'w' })).not.toContain('Put it back');
    // Its file is out of reach.
    expect(markupOf(undefined)).not.toContain('Put it back');
    expect(markupOf({ copies: 0 })).not.toContain('Load');
  });
});
