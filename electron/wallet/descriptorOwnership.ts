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

/** A wallet of our days has 8,000 indexes, half a second's work. */
const MOST_INDEXES = 50_000;
/** No RPC takes a longer range (`ParseDescriptorRange`): such a number is damaged. */
const LONGEST_RANGE = 1_000_000;
/** What a wallet keeps ready beyond the last address that it gave out. */
const USUAL_AHEAD = 1000;
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
    const [first, end] = isRanged(read.descriptor) ? rangeOf(record) : [0, 1];
    const claimed = end - first;
    const wanted = claimed > LONGEST_RANGE ? Math.max(0, record.nextIndex - first) + USUAL_AHEAD : claimed;
    return [{ descriptor: read.descriptor, sources, first, end, wanted }];
  });
  spans.sort((a, b) => a.wanted - b.wanted);
  let allowance = MOST_INDEXES;
  for (const [place, { descriptor, sources, first, end, wanted }] of spans.entries()) {
    const taken = Math.min(wanted, Math.floor(allowance / (spans.length - place)));
    allowance -= taken;
    const stop = first + taken;
    yield { expandAt: expander(descriptor, sources(null)), first, end: stop, skipped: end - stop };
  }
}

function rangeOf({ rangeStart, rangeEnd }: StoredDescriptor['record']): [first: number, end: number] {
  const first = Math.max(0, rangeStart);
  return [first, Math.max(first, rangeEnd)];
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
