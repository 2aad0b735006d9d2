/** The part of an inspection that only descriptor wallets have. */

import type { FileProblem } from '../../shared/inspection.ts';
import type { Network } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';
import { descriptorOwnership } from './descriptorOwnership.ts';
import { inspectedDescriptors } from './inspectedDescriptor.ts';
import type { InspectedPart } from './inspectedPart.ts';
import { descriptorKeyCounts } from './keyCounts.ts';
import { lastKnownBalance } from './lastKnownBalance.ts';
import type { RecordsByType } from './recordsByType.ts';
import { type StoredDescriptor, storedDescriptors } from './storedDescriptors.ts';
import { walletFlags } from './walletFlags.ts';

/** `network` is the one whose keys the descriptors hold. Throws `cancelled` when the signal says so. */
export async function inspectDescriptors(
  records: RecordsByType,
  network: Network,
  signal?: AbortSignal,
): Promise<InspectedPart> {
  const descriptors = storedDescriptors(records, network);
  const watchOnly = walletFlags(records.one('flags')?.flags ?? 0n).includes('disable_private_keys');
  // Without a transaction there is nothing to be whose, and the scripts need not be worked out.
  const derived = records.of('tx').length > 0 ? descriptors : [];
  const ownership = await descriptorOwnership(derived, { privateKeys: !watchOnly, signal });
  return {
    keys: descriptorKeyCounts(records, descriptors, watchOnly),
    hdChains: { total: 0, shown: [] },
    descriptors: inspectedDescriptors(descriptors),
    scripts: { total: 0, shown: [] },
    history: lastKnownBalance(records, ownership),
    migration: null,
    problems: [...problemsOf(descriptors), ...problemsOfScripts(ownership)],
  };
}

function problemsOf(descriptors: readonly StoredDescriptor[]): FileProblem[] {
  const count = (as: StoredDescriptor['read']['as']) =>
    descriptors.filter(({ read }) => read.as === as).length;
  const [damaged, unsupported] = [count('damaged'), count('unsupported')];
  const problems: FileProblem[] = [];
  if (damaged > 0) {
    const text = say(
      '{damaged} of {descriptors} descriptors cannot be read: damaged, or of another network.',
      { damaged, descriptors: descriptors.length },
    );
    problems.push({ page: null, text, lost: true });
  }
  if (unsupported > 0) {
    const text = say(
      '{unsupported} of {descriptors} descriptors are of a kind that a node can use and that is not read here. Amounts on their addresses are missing from the balance.',
      { unsupported, descriptors: descriptors.length },
    );
    problems.push({ page: null, text, lost: false });
  }
  return problems;
}

function problemsOfScripts({
  tooMany,
  underivable,
}: {
  tooMany: number;
  underivable: number;
}): FileProblem[] {
  const problems: FileProblem[] = [];
  if (tooMany > 0) {
    const text = say(
      'The descriptors’ ranges are too long to look at all of them: {tooMany} addresses were left out, and amounts on them are missing from the balance.',
      { tooMany },
    );
    problems.push({ page: null, text, lost: false });
  }
  if (underivable > 0) {
    const text = say(
      '{underivable} addresses need a private key to be known that cannot be read here. Amounts on them are missing from the balance.',
      { underivable },
    );
    problems.push({ page: null, text, lost: false });
  }
  return problems;
}
