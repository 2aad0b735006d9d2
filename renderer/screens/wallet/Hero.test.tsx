import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { Job } from '../../../shared/model/job.ts';
import { formatBitcoin } from '../../../shared/model/money.ts';
import type { Connection, NodeStatus } from '../../../shared/model/node.ts';
import { NO_BACKUPS, walletBackups } from '../../../shared/model/walletBackups.ts';
import { sampleInspection, samplePreview } from '../../../shared/testing/sampleInspection.ts';
import { sampleJob, sampleProof } from '../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../../shared/testing/samplePlan.ts';
import { sampleWallet } from '../../../shared/testing/sampleWallet.ts';
import { formatDay } from '../../../shared/wording/format/formatTime.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';
import type { WalletPageState } from '../../state/useWalletPage.ts';

installFakeFerry();
const { amountOf, BalanceLine, balanceOverTime, Hero, pageTitle, verdictOf } = await import('./Hero.tsx');
const { hasWalletsOf } = await import('../../state/useWalletPage.ts');

const DAY = 86_400;
type Transaction = Inspection['transactions']['shown'][number];

/** Newest first, as an inspection lists them: day, received, spent. */
function inspected(
  confirmed: bigint,
  ...of: (readonly [day: number, received: bigint, spent: bigint, state?: string])[]
) {
  const transactions = of.map(([day, received, spent, state = 'confirmed']) => ({
    time: day * DAY,
    state,
    watched: { received: 0n, spent: 0n },
    spendable: { received, spent },
  })) as unknown as Transaction[];
  const { balance, keys } = sampleInspection();
  return sampleInspection({
    keys: { ...keys, plain: 1 },
    balance: { ...balance, spendable: { ...balance.spendable, confirmed } },
    transactions: { total: transactions.length, shown: transactions },
  });
}

describe('balanceOverTime', () => {
  it('counts back from the last known balance', () => {
    const inspection = inspected(70n, [3, 0n, 30n], [2, 60n, 0n], [1, 40n, 0n]);
    expect(balanceOverTime(inspection)).toEqual([
      { time: DAY, balance: 40n },
      { time: 2 * DAY, balance: 100n },
      { time: 3 * DAY, balance: 70n },
    ]);
  });

  it('skips what never counted, and what has no time', () => {
    const never = [
      [2, 60n, 0n, 'abandoned'],
      [2, 9n, 0n, 'conflicted'],
      [0, 5n, 0n],
    ] as const;
    const inspection = inspected(70n, [3, 0n, 30n], ...never, [1, 100n, 0n]);
    expect(balanceOverTime(inspection)).toEqual([
      { time: DAY, balance: 100n },
      { time: 3 * DAY, balance: 70n },
    ]);
  });

  it('follows what a watch-only wallet watches, and of another wallet what it can spend', () => {
    const watching = (keys: number) => {
      const { balance, keys: none } = sampleInspection();
      const watched = { received: 20n, spent: 0n };
      const transaction = { time: DAY, state: 'confirmed', watched, spendable: { received: 0n, spent: 0n } };
      const transactions = [{ ...transaction, time: 2 * DAY }, transaction] as unknown as Transaction[];
      return sampleInspection({
        keys: { ...none, plain: keys, watched: 1 },
        balance: { ...balance, watched: { ...balance.watched, confirmed: 40n } },
        transactions: { total: 2, shown: transactions },
      });
    };
    expect(balanceOverTime(watching(0)).map((point) => point.balance)).toEqual([20n, 40n]);
    expect(balanceOverTime(watching(1)).map((point) => point.balance)).toEqual([0n, 0n]);
  });

  it('counts payments that are in no block yet: the last known balance has them', () => {
    const inspection = inspected(10n, [2, 5n, 0n, 'unconfirmed'], [1, 5n, 0n]);
    expect(balanceOverTime(inspection).map(({ balance }) => balance)).toEqual([5n, 10n]);
  });

  it('never falls below zero where the list of transactions is cut', () => {
    const inspection = inspected(10n, [2, 5n, 0n], [1, 50n, 0n]);
    expect(balanceOverTime(inspection).map(({ balance }) => balance)).toEqual([5n, 10n]);
  });
});

const NOTHING = {
  ...{ job: null, wallet: null, node: null, facts: null, backups: NO_BACKUPS },
  ...{ draft: null, interruption: null, earlier: null, inspecting: { state: 'known' } },
};

