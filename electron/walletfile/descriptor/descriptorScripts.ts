/** Derives the output scripts of a descriptor wallet, with the descriptor of each. */
import { setImmediate } from 'node:timers/promises';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/model/errors.ts';
import type { RecordOfType } from '../records/records.ts';
import { type OutputScript, type Ownership, readOutputScript } from '../script/script.ts';
import { type Descriptor, isRanged, needsPrivateKeys, type ScriptExpression } from './descriptor.ts';
import { type Expansion, expander } from './descriptorExpand.ts';
import type { StoredDescriptor } from './storedDescriptors.ts';

/** A descriptor and an index that give a script. */
export interface ScriptSource {
  stored: StoredDescriptor;
  descriptor: Descriptor;
  index: number;
}

/** By the script's hex. Most scripts have one source. */
type ScriptSources = ReadonlyMap<string, readonly ScriptSource[]>;

/** Numbers of indexes left out, because they are too many or need a missing key. */
export interface SkippedIndexes {
  tooMany: number;
  underivable: number;
}

/** All scripts with their sources, as `eachScript` gives them. */
export async function scriptSourcesOf(descriptors: readonly StoredDescriptor[]): Promise<ScriptSources> {
  const found = new Map<string, ScriptSource[]>();
  await eachScript(descriptors, (script, source) => {
    const known = found.get(script);
    if (known) known.push(source);
    else found.set(script, [source]);
  });
  return found;
}

/**
 * Passes every script (hex) in the descriptors' ranges to `take`, and yields to the event loop in between: a usual wallet has
 * 8,000 indexes, half a second's work. Like a node, skips scripts that need an encrypted, uncached private key. `most`: the most
 * indexes to derive; short ranges are complete, and long ones share the rest.
 */
