/** What a legacy wallet's keys and scripts become: the descriptors of one, two or three wallets. */
import type { Network } from '../../shared/model.ts';
import { byteText } from './byteText.ts';
import { type ChainBranch, chainDescriptors } from './chainDescriptors.ts';
import { keyDescriptor } from './keyDescriptors.ts';
import { legacyScripts } from './legacyScripts.ts';
import { FLAGS, type LegacyWallet } from './legacyWallet.ts';
import type { MasterKey } from './masterOfSeed.ts';
import type { OwnKey, OwnKeys } from './ownKeys.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';
import { scriptDescriptors } from './scriptDescriptors.ts';

/** Which of the new wallets. */
export const places = ['primary', 'watchonly', 'solvables'] as const;
export type Place = (typeof places)[number];

export interface MigrationPlan {
  /** One for each key outside of chains, and one for each script of the main wallet that is more than a key. */
  primary: PlannedDescriptor[];
  branches: ChainBranch[];
  watchonly: PlannedDescriptor[];
  solvables: PlannedDescriptor[];
  /** The root of the chain in use, null where there is none. */
  master: MasterKey | null;
  /** Scripts that no descriptor can be made of, and watched ones that no one can spend. */
  leftOut: Uint8Array[];
  placeOf(script: Uint8Array): Place | null;
}

/** Source: `MigrateToDescriptor` in `scriptpubkeyman.cpp`. Throws AppError as what it is made of does. */
export function planMigration(
  legacy: LegacyWallet,
  keys: OwnKeys,
  masterKey: Uint8Array | null,
  network: Network,
): MigrationPlan {
  const chains = chainDescriptors(legacy, keys, masterKey, network);
  const covered = new Set<OwnKey>(chains.branches.flatMap(({ ownKeys }) => [...ownKeys.keys()]));
  const singles = keys.all.filter((key) => !chains.isOfChain(key));
  for (const key of singles) {
    // Plain keys were proved by their checksum.
    if (key.held.kind === 'encrypted') keys.secretOf(key).fill(0);
    covered.add(key);
  }
  const plan: MigrationPlan = {
    primary: singles.map(keyDescriptor),
    branches: chains.branches,
    watchonly: [],
    solvables: [],
    master: chains.master,
    leftOut: [],
    placeOf: () => null,
  };
  const byScript = new Map<string, Place>();
  if (covered.size < keys.all.length || legacy.scripts.length > 0 || legacy.watched.length > 0) {
    planScripts(plan, byScript, covered, { legacy, keys, network });
  }
  plan.placeOf = (script) => {
    const own = keys.ofScript(script);
    if (own && covered.has(own)) return 'primary';
    return byScript.get(byteText(script)) ?? null;
  };
  return plan;
}

/** Scripts that single keys and chains do not make by themselves. */
function planScripts(
  plan: MigrationPlan,
  byScript: Map<string, Place>,
  covered: ReadonlySet<OwnKey>,
  { legacy, keys, network }: { legacy: LegacyWallet; keys: OwnKeys; network: Network },
): void {
  const { scripts: given, watched } = legacy;
  const scripts = legacyScripts({ ownKeys: keys.all.map(({ publicKey }) => publicKey), scripts: given, watched });
  const describe = scriptDescriptors(legacy, keys, scripts, network);
  const watchesOnly = (legacy.flags & FLAGS.disablePrivateKeys) !== 0n;
  const put = (place: Place, script: Uint8Array, planned: PlannedDescriptor) => {
    plan[place].push(planned);
    byScript.set(byteText(script), place);
  };
  for (const script of scripts.mine.values()) {
    const own = keys.ofScript(script);
    if (own && covered.has(own)) continue;
    const described = describe(script);
    if (!described) plan.leftOut.push(script);
    else put(described.hasAllKeys || watchesOnly ? 'primary' : 'watchonly', script, described.planned);
  }
  for (const script of scripts.solvable.values()) {
    const described = describe(script);
    if (described?.solvable) put('solvables', script, described.planned);
  }
  plan.leftOut.push(...scripts.notMine.values());
}