describe('verdictOf', () => {
  const page = {
    ...NOTHING,
    inspection: sampleInspection({ keys: { ...sampleInspection().keys, plain: 1 } }),
  } as unknown as WalletPageState;
  const migration = sampleJob({ state: 'done', result: { kind: 'migrate' } as Job['result'] });
  const listed = { kind: 'legacy', problem: null } as WalletPageState['wallet'];

  it('believes the file of an interrupted wallet, not an older list of the node', () => {
    const left = { ...page, wallet: listed, inspection: sampleInspection({ incomplete: 'legacy-records' }) };
    expect(verdictOf(left, true)?.text).toContain('Interrupted');
    expect(verdictOf({ ...page, wallet: listed }, true)?.text).toContain('until it is migrated');
  });

  it('does not call a wallet safe that Bitcoin Core refuses, whatever its list says', () => {
    const migration = samplePreview({ hazards: ['chain-gap'] });
    const file = { kind: 'berkeley-db', refusals: [] } as const;
    const refused = sampleInspection({
      migration,
      file: { ...sampleInspection().file, format: file } as never,
    });
    expect(verdictOf({ ...page, wallet: listed, inspection: refused }, true)?.text).toContain('A rescue can');
    const draft = { plan: samplePlan({ checks: [] }) } as unknown as WalletPageState['draft'];
    expect(verdictOf({ ...page, wallet: listed, inspection: refused, draft }, true)?.due).toBe('migration');
    // What a node has loaded, it does not refuse.
    const loaded = { ...listed, loaded: true } as WalletPageState['wallet'];
    expect(verdictOf({ ...page, wallet: loaded, inspection: refused }, true)?.due).toBe('migration');
  });

  it('calls no file safe before all its keys are compared', () => {
    const inspecting = { state: 'looking', before: page.inspection } as const;
    expect(verdictOf({ ...page, inspecting }, true)).toBeNull();
  });

  it('calls no file safe whose start is no wallet’s', () => {
    const facts = { kind: 'other', fileKind: { code: 'unknown' }, name: 'wallet.dat', temporary: false };
    expect(verdictOf({ ...page, facts } as WalletPageState, true)?.text).toContain('refuses this file');
  });

  it('asks for no migration of a file that is already migrated', () => {
    expect(verdictOf(page, true)?.text).toContain('until it is migrated');
    const afterwards = (isEarlierListed: boolean) =>
      verdictOf({ ...page, earlier: migration, isEarlierListed }, true)?.text;
    expect(afterwards(true)).toBe('Safe. It is already migrated.');
    // The new wallet may be gone.
    expect(afterwards(false)).toBe('It is already migrated. Check the wallet list.');
  });

  it('finds the wallets of a migration only in the list of its node', () => {
    const node = { address: { host: '127.0.0.1', port: 8332, tls: false }, network: 'main' } as NodeStatus;
    const names = { walletName: 'w', watchonlyName: 'w_watchonly', solvablesName: null };
    const made = { ...migration, node, result: { ...migration.result, ...names } } as unknown as Job;
    const restored = { ...made, id: 'later', kind: 'restore', wallet: 'w' } as Job;
    const listed = (...all: string[]) => all.map((name) => sampleWallet({ name }));
    const both = listed('w', 'w_watchonly');
    const isSafe = (wallets: Parameters<typeof hasWalletsOf>[2], jobs = [made], at = node) =>
      hasWalletsOf(made, walletBackups(jobs, at), wallets);
    expect(isSafe(both)).toBe(true);
    expect(isSafe(listed('w'))).toBe(false);
    expect(isSafe(null)).toBe(false);
    expect(isSafe(both, [made], { ...node, network: 'signet' })).toBe(false);
    expect(isSafe(both, [restored, made])).toBe(false);
    for (const doubt of [{ pending: true }, { damagedFile: '/w' }, { kind: 'unknown' as const }])
      expect(isSafe(both.map((one) => ({ ...one, ...doubt })))).toBe(false);
  });

  it('does not call a migrated file safe if its migration lost something', () => {
    const proof = sampleProof('different');
    expect(verdictOf({ ...page, earlier: { ...migration, proof } }, true)?.text).toBe('Something differs.');
  });
});

