import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { sampleWallet } from '../../shared/testing/sampleWallet.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const {
  dismissOutcome,
  changeWallet,
  clearWallets,
  readWalletNames,
  refreshWallets,
  selectWallets,
  useWallets,
} = await import('./walletsStore.ts');

const wallet = (name: string, known: object = {}) => ({
  ...sampleWallet({ name, kind: 'unknown', loaded: true, pending: true }),
  ...known,
});
const detailed = (name: string) =>
  wallet(name, {
    kind: 'legacy',
    balance: { spendable: '150000000', watched: '0', notYours: '0' },
    spendable: '150000000',
    pending: false,
  });
const balances = () => useWallets.getState().wallets?.map(({ balance }) => balance?.spendable ?? null);

const answerList = (...wallets: object[]) => ferry.answer('wallets.list', { wallets, closed: [] });
/** Asks for the list, which has these wallets. */
const list = (...wallets: object[]) => {
  void refreshWallets();
  return answerList(...wallets);
};

beforeEach(() => clearWallets());

it('keeps details that arrive before the list', async () => {
  void refreshWallets();
  ferry.emit('wallet', detailed('a'));
  await answerList(wallet('a'), wallet('b'));
  expect(balances()).toEqual([150000000n, null]);
});

it('names the wallets that another program made since the last list', async () => {
  await list(wallet('a'));
  const names = readWalletNames();
  await answerList(wallet('a'), wallet('b'));
  expect(await names).toEqual(['a', 'b']);
});

it('keeps known details during a refresh', async () => {
  await list(wallet('a'));
  ferry.emit('wallet', detailed('a'));
  await list(wallet('a'));
  expect(balances()).toEqual([150000000n]);
  expect(useWallets.getState().wallets?.[0]?.pending).toBe(true);
});

it('drops the details of an unloaded wallet', async () => {
  await list(wallet('a'));
  ferry.emit('wallet', detailed('a'));
  await list(wallet('a', { loaded: false, pending: false }));
  expect(balances()).toEqual([null]);
});

it('shows an interrupted wallet as one until its file is read again', async () => {
  const half = wallet('a', { kind: 'descriptor', loaded: false });
  await list(half);
  ferry.emit('wallet', { ...half, kind: 'interrupted', pending: false });
  await list(half);
  expect(useWallets.getState().wallets).toMatchObject([{ kind: 'interrupted', pending: true }]);
  ferry.emit('wallet', { ...half, pending: false });
  expect(useWallets.getState().wallets).toMatchObject([{ kind: 'descriptor', pending: false }]);
});

it.each([true, false])(
  'keeps what identifies the keys until the file is read again: loaded %s',
  async (loaded) => {
    const closed = wallet('a', { loaded: false });
    const keys = { keysId: 'a'.repeat(64), keySources: 8, scriptsId: 'b'.repeat(64) };
    await list(closed);
    ferry.emit('wallet', { ...closed, ...keys, pending: false });
    await list(wallet('a', { loaded }));
    expect(useWallets.getState().wallets).toMatchObject([{ ...keys, pending: true }]);
  },
);

it('ignores the list of the earlier node', async () => {
  void refreshWallets();
  clearWallets();
  await answerList(wallet('a'));
  expect(useWallets.getState().wallets).toBeNull();
});

it('shows a load until the newest list has arrived', async () => {
  void changeWallet('load', 'a');
  await ferry.answer('wallets.load', { warnings: [] });
  await list(wallet('a', { loaded: false }));
  expect(useWallets.getState().changing.get('a')).toBe('load');
  await answerList(wallet('a'));
  expect(useWallets.getState()).toMatchObject({ changing: new Map(), wallets: [{ loaded: true }] });
});

it('ends a refresh with the node that it asked', async () => {
  const refreshed = refreshWallets();
  clearWallets();
  await answerList(wallet('a'));
  await expect(refreshed).resolves.toBeUndefined();
});

it('shows running loads, and keeps warnings until the user dismisses them', async () => {
  void changeWallet('load', 'a');
  expect(useWallets.getState().changing.get('a')).toBe('load');
  await ferry.answer('wallets.load', { warnings: ['as the node gave it'] });
  await answerList(wallet('a'));
  const { changing, outcomes } = useWallets.getState();
  expect(changing.size).toBe(0);
  expect(outcomes.get('a')).toEqual({ change: 'load', warnings: ['as the node gave it'] });
  dismissOutcome('a');
  expect(useWallets.getState().outcomes.size).toBe(0);
});

it('shows no warnings of a node that the app left while it read the list', async () => {
  void changeWallet('load', 'a');
  await ferry.answer('wallets.load', { warnings: ['of the other node'] });
  clearWallets();
  await answerList(wallet('a'));
  expect(useWallets.getState().outcomes.size).toBe(0);
});

it('dates the list by its request, because a slow answer may miss what happened meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  onTestFinished(() => void vi.useRealTimers());
  void refreshWallets();
  vi.setSystemTime(9000);
  await answerList(wallet('a'));
  expect(useWallets.getState().listedAt).toBe(1);
});

it('shows the first details at once, and later ones some at a time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await list(wallet('a'), wallet('b'));
  ferry.emit('wallet', detailed('a'));
  expect(balances()).toEqual([150000000n, null]);
  ferry.emit('wallet', detailed('b'));
  expect(balances()).toEqual([150000000n, null]);
  vi.advanceTimersByTime(100);
  expect(balances()).toEqual([150000000n, 150000000n]);
});

it('reads the list again while another client’s call works on a wallet, until the app leaves the node', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const busy = wallet('a', { kind: 'descriptor', loaded: false });
  await list(busy);
  ferry.emit('wallet', busy);
  vi.advanceTimersByTime(5000);
  expect(ferry.waiting('wallets.list')).toBe(1);
  await answerList(busy);
  ferry.emit('wallet', busy);
  clearWallets();
  vi.advanceTimersByTime(5000);
  expect(ferry.waiting('wallets.list')).toBe(0);
});

it('keeps the ticks of wallets until the app leaves their node, whose names another may have too', () => {
  selectWallets(['a', 'b'], true);
  selectWallets(['a'], false);
  expect([...useWallets.getState().selected]).toEqual(['b']);
  clearWallets();
  expect(useWallets.getState().selected.size).toBe(0);
});
