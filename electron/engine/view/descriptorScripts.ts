/** Every output script of a descriptor wallet, and which descriptor it comes from. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/errors.ts';
import type { Descriptor } from '../../wallet/descriptor.ts';
import { isRanged } from '../../wallet/descriptor.ts';
import { type Expansion, expander } from '../../wallet/descriptorExpand.ts';
import type { StoredDescriptor } from './descriptorSet.ts';
import { inTurns } from './inTurns.ts';

/** One way in which a script is the wallet's. */
export interface ScriptSource {
  readonly stored: StoredDescriptor;
  readonly descriptor: Descriptor;
  readonly index: number;
}

/** By the script's hex. Most have one source. */
export type ScriptSources = ReadonlyMap<string, readonly ScriptSource[]>;

/**
 * Expands every descriptor over its whole range, in turns: a wallet of today has 8,000 scripts, half a second's
 * work. What needs a private key that is encrypted and not cached is left out, as a node would not know it either.
 */
export async function scriptSourcesOf(descriptors: readonly StoredDescriptor[]): Promise<ScriptSources> {
  const found = new Map<string, ScriptSource[]>();
  await inTurns(indexesOf(descriptors), ({ stored, descriptor, expandAt, index }) => {
    for (const script of scriptsAt(expandAt, index)) {
      const hex = bytesToHex(script);
      const source = { stored, descriptor, index };
      const known = found.get(hex);
      if (known) known.push(source);
      else found.set(hex, [source]);
    }
  });
  return found;
}

/** The expansion that a source stands for. */
export function expansionOf({ stored, descriptor, index }: ScriptSource): Expansion {
  return expander(descriptor, stored.sources(null))(index);
}

interface Step {
  readonly stored: StoredDescriptor;
  readonly descriptor: Descriptor;
  readonly expandAt: (index: number) => Expansion;
  readonly index: number;
}

function* indexesOf(descriptors: readonly StoredDescriptor[]): Generator<Step> {
  for (const stored of descriptors) {
    const descriptor = stored.parsed();
    if (!descriptor) continue;
    const expandAt = expander(descriptor, stored.sources(null));
    const { rangeStart, rangeEnd } = stored.record;
    const [first, end] = isRanged(descriptor) ? [rangeStart, rangeEnd] : [0, 1];
    for (let index = first; index < end; index += 1) yield { stored, descriptor, expandAt, index };
  }
}

function scriptsAt(expandAt: (index: number) => Expansion, index: number): readonly Uint8Array[] {
  try {
    return expandAt(index).scripts;
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
