import { identityOf } from '../model/node.ts';
import type { Plan } from '../model/plan.ts';
import { sampleNodeStatus } from './sampleNodeStatus.ts';

/** A plan for tests: of a migration of the wallet `old`, with nothing to check or send. */
export function samplePlan(change: Partial<Plan> = {}, status = sampleNodeStatus()): Plan {
  const { label, local, offline, network, release } = status;
  return {
    id: 'one',
    action: 'migrate',
    kind: 'migrate',
    source: { by: 'wallet', name: change.wallet ?? 'old' },
    wallet: 'old',
    node: { identity: identityOf(status), label, local, offline, network, release },
    facts: { file: null, path: null, sha256: null, rescue: null, contents: null },
    checks: [],
    asks: [],
    elsewhere: null,
    sent: [],
    calls: [],
    makes: [],
    copies: [],
    ...change,
  };
}
