/** Which descriptors can have been paid at all, told by the kinds of outputs alone: a cheap look before dear work. */
import { AppError } from '../../../shared/errors.ts';
import type { Of } from '../record/recordsByType.ts';
import { type OutputScript, readOutputScript } from '../script/script.ts';
import type { Descriptor, ScriptExpression } from './descriptor.ts';
import { expander } from './descriptorExpand.ts';
import { needsPrivateKeys } from './keyByKey.ts';
import type { StoredDescriptor } from './storedDescriptors.ts';

/**
 * Leaves out the descriptors whose every script is of a kind that no output of the transactions has. Of a usual wallet,
 * which keeps four kinds ready, this is most of them. Those of which an inspection has more to tell stay: the ones that
 * cannot be read or derived, and all of them where their ranges are longer together than `most` indexes. Without a
 * transaction, none is left.
 */
export function mayBePaid(
  descriptors: readonly StoredDescriptor[],
  transactions: readonly Of<'tx'>[],
  most: number,
): readonly StoredDescriptor[] {
  if (transactions.length === 0) return [];
  const indexes = descriptors.reduce((sum, { record }) => sum + record.rangeEnd - record.rangeStart, 0);
  if (indexes > most) return descriptors;
  const paid = new Set<OutputScript['kind']>();
  for (const { transaction } of transactions) {
    for (const { scriptPubKey } of transaction.outputs) paid.add(readOutputScript(scriptPubKey).kind);
  }
  return descriptors.filter((stored) => {
    if (stored.read.as !== 'read') return true;
    const { descriptor } = stored.read;
    const kind = onlyKindOf(descriptor.script);
    return kind === null || paid.has(kind) || !isDerivable(stored, descriptor);
  });
}

/** Whether all its scripts can be worked out with what is open in the file. */
function isDerivable(stored: StoredDescriptor, descriptor: Descriptor): boolean {
  if (needsPrivateKeys(descriptor)) return false;
  try {
    expander(descriptor, stored.sources(null))(Math.max(0, stored.record.rangeStart));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Null: more than one, or it depends. */
function onlyKindOf({ kind }: ScriptExpression): OutputScript['kind'] | null {
  switch (kind) {
    case 'pkh':
      return 'p2pkh';
    case 'wpkh':
      return 'p2wpkh';
    case 'sh':
      return 'p2sh';
    case 'wsh':
      return 'p2wsh';
    case 'tr':
    case 'rawtr':
      return 'p2tr';
    default:
      return null;
  }
}
