/** The part of an inspection that only descriptor wallets have. */
import type { FileProblem } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { descriptorOwnership, MOST_INDEXES } from '../descriptor/descriptorScripts.ts';
import { mayBePaid } from '../descriptor/mayBePaid.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { descriptorKeyCounts } from '../legacy/keyCounts.ts';
import { lastKnownBalance } from '../legacy/lastKnownBalance.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { hasFlag } from '../record/walletFlags.ts';
import { inspectedDescriptors } from './inspectedDescriptor.ts';
import type { InspectedPart } from './inspectLegacy.ts';

/** `network` is the one whose keys the descriptors hold. Throws `cancelled` when the signal says so. */
export async function inspectDescriptors(
  records: RecordsByType,
  network: Network,
  signal?: AbortSignal,
): Promise<InspectedPart> {
  const descriptors = storedDescriptors(records, network);
  const watchOnly = hasFlag(records.one('flags')?.flags ?? 0n, 'disable_private_keys');
  const derived = mayBePaid(descriptors, records.of('tx'), MOST_INDEXES);
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
      '{damaged, number} of {all, plural, one {# descriptor} other {# descriptors}} cannot be read: damaged, or of another network.',
      { damaged, all: descriptors.length },
    );
    problems.push({ page: null, text, lost: true });
  }
  if (unsupported > 0) {
    const text = say(
      '{unsupported, plural, one {# of {all, number} descriptors is} other {# of {all, number} descriptors are}} of a kind that a node can use and that is not read here. Amounts on their addresses are missing from the balance.',
      { unsupported, all: descriptors.length },
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
      'The descriptors’ ranges are too long to look at all of them: {count, plural, one {# address was} other {# addresses were}} left out, and amounts on them are missing from the balance.',
      { count: tooMany },
    );
    problems.push({ page: null, text, lost: false });
  }
  if (underivable > 0) {
    const text = say(
      '{count, plural, one {# address needs} other {# addresses need}} a private key to be known that cannot be read here. Amounts on them are missing from the balance.',
      { count: underivable },
    );
    problems.push({ page: null, text, lost: false });
  }
  return problems;
}