export async function eachScript(
  descriptors: readonly StoredDescriptor[],
  take: (script: string, source: ScriptSource) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<SkippedIndexes> {
  const spans = spansOf(descriptors, most);
  const left = { tooMany: spans.reduce((sum, { skipped }) => sum + skipped, 0), underivable: 0 };
  let since = performance.now();
  for (const { stored, descriptor, first, end } of spans) {
    const expandAt = expander(descriptor, stored.sources(null));
    for (let index = first; index < end; index += 1) {
      const source = { stored, descriptor, index };
      const expansion = expansionAt(expandAt, index);
      if (!expansion) left.underivable += 1;
      for (const script of expansion?.scripts ?? []) take(bytesToHex(script), source);
      if (performance.now() - since < WORK_MILLISECONDS) continue;
      await setImmediate();
      since = performance.now();
    }
  }
  return left;
}

/** Between two turns of the event loop. */
const WORK_MILLISECONDS = 20;

/** The most indexes to derive for a wallet's own scripts. A new wallet has 8,000. */
export const MAX_INDEXES = 50_000;

/**
 * The ownership of scripts in a descriptor wallet, which owns all scripts in its descriptors' ranges. `privateKeys`: false for a
 * watch-only wallet, which owns no script as `spendable`. Nor does a descriptor that lost its private keys.
 */
export async function descriptorOwnership(
  descriptors: readonly StoredDescriptor[],
  { privateKeys }: { privateKeys: boolean },
): Promise<Ownership & SkippedIndexes> {
  const owners = new Map<string, 'spendable' | 'watched'>();
  const withKeys = new Set(privateKeys ? descriptors.filter(({ keys }) => keys.length > 0) : []);
  const add = (script: string, { stored }: ScriptSource) => {
    if (withKeys.has(stored)) owners.set(script, 'spendable');
    else if (!owners.has(script)) owners.set(script, 'watched');
  };
  const left = await eachScript(descriptors, add, MAX_INDEXES);
  return { ownerOf: (script) => owners.get(bytesToHex(script)) ?? null, ...left };
}

/** RPCs refuse longer ranges (`ParseDescriptorRange`), so a larger number is damaged. */
export const MAX_RANGE = 1_000_000;
/** The number of indexes that a wallet derives after the last used one. */
const USUAL_AHEAD = 1000;

/** The indexes to derive for each readable descriptor, and how many are skipped. In the order of the descriptors. */
function spansOf(descriptors: readonly StoredDescriptor[], most: number) {
  const spans = descriptors.flatMap((stored) => {
    const { record, descriptor } = stored;
    if (!descriptor) return [];
    const [first, end] = indexesOf(descriptor, record);
    const claimed = isRanged(descriptor) ? Math.max(first, record.rangeEnd) : end;
    return [{ stored, descriptor, first, end, skipped: claimed - end }];
  });
  let allowance = most;
  const shortestFirst = spans.toSorted((a, b) => a.end - a.first - (b.end - b.first));
  for (const [place, span] of shortestFirst.entries()) {
    const wanted = span.end - span.first;
    const share = Math.min(wanted, Math.floor(allowance / (spans.length - place)));
    allowance -= share;
    span.end -= wanted - share;
    span.skipped += wanted - share;
  }
  return spans;
}

/** The indexes of a descriptor in its wallet, up to the end but excluding it, shortened to a plausible length. */
export function indexesOf(
  descriptor: Descriptor,
  { rangeStart, rangeEnd, nextIndex }: StoredDescriptor['record'],
): [first: number, end: number] {
  if (!isRanged(descriptor)) return [0, 1];
  const first = Math.max(0, rangeStart);
  const end = Math.max(first, rangeEnd);
  return [first, end - first > MAX_RANGE ? Math.max(first, nextIndex) + USUAL_AHEAD : end];
}

/** Null if a key is missing. */
export function expansionAt(expandAt: (index: number) => Expansion, index: number): Expansion | null {
  try {
    return expandAt(index);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * The descriptors with a kind of script that the transactions pay, or of one in `more`. A usual wallet has four kinds ready, so
 * this skips most of the derivation. Keeps descriptors that an inspection reports on: unreadable or, unless it is brief,
 * underivable ones, and all if their ranges together exceed `most` indexes. Without such scripts, none is left.
 */
export function selectPaidDescriptors(
  descriptors: readonly StoredDescriptor[],
  transactions: readonly RecordOfType<'tx'>[],
  most: number,
  { isBrief = false, more = [] }: { isBrief?: boolean; more?: Iterable<Uint8Array> } = {},
): readonly StoredDescriptor[] {
  const paid = new Set(Array.from(more, (script) => readOutputScript(script).kind));
  if (transactions.length + paid.size === 0) return [];
  const indexes = descriptors.reduce((sum, { record }) => sum + record.rangeEnd - record.rangeStart, 0);
  if (indexes > most) return descriptors;
  for (const { transaction } of transactions) {
    for (const { scriptPubKey } of transaction.outputs) paid.add(readOutputScript(scriptPubKey).kind);
  }
  return descriptors.filter((stored) => {
    const { descriptor } = stored;
    if (!descriptor) return true;
    const kind = ONLY_KINDS[descriptor.script.kind];
    return kind === undefined || paid.has(kind) || (!isBrief && !isDerivable(stored, descriptor));
  });
}

/** Whether the file's unencrypted keys suffice to derive all its scripts. */
function isDerivable(stored: StoredDescriptor, descriptor: Descriptor): boolean {
  if (needsPrivateKeys(descriptor)) return false;
  const expandAt = expander(descriptor, stored.sources(null));
  return expansionAt(expandAt, Math.max(0, stored.record.rangeStart)) !== null;
}

/** The only kind of output of each expression; absent if it varies. */
const ONLY_KINDS: Partial<Record<ScriptExpression['kind'], OutputScript['kind']>> = {
  pkh: 'p2pkh',
  wpkh: 'p2wpkh',
  sh: 'p2sh',
  wsh: 'p2wsh',
  tr: 'p2tr',
  rawtr: 'p2tr',
};
