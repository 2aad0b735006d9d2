/** Which scripts are a descriptor wallet's own: all that its descriptors give over their ranges. */
import { setImmediate } from 'node:timers/promises';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../shared/errors.ts';
import { isRanged } from './descriptor.ts';
import { type Expansion, expander } from './descriptorExpand.ts';
import type { Ownership } from './ownership.ts';
import type { StoredDescriptor } from './storedDescriptors.ts';

export interface DescriptorOwnership extends Ownership {
  /** Indexes that were left out: because they are too many, or because they need a key that is not there. */
  tooMany: number;
  underivable: number;
}

/** A wallet of our days has 8,000 indexes, half a second's work. A damaged file can claim two thousand million. */
const MOST_INDEXES = 100_000;
/** Milliseconds of work between two turns of the event loop. */
const TURN = 20;

/** `privateKeys: false`: the wallet is for watching only, and so are all its scripts. */
export async function descriptorOwnership(
  descriptors: readonly StoredDescriptor[],
  { privateKeys, signal }: { privateKeys: boolean; signal?: AbortSignal | undefined },
): Promise<DescriptorOwnership> {
  const owned = new Set<string>();
  const left = { tooMany: 0, underivable: 0 };
  let since = performance.now();
  for (const { expandAt, first, end, skipped } of spansOf(descriptors)) {
    left.tooMany += skipped;
    for (let index = first; index < end; index += 1) {
      const expansion = expansionAt(expandAt, index);
      if (!expansion) left.underivable += 1;
      for (const script of expansion?.scripts ?? []) owned.add(bytesToHex(script));
      if (performance.now() - since < TURN) continue;
      await setImmediate();
      if (signal?.aborted) throw cancelled();
      since = performance.now();
    }
  }
  const owner = privateKeys ? 'spendable' : 'watched';
  return { of: (script) => (owned.has(script) ? owner : null), ...left };
}

interface Span {
  expandAt: (index: number) => Expansion;
  first: number;
  end: number;
  skipped: number;
}

/** Short ranges whole; what is left of the allowance is shared by the long ones. */
function* spansOf(descriptors: readonly StoredDescriptor[]): Generator<Span> {
  const spans = descriptors.flatMap(({ record, read, sources }) => {
    if (read.as !== 'read') return [];
    const ranged = isRanged(read.descriptor);
    const first = ranged ? Math.max(0, record.rangeStart) : 0;
    const end = ranged ? Math.max(first, record.rangeEnd) : 1;
    return [{ descriptor: read.descriptor, sources, first, end }];
  });
  spans.sort((a, b) => a.end - a.first - (b.end - b.first));
  let allowance = MOST_INDEXES;
  for (const [place, { descriptor, sources, first, end }] of spans.entries()) {
    const share = Math.floor(allowance / (spans.length - place));
    const stop = Math.min(end, first + share);
    allowance -= stop - first;
    yield { expandAt: expander(descriptor, sources(null)), first, end: stop, skipped: end - stop };
  }
}

function expansionAt(expandAt: (index: number) => Expansion, index: number): Expansion | null {
  try {
    return expandAt(index);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function cancelled(): AppError {
  return new AppError('cancelled', 'Inspecting the file was stopped.', 'Nothing was changed.');
}
