import { expect, it } from 'vitest';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import { sampleInspection } from '../../../../shared/testing/sampleInspection.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../../../shared/testing/sampleWallet.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { rendered } from '../../../state/testing/rendered.tsx';
import type { WalletPageState } from '../../../state/useWalletPage.ts';

installFakeFerry();
const { Overview } = await import('./WalletTabs.tsx');
const { newDraft } = await import('../../../state/draftsStore.ts');

const source = { by: 'wallet', name: 'w' } as const;
const inspection = sampleInspection({ encryption: { secondsPerTry: 1 } as never });

/** Whether the tab asks for the passphrase itself. */
function asks(page: Partial<WalletPageState>, of: Inspection = inspection): boolean {
  const state = {
    route: { at: 'wallet', source },
    facts: null,
    job: null,
    draft: null,
    wallet: null,
    node: sampleNodeStatus(),
    ...page,
  } as WalletPageState;
  const markup = rendered(<Overview page={state} inspection={of} />);
  return markup.includes('Try the passphrase');
}

it('has a field for the passphrase where the action’s card has none', () => {
  expect(asks({ wallet: sampleWallet({ kind: 'descriptor' }) })).toBe(true);
  expect(asks({ wallet: null })).toBe(false);
  const wallet = sampleWallet({ kind: 'legacy' });
  expect(asks({ wallet })).toBe(false);
  const look = { isPlanning: true, batch: false, chosen: false, waits: 'no' } as const;
  const draft = newDraft({ action: 'migrate', source }, look);
  expect(asks({ wallet, draft })).toBe(false);
  expect(asks({ wallet, draft: { ...draft, isPlanning: false, waits: 'passphrase' } })).toBe(false);
  expect(asks({ wallet, draft: { ...draft, isPlanning: false, waits: 'start' } })).toBe(true);
  const rescue = newDraft({ action: 'rescue', source }, { ...look, isPlanning: false, waits: 'start' });
  expect(asks({ wallet, draft: rescue })).toBe(false);
  const planned = (...asks: object[]) => ({ ...draft, isPlanning: false, plan: { asks } as never });
  expect(asks({ wallet, draft: planned({ ask: 'passphrase' }) })).toBe(false);
  expect(asks({ wallet, draft: planned() })).toBe(true);
});

it('does not ask for the passphrase of a file in which nothing can be read', () => {
  const problems = [{ page: 1, finding: { code: 'file_changed' }, lost: true }] as const;
  expect(asks({ wallet: sampleWallet() }, { ...inspection, problems: [...problems] })).toBe(false);
});
