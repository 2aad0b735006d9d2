import { beforeEach, expect, it } from 'vitest';
import type { Inspection } from '../../shared/model/inspection.ts';
import type { Job } from '../../shared/model/job.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import { sampleInspection } from '../../shared/testing/sampleInspection.ts';
import { sampleJob, sampleProof } from '../../shared/testing/sampleJob.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { forgetFile, markUnreadable, iconFor, iconOf, rememberFile, recheckFiles, useOpened } = await import(
  './openedStore.ts'
);

const paths = () => useOpened.getState().files.map(({ path }) => path);
beforeEach(() => useOpened.setState({ files: [] }));

it('lists the files that were opened, newest first, each once, but for one that became a wallet', () => {
  const opened = ['/a', '/b', '/a', '/c', '/d', '/e', '/f'];
  for (const path of opened) rememberFile({ path, title: path, inspection: null });
  expect(paths()).toEqual(['/f', '/e', '/d', '/c', '/b', '/a']);
  forgetFile('/c');
  expect(paths()).toEqual(['/f', '/e', '/d', '/b', '/a']);
});

it('keeps known facts of a file while it is read again', () => {
  rememberFile({ path: '/a', title: 'a', inspection: sampleInspection() });
  const [known] = useOpened.getState().files;
  expect(known?.icon).toBe('plain');
  rememberFile({ path: '/a', title: 'a', inspection: null });
  expect(useOpened.getState().files).toEqual([known]);
});

it('names the coin of another coin’s wallet, and no amount in bitcoin', () => {
  const of = { verdict: 'other', coins: ['Dash'], evidence: [], programs: ['Dash Core'] };
  const coin = of as unknown as Inspection['coin'];
  rememberFile({ path: '/a', title: 'a', inspection: sampleInspection({ coin }) });
  expect(useOpened.getState().files).toMatchObject([{ balance: 'Dash', icon: 'plain' }]);
});

it('says of a file that it cannot be read any more, until it can', () => {
  rememberFile({ path: '/a', title: 'a', inspection: sampleInspection() });
  const before = useOpened.getState().files;
  markUnreadable('/a');
  markUnreadable('/never opened');
  expect(useOpened.getState().files).toMatchObject([{ path: '/a', balance: 'Not readable', icon: 'read' }]);
  rememberFile({ path: '/a', title: 'a', inspection: sampleInspection() });
  expect(useOpened.getState().files).toEqual(before);
});

it('drops the balance of changed files, and marks those that are gone', async () => {
  const facts = {
    path: '/a',
    name: 'a',
    folder: '/',
    temporary: false,
    size: 3,
    modified: 5,
    kind: 'legacy-wallet',
    fileKind: { code: 'legacy_wallet' },
    network: null,
    truncated: false,
    suggestedName: 'a',
  };
  const see = async (answer: () => Promise<void>) => {
    recheckFiles(useOpened.getState().files);
    await answer();
    return useOpened.getState().files[0];
  };
  rememberFile({ path: '/a', title: 'a', inspection: sampleInspection(), facts: facts as never });
  const [known] = useOpened.getState().files;
  expect(await see(() => ferry.answer('files.inspect', facts))).toBe(known);
  expect(await see(() => ferry.answer('files.inspect', { ...facts, size: 4 }))).toMatchObject({
    balance: null,
    icon: null,
  });
  const missing = { code: 'file_missing', message: 'Missing.', hint: '' };
  expect(await see(() => ferry.refuse('files.inspect', missing))).toMatchObject({ balance: 'Not readable' });
  expect(await see(() => ferry.answer('files.inspect', facts))).toMatchObject({ balance: null, icon: null });
});

it('shows no balance of an incompletely migrated file', () => {
  rememberFile({ path: '/a', title: 'a', inspection: sampleInspection({ incomplete: 'legacy-records' }) });
  expect(useOpened.getState().files).toMatchObject([{ balance: 'Interrupted', icon: 'interrupted' }]);
});

it('shows no alarm for an incomplete file that is only kept', () => {
  const inspection = sampleInspection({ incomplete: 'legacy-records' });
  const found = { wallet: null, file: '/a', cause: 'legacy-records', copies: [] } as const;
  const interruption = { ...found, copies: [], restoredAs: 'b' };
  rememberFile({ path: '/a', title: 'a', inspection, interruption });
  expect(useOpened.getState().files).toMatchObject([{ balance: 'Kept, not in use', icon: 'plain' }]);
});

it('has nothing to do for a file that is already migrated, unless the migration lost something', () => {
  const result = { kind: 'migrate', walletName: 'w' } as Job['result'];
  const migrated = (verdict: 'same' | 'different') => {
    const earlier = sampleJob({ state: 'done', result, proof: sampleProof(verdict) });
    rememberFile({ path: '/a', title: 'a', inspection: sampleInspection(), earlier });
    return useOpened.getState().files[0]?.icon;
  };
  expect(migrated('same')).toBe('plain');
  expect(migrated('different')).toBe('danger');
});

it('marks what is left to do, also where the verdict is calm', () => {
  const text = '';
  expect(iconOf({ tone: 'plain', text, due: 'backup' }, false)).toBe('read');
  expect(iconOf({ tone: 'plain', text, due: 'migration' }, false)).toBe('legacy');
  expect(iconOf({ tone: 'plain', text }, false)).toBe('plain');
  expect(iconOf({ tone: 'read', text }, true)).toBe('interrupted');
});

it('marks a legacy wallet unless the node loads it', () => {
  const nodeOf = (loadsLegacy: boolean, offline = false) =>
    ({ release: { loadsLegacy }, offline }) as NodeStatus;
  expect(iconFor('legacy', null)).toBe('read');
  expect(iconFor('legacy', nodeOf(false))).toBe('read');
  expect(iconFor('legacy', nodeOf(true))).toBe('plain');
  // The offline engine loads it, which no current node does.
  expect(iconFor('legacy', nodeOf(true, true))).toBe('read');
});
