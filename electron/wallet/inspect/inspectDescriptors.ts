/** The part of an inspection that only descriptor wallets have. */
import type { FileProblem, InspectedDescriptor } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { listed } from '../bytes/shown.ts';
import { problemOf } from '../database/problemLog.ts';
import { isRanged } from '../descriptor/descriptor.ts';
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
import type { RecordsByType } from '../record/recordsByType.ts';
import { flagsOf, hasFlag } from '../record/walletFlags.ts';
import type { InspectedPart } from './inspectLegacy.ts';

/** `network` is the one whose keys the descriptors hold. */
export async function inspectDescriptors(records: RecordsByType, network: Network): Promise<InspectedPart> {
  const descriptors = storedDescriptors(records, network);
  const watchOnly = hasFlag(flagsOf(records), 'disable_private_keys');
  const derived = mayBePaid(descriptors, records.of('tx'), MOST_INDEXES);
  const inspected = descriptors.map(inspectedDescriptor);
  inspected.sort((a, b) => ((a.text ?? '') < (b.text ?? '') ? -1 : 1));
  const ownership = await descriptorOwnership(derived, { privateKeys: !watchOnly });
  return {
    keys: descriptorKeyCounts(records, descriptors, watchOnly),
    hdChains: { total: 0, shown: [] },
    descriptors: listed(inspected, (descriptor) => descriptor),
    scripts: { total: 0, shown: [] },
    history: lastKnownBalance(records, ownership),
    migration: null,
    problems: [...problemsOf(descriptors), ...problemsOfScripts(ownership)],
  };
}

function problemsOf(descriptors: readonly StoredDescriptor[]): FileProblem[] {
  const all = descriptors.length;
  const count = (as: StoredDescriptor['read']['as']) =>
    descriptors.filter(({ read }) => read.as === as).length;
  const [damaged, unsupported] = [count('damaged'), count('unsupported')];
  const problems: FileProblem[] = [];
  if (damaged > 0) {
    const text = say(
      '{damaged, number} of {all, plural, one {# descriptor} other {# descriptors}} cannot be read.',
      { damaged, all },
    );
    problems.push(problemOf(text, 'lost'));
  }
  if (unsupported > 0) {
    const text = say(
      'The balance lacks {count, plural, one {# descriptor} other {# descriptors}} with Miniscript, musig() or a script tree.',
      { count: unsupported },
    );
    problems.push(problemOf(text, 'whole'));
  }
  return problems;
}

function problemsOfScripts({ tooMany, underivable }: LeftOut): FileProblem[] {
  const problems: FileProblem[] = [];
  if (tooMany > 0) {
    const text = say(
      '{count, plural, one {# address was} other {# addresses were}} left out: the balance lacks them.',
      { count: tooMany },
    );
    problems.push(problemOf(text, 'whole'));
  }
  if (underivable > 0) {
    const text = say(
      '{count, plural, one {# address needs} other {# addresses need}} a private key: the balance lacks them.',
      { count: underivable },
    );
    problems.push(problemOf(text, 'whole'));
  }
  return problems;
}

export function inspectedDescriptor(stored: StoredDescriptor): InspectedDescriptor {
  const { record, active, read } = stored;
  const text = publicText(stored);
  const ranged = read.as === 'read' ? isRanged(read.descriptor) : record.rangeEnd > record.rangeStart + 1;
  return {
    text: text !== null && text.length > LONGEST_TEXT ? null : text,
    active: active !== null,
    internal: active?.internal ?? null,
    addressType: active?.addressType ?? null,
    range: ranged ? [record.rangeStart, record.rangeEnd - 1] : null,
    next: ranged ? record.nextIndex : null,
    form: formOf(stored),
    created: record.createTime,
  };
}

function formOf({ record, read }: StoredDescriptor): InspectedDescriptor['form'] {
  if (read.as === 'read') return read.descriptor.script.kind === 'unused' ? 'key-only' : null;
  if (read.as === 'damaged') return null;
  if (record.descriptor.includes('musig(')) return 'musig';
  return record.descriptor.startsWith('tr(') ? 'script-tree' : 'miniscript';
}

/** No script of more than 10,000 bytes can be paid to and spent: a longer text was made to fill the screen. */
const LONGEST_TEXT = 40_000;

/** Null for what is damaged, and for a text that may have a private key in it. */
function publicText({ record, read, sources }: StoredDescriptor): string | null {
  if (read.as === 'damaged') return null;
  if (read.as === 'unsupported') return MAYBE_PRIVATE.test(record.descriptor) ? null : record.descriptor;
  try {
    return writeNormalised(read.descriptor, sources(null));
  } catch {
    // The node after the last hardened step is neither cached nor to be derived without the passphrase.
    return writePublic(read.descriptor);
  }
}

/** Extended private keys, and what is as long as a private key in the import format. */
const MAYBE_PRIVATE = /[a-z]prv|(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{51,52}(?![1-9A-HJ-NP-Za-km-z])/;
