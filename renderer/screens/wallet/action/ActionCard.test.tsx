import { expect, it } from 'vitest';
import type { Plan } from '../../../../shared/model/plan.ts';
import type { Check } from '../../../../shared/model/safety.ts';
import { sampleInspection, samplePreview } from '../../../../shared/testing/sampleInspection.ts';
import { samplePlan } from '../../../../shared/testing/samplePlan.ts';
import { sampleWallet } from '../../../../shared/testing/sampleWallet.ts';
import { PASSPHRASE_LACKING } from '../../../../shared/wording/planWords.ts';
import type { Draft } from '../../../state/draftsStore.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { liveRegions, rendered, startWith } from '../../../state/testing/rendered.tsx';

installFakeFerry();
const { ActionCard } = await import('./ActionCard.tsx');
const { FileAction } = await import('./SuggestedAction.tsx');
const { useWallets } = await import('../../../state/walletsStore.ts');
const { useApp } = await import('../../../state/appStore.ts');
const { newDraft, useDrafts } = await import('../../../state/draftsStore.ts');

const stop: Check = { id: 'space', verdict: 'blocker', title: 'Disk full', text: [], todo: [] };
const taken: Check = { ...stop, id: 'name', title: 'The name is taken' };
const failed = { code: 'internal', message: 'No answer.', hint: '' } as const;

/** The markup of a card for a migration. `isStarting`: its button was pressed, and it connects first. */
function cardOf(change: Partial<Draft>, isStarting = false): string {
  const source = { by: 'wallet', name: 'old' } as const;
  const request = { action: 'migrate', source, answers: {} } as const;
  const draft = {
    ...newDraft(request, { isPlanning: false, batch: false, chosen: false, waits: 'no' }),
    ...change,
  };
  startWith(useApp, { connection: { state: 'none' } });
  startWith(useDrafts, { starting: isStarting ? [draft.key] : [] });
  return rendered(<ActionCard draft={draft} />);
}

/** How many live regions speak the text. */
const timesSpoken = (markup: string, text: string) =>
  liveRegions(markup).filter(({ inside }) => inside.includes(text)).length;

it.each([
  ['what stops a plan', { plan: samplePlan({ checks: [stop] }) }, 'Disk full'],
  [
    'a name that is taken',
    { plan: samplePlan({ asks: [{ ask: 'name', value: 'old', check: taken }] }) },
    'The name is taken',
  ],
  ['that the check runs', { isPlanning: true }, 'Checking…'],
] as const)('speaks %s once, and also describes the button with it', (_, change, text) => {
  const markup = cardOf(change);
  expect(timesSpoken(markup, text)).toBe(1);
  expect(markup.split(text).length - 1).toBeGreaterThanOrEqual(2);
});

it('promises a copy only where the app makes one, and an undo only of files on this computer', () => {
  const promisesOf = (change: Partial<Plan>) => {
    const markup = cardOf({ plan: samplePlan(change) });
    return ['Makes a copy first.', 'You can undo it.'].map((text) => markup.includes(text));
  };
  const { node } = samplePlan();
  const inFolder = (walletsFolder: string | null) => ({ identity: { ...node.identity, walletsFolder } });
  expect(promisesOf({ node: { ...node, ...inFolder('/w') } })).toEqual([true, true]);
  // Its container is on this computer, perhaps, but not its files.
  expect(promisesOf({ node: { ...node, local: true, ...inFolder(null) } })).toEqual([true, false]);
  expect(promisesOf({ asks: [{ ask: 'own-copy', value: true }] })).toEqual([false, false]);
});

it('is a rescue where only that can go on, and folds a long list of faults', () => {
  const format = { kind: 'berkeley-db', refusals: [] } as const;
  const contents = sampleInspection({
    migration: samplePreview({ hazards: ['chain-gap'] }),
    file: { ...sampleInspection().file, format } as never,
  });
  const faults: Check = {
    ...stop,
    id: 'obstacles',
    text: ['A', 'B', 'C', 'D', 'E'].map((one) => `Fault ${one}.`),
  };
  const { facts } = samplePlan();
  const warning: Check = { ...stop, id: 'syncing', verdict: 'warning', title: 'Still syncing' };
  const markup = cardOf({
    plan: samplePlan({ checks: [faults, warning], facts: { ...facts, path: '/w', contents } }),
  });
  expect(markup).toContain('Rescue this wallet');
  expect(markup).toContain('Makes a new wallet from what is intact. Your file is only read.');
  expect(markup).not.toMatch(/>Migrate|Fault D|Still syncing/);
  expect(markup).toMatch(/Fault C\..*2 more/);
  const elsewhere = cardOf({
    plan: samplePlan({
      checks: [faults],
      facts: { ...facts, path: '/w', contents },
      elsewhere: 'this-file',
    }),
  });
  expect(elsewhere).toContain('Work without a node');
  expect(elsewhere).not.toContain('Rescue this wallet');
});

it('says that the check runs also while it starts, when nothing else says so', () => {
  expect(timesSpoken(cardOf({ isPlanning: true }, true), 'Checking…')).toBe(1);
});

it.each([
  ['a', 1, 'Copy of “savings”'],
  ['b', 1, null],
  // Both have the same descriptors.
  ['a', 0, null],
] as const)('says of a file whether a wallet of the node has its keys: %s, %i', (keysId, plain, text) => {
  startWith(useWallets, { wallets: [sampleWallet({ name: 'savings', keysId })] });
  const route = { at: 'wallet', source: { by: 'file', path: '/backup.dat' } } as const;
  const keys = { ...sampleInspection().keys, plain, encrypted: 0 };
  const inspection = sampleInspection({ keysId: 'a', keys });
  const page = { route, facts: null, inspection, draft: null };
  const markup = rendered(<FileAction page={page as never} />);
  if (text) expect(markup).toContain(text);
  else expect(markup).not.toContain('savings');
  // A file that a program has open must first be closed.
  const open = { ...page, inspection: { ...inspection, isOpen: true } };
  expect(rendered(<FileAction page={open as never} />)).not.toMatch(/savings|Searching|<form/);
});

it('speaks of a failed check once', () => {
  const markup = cardOf({ error: failed });
  expect(timesSpoken(markup, 'No answer.')).toBe(1);
  expect(timesSpoken(markup, 'Not checked.') + timesSpoken(markup, 'No node yet')).toBe(0);
  expect(timesSpoken(cardOf({}), 'No node yet')).toBe(1);
});

it('leaves it to the field to ask for a passphrase', () => {
  const markup = cardOf({ waits: 'passphrase' });
  expect(markup).toContain(PASSPHRASE_LACKING);
  expect(timesSpoken(markup, PASSPHRASE_LACKING)).toBe(0);
});
