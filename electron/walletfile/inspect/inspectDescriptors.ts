/** The part of an inspection that only descriptor wallets have. */
import type { FileProblem, InspectedDescriptor } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { listOf } from '../bytes/lists.ts';
import { problemOf } from '../database/problemLog.ts';
import { formOf, isRanged } from '../descriptor/descriptor.ts';
import {
  descriptorOwnership,
  type LeftOut,
  MOST_INDEXES,
  mayBePaid,
} from '../descriptor/descriptorScripts.ts';
import { writeNormalised, writePublic } from '../descriptor/descriptorWrite.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { descriptorKeyCounts } from '../legacy/keyCounts.ts';
import { lastKnownBalance } from '../legacy/storedHistory.ts';
import type { RecordsByType } from '../records/records.ts';
import { flagsOf, hasFlag } from '../records/walletFlags.ts';
import { NO_KEYS } from './inspectionProblems.ts';
import type { InspectedPart } from './inspectLegacy.ts';

/** `network`: the network of the descriptors' keys. `told`: the network that the file names, or null. */
export async function inspectDescriptors(
  records: RecordsByType,
  network: Network,
  fileNetwork: Network | null,
): Promise<InspectedPart> {
  const descriptors = storedDescriptors(records, network);
  const watchOnly = hasFlag(flagsOf(records), 'disable_private_keys');
  const derived = mayBePaid(descriptors, records.of('tx'), MOST_INDEXES);
  const inspected = descriptors.map(inspectedDescriptor);
  inspected.sort((a, b) => ((a.text ?? '') < (b.text ?? '') ? -1 : 1));
  // A node accepts no public descriptor in a wallet with private keys.
  const keyless = !watchOnly && descriptors.length > 0 && descriptors.every(({ keys }) => keys.length === 0);
  const ownership = await descriptorOwnership(derived, { privateKeys: !watchOnly && !keyless });
  return {
    keys: descriptorKeyCounts(records, descriptors, watchOnly),
    hdChains: { total: 0, shown: [] },
    descriptors: listOf(inspected, (descriptor) => descriptor),
    scripts: { total: 0, shown: [] },
    history: lastKnownBalance(records, ownership, fileNetwork),
    migration: null,
    conditions: [],
    problems: [...(keyless ? [NO_KEYS] : []), ...problemsOf(descriptors, ownership)],
  };
}

function problemsOf(
  descriptors: readonly StoredDescriptor[],
  { tooMany, underivable }: LeftOut,
): FileProblem[] {
  const all = descriptors.length;
  const damaged = descriptors.filter(({ descriptor }) => !descriptor).length;
  const found = [
    damaged > 0 && problemOf({ code: 'descriptors_unreadable', damaged, all }, 'lost'),
    tooMany > 0 && problemOf({ code: 'balance_lacks_addresses', count: tooMany }, 'whole'),
    underivable > 0 && problemOf({ code: 'balance_lacks_hardened_addresses', count: underivable }, 'whole'),
  ];
  return found.filter((problem) => problem !== false);
}

export function inspectedDescriptor(stored: StoredDescriptor): InspectedDescriptor {
  const { record, active, descriptor } = stored;
  const text = publicText(stored);
  const ranged = descriptor ? isRanged(descriptor) : record.rangeEnd > record.rangeStart + 1;
  return {
    text: text !== null && text.length > LONGEST_TEXT ? null : text,
    active: active !== null,
    internal: active?.internal ?? null,
    addressType: active?.addressType ?? null,
    range: ranged ? [record.rangeStart, record.rangeEnd - 1] : null,
    next: ranged ? record.nextIndex : null,
    form: descriptor && formOf(descriptor),
    created: record.createTime,
  };
}

/** A script over 10,000 bytes can never be spent, so a longer text only exists to fill the screen. */
const LONGEST_TEXT = 40_000;

/** Null for a damaged descriptor. */
function publicText({ descriptor, sources }: StoredDescriptor): string | null {
  if (!descriptor) return null;
  try {
    return writeNormalised(descriptor, sources(null));
  } catch {
    // The node after the last hardened step is not cached, and deriving it needs the passphrase.
    return writePublic(descriptor);
  }
}
