/** No plan restores or migrates a wallet of another coin, and a plan for an unknown coin asks first. */
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { InspectedCoin } from '../../../shared/model/network.ts';
import type { Answers, Plan } from '../../../shared/model/plan.ts';
import { blockerText } from '../../../shared/wording/planWords.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import {
  foreignNote,
  hasForeignWallets,
  oldWallet,
  oldWallets,
} from '../../walletfile/testing/foreignWallets.ts';
import { migrationFacts, readResult, restoreFacts } from '../testing/testFacts.ts';
import { buildPlan } from './buildPlan.ts';
import type { PlanFacts } from './checkFacts.ts';

const subject = { id: 'one', action: 'restore', source: { by: 'file', path: '/w.dat' } } as const;

/** The plan of each kind of job for a wallet with this in it. */
function plansOf(fields: Partial<Inspection>, answers: Answers = {}): Plan[] {
  const fileInspection = readResult(fields);
  const { file } = restoreFacts();
  const restored = restoreFacts({ fileInspection, file: file && { ...file, kind: 'legacy-wallet' } });
  const ways: PlanFacts[] = [
    { kind: 'migrate', ...migrationFacts({ fileInspection }) },
    { kind: 'restore', ...restored },
    { kind: 'restore-migrate', ...restored, unnamed: null },
  ];
  return ways.map((facts) => buildPlan(subject, facts, answers, null).plan);
}

const coinOfPlan = ({ checks }: Plan) => checks.find(({ id }) => id === 'coin');

describe('a plan', () => {
  const dash: InspectedCoin = {
    verdict: 'other',
    coins: ['Dash'],
    programs: ['Dash Core'],
    evidence: [{ by: 'genesis-block', coins: ['Dash'] }],
  };
  const unclear: InspectedCoin = {
    verdict: 'ambiguous',
    coins: ['Bitcoin', 'Bitcoin Gold'],
    programs: [],
    evidence: [
      { by: 'genesis-block', coins: ['Bitcoin'] },
      // Two kinds of addresses: said once.
      { by: 'addresses', coins: ['Bitcoin Gold'] },
      { by: 'addresses', coins: ['Bitcoin Gold'] },
    ],
  };

  it('blocks another coin, and says which and what opens it', () => {
    for (const plan of plansOf({ coin: dash }, { bitcoinKeys: true })) {
      expect(coinOfPlan(plan)).toMatchObject({
        verdict: 'blocker',
        title: 'It holds Dash, not bitcoin',
        text: ['First block: Dash.'],
        todo: ['Open it in Dash Core.'],
      });
      expect(plan.asks.map(({ ask }) => ask)).not.toContain('bitcoin-keys');
      expect(blockerText(plan, true)).not.toBeNull();
      expect(plan.elsewhere).toBeNull();
    }
  });

  it('shows the evidence if several coins are possible, and asks', () => {
    const text = ['First block: Bitcoin.', 'Addresses: Bitcoin Gold.'];
    for (const plan of plansOf({ coin: unclear })) {
      expect(coinOfPlan(plan)).toMatchObject({ verdict: 'warning', text });
      expect(plan.asks).toContainEqual({ ask: 'bitcoin-keys', value: false });
      expect(blockerText({ ...plan, checks: [] }, true)).toBe('Confirm that its keys are Bitcoin’s.');
    }
    for (const plan of plansOf({ coin: unclear }, { bitcoinKeys: true })) {
      expect(coinOfPlan(plan)?.verdict).toBe('warning');
      expect(blockerText({ ...plan, checks: [] }, true)).toBeNull();
    }
  });

  it('never calls an unknown coin or network fine', () => {
    const network = { name: 'unknown', from: 'nothing', candidates: [] } as const;
    const coin: InspectedCoin = { verdict: 'unknown', coins: [], programs: [], evidence: [] };
    for (const plan of plansOf({ coin, network })) {
      const verdicts = plan.checks.filter(({ id }) => id === 'coin' || id === 'network');
      expect(verdicts.map(({ verdict }) => verdict)).not.toContain('fine');
      expect(coinOfPlan(plan)?.text).toEqual(['The file does not say.']);
      expect(plan.asks).toContainEqual({ ask: 'bitcoin-keys', value: false });
    }
  });

  it('asks nothing for a Bitcoin wallet', () => {
    for (const plan of plansOf({})) {
      expect(coinOfPlan(plan)?.verdict).toBe('fine');
      expect(plan.asks.map(({ ask }) => ask)).not.toContain('bitcoin-keys');
    }
  });
});

describe.runIf(hasForeignWallets)(`plans for wallets that others made${foreignNote}`, () => {
  it.each(oldWallets)('$name', async ({ name, isBitcoin }) => {
    const inspection = await inspect(oldWallet(name));
    for (const plan of plansOf(inspection)) {
      const check = coinOfPlan(plan);
      expect(check?.verdict).toBe(isBitcoin ? 'fine' : 'blocker');
      const coin = name.split('-', 1)[0] ?? '';
      if (!isBitcoin) expect(check?.title.toLowerCase()).toContain(coin);
    }
  });
});