describe('amountOf', () => {
  const hourAgo = Date.now() / 1000 - 3600;
  const notesOf = (change: Partial<NodeStatus>, since?: number, spendable: bigint | null = null) => {
    const node = sampleNodeStatus({ newestBlockTime: hourAgo, ...change });
    const wallet = sampleWallet({ balance: { spendable: 5n, watched: 0n, notYours: 0n }, spendable });
    const page = { wallet, node, inspection: null, facts: null, job: null, copied: null };
    const error = { code: 'cannot_connect', message: '', hint: '' } as const;
    const connection: Connection =
      since === undefined ? { state: 'connected', node } : { state: 'lost', node, error, since };
    return amountOf(page as unknown as WalletPageState, connection)?.notes;
  };

  it('says “now” only of a node that answers and has the newest blocks', () => {
    expect(notesOf({})).toEqual(['from your node, now']);
    const part = `${formatBitcoin(2n, 'main')} spendable`;
    expect(notesOf({}, undefined, 2n)).toEqual(['from your node, now', part]);
    const behind = ['last known', 'The node is still syncing.'];
    expect(notesOf({ blocks: 512_300 })).toEqual(behind);
    expect(notesOf({ newestBlockTime: hourAgo - 90_000 })).toEqual(behind);
    const monthAgo = hourAgo - 30 * DAY;
    expect(notesOf({ newestBlockTime: monthAgo }, monthAgo)).toEqual([
      `from your node, ${formatDay(monthAgo)}`,
    ]);
    expect(notesOf({ blocks: 512_300 }, hourAgo)).toEqual(['last known']);
    expect(notesOf({ offline: true, blocks: 512_300 })).toEqual(['last known']);
  });

  it('knows no amount of the engine without a transaction, and says what only watches', () => {
    const node = sampleNodeStatus({ offline: true });
    const wallet = sampleWallet({ balance: { spendable: 0n, watched: 0n, notYours: 0n }, transactions: 0 });
    const page = { wallet, node, inspection: null, facts: null, job: null, copied: null };
    expect(amountOf(page as unknown as WalletPageState, { state: 'none' })?.value).toBeNull();
    const split = { after: { spendable: 0n, watched: 3n, notYours: 0n } };
    const proof = { balance: { after: 3n, fileTime: null, split } } as unknown as Job['proof'];
    const done = { ...page, wallet: null, node: null, job: sampleJob({ state: 'done', proof }) };
    const [note] = amountOf(done as unknown as WalletPageState, { state: 'none' })?.notes ?? [];
    expect(note).toMatch(/ · watched only$/);
  });

  it('says nothing of the balance of an empty wallet', () => {
    const page = { wallet: null, node: null, facts: null, job: null, copied: null };
    const of = (change: Partial<Inspection>) =>
      amountOf({ ...page, inspection: sampleInspection(change) } as unknown as WalletPageState, {
        state: 'none',
      });
    const keys = { ...sampleInspection().keys, plain: 0, encrypted: 0 };
    expect(of({ keys })).toBeNull();
    expect(of({ keys: { ...keys, plain: 1 } })).toMatchObject({ value: null });
  });

  it('names the watched coins beside what a migration made spendable', () => {
    const split = { after: { spendable: 5n, watched: 3n, notYours: 0n } };
    const proof = { balance: { after: 8n, fileTime: null, split } } as unknown as Job['proof'];
    const job = sampleJob({ state: 'done', proof });
    const page = { wallet: null, node: null, inspection: null, facts: null, job, copied: null };
    const amount = amountOf(page as unknown as WalletPageState, { state: 'none' });
    expect(amount?.value?.replaceAll(/\s/g, ' ')).toBe('0.000 000 05 BTC');
    expect(amount?.notes[1]?.replaceAll(/\s/g, ' ')).toBe('plus 0.000 000 03 BTC you only watch');
  });
});

it('marks a file as watch-only that watches, and has no private key', () => {
  const { keys } = sampleInspection();
  const markup = (plain: number) => {
    const inspection = sampleInspection({ keys: { ...keys, plain, watched: 1 } });
    const route = { at: 'wallet', source: { by: 'file', path: '/w.dat' } };
    const page = { ...NOTHING, copied: null, route, inspection } as unknown as WalletPageState;
    return rendered(<Hero page={page} isBackedUp={null} />);
  };
  expect(markup(0)).toContain('Watch-only');
  expect(markup(1)).not.toContain('Watch-only');
});

describe('BalanceLine', () => {
  const markup = (inspection: Inspection) => renderToStaticMarkup(<BalanceLine inspection={inspection} />);

  it('is drawn from three changes on different days, with a name', () => {
    expect(markup(inspected(70n, [9, 0n, 30n], [5, 60n, 0n], [1, 40n, 0n]))).toContain(
      'aria-label="Balance from',
    );
    expect(markup(inspected(70n, [9, 30n, 0n], [1, 40n, 0n]))).toBe('');
    expect(markup(inspected(70n, [1, 0n, 30n], [1, 60n, 0n], [1, 40n, 0n]))).toBe('');
  });

  it('draws a balance of nothing, too', () => {
    expect(markup(inspected(0n, [9, 0n, 60n], [5, 60n, 0n], [1, 0n, 0n]))).not.toContain('NaN');
  });
});

describe('pageTitle', () => {
  const file = { by: 'file', path: '/old/wallet.dat' } as const;
  const facts = { name: 'wallet.dat', suggestedName: 'old', kind: 'legacy-wallet', temporary: false };
  const wallet = { by: 'wallet', name: 'w' } as const;
  const result = { kind: 'migrate', walletName: 'w' } as Job['result'];
  it.each([
    ['old', { route: { source: file }, facts, job: null }],
    ['wallet.dat', { route: { source: file }, facts: { ...facts, kind: 'other', suggestedName: '' } }],
    ['wallet.dat', { route: { source: file }, facts: { ...facts, suggestedName: 'old-wallet' } }],
    ['w', { route: { source: wallet } }],
    ['Unnamed wallet', { route: { source: { by: 'wallet', name: '' } } }],
    ['w', { route: { source: wallet }, job: sampleJob() }],
    ['w', { route: { source: file }, facts, job: sampleJob({ state: 'done', result }) }],
    ['w', { route: { source: file }, facts, draft: { action: 'undo', suggestedName: 'w' } }],
    ['w', { route: { source: file }, facts, job: sampleJob({ wallet: 'w', action: 'undo' }) }],
    ['old', { route: { source: file }, facts, job: sampleJob({ wallet: 'w', action: 'put-back' }) }],
  ])('is “%s”', (title, page) => {
    expect(pageTitle({ facts: null, job: null, ...page } as unknown as WalletPageState)).toBe(title);
  });
});
