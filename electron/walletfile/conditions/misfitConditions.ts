/** Conditions of descriptors whose addresses the wallet's keys cannot spend from, though a node loads and gives them out. */
import { equalBytes } from '@noble/curves/utils.js';
import type { Condition } from '../../../shared/model/conditions.ts';
import type { FileProblem } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { once, orNull } from '../bytes/once.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { remarkOf } from '../database/problemLog.ts';
import {
  type Descriptor,
  type DescriptorCache,
  isAggregate,
  type KeySources,
  keyIndexesOf,
  keysOf,
  publicKeysOf,
  type TreeKey,
} from '../descriptor/descriptor.ts';
import {
  cacheOfKeys,
  hardenedPrefixOf,
  hardenedStepsOf,
  type KeyCache,
  keyCacheOf,
  privateNode,
  publicKeyDeriver,
} from '../descriptor/descriptorExpand.ts';
import type { SkippedIndexes } from '../descriptor/descriptorScripts.ts';
import { descriptorId, earlierDescriptorId } from '../descriptor/descriptorWrite.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import {
  deriveChild,
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  isSameNode,
} from '../keys/extendedKey.ts';
import type { AddressType } from '../records/recordShapes.ts';
import { flagsOf, hasFlag, type RecordsByType } from '../records/records.ts';
import { ADDRESS_NETWORKS, scriptIfAddress } from '../script/address.ts';
import { type Ownership, readOutputScript } from '../script/script.ts';
import { conditionOf } from './recordConditions.ts';

/** `mostKeys`: how many cached keys of a range are checked. */
export function misfitConditions(
  records: RecordsByType,
  network: Network,
  { read, known } = readDescriptors(records, network, null),
  mostKeys = MAX_CHECKED,
): Condition[] {
  const hasMisfit = createMisfitFinder(mostKeys);
  const hasKeys = read.some(({ keys }) => keys.length > 0);
  const spends = hasKeys && !hasFlag(flagsOf(records), 'disable_private_keys');
  // The keys of an idle descriptor with a wrong id are stored under the right one.
  const lacksKey = (each: ParsedDescriptorRecord) =>
    spends && !hasOwnKey(each) && (each.stored.active !== null || each.idOf() !== 'none');
  return [
    ...conditionOf('descriptor-misfit', textsOf(known.filter(hasMisfit))),
    ...conditionOf('descriptor-keyless', textsOf(known.filter(lacksKey))),
  ];
}

/** All descriptors, and those of a known form. */
export function readDescriptors(
  records: RecordsByType,
  network: Network,
  masterKey: Uint8Array | null,
  read = storedDescriptors(records, network),
) {
  const known = read.flatMap((stored) => {
    const { loaded: descriptor } = stored;
    if (!descriptor) return [];
    const id = once(() => descriptorId(descriptor));
    const idOf = once((): IdOwner => {
      const earlier = earlierDescriptorId(descriptor);
      if (equalBytes(stored.record.descriptorId, id()))
        return earlier === null ? 'all releases' : 'from 31 on';
      return equalBytes(stored.record.descriptorId, earlier ?? id()) ? 'before 31' : 'none';
    });
    return [{ stored, descriptor, sources: stored.sources(masterKey), id, idOf }];
  });
  return { read, known };
}

/** The scripts of receiving addresses, a sample if there are more than `most`. A wallet marks only its own addresses so. */
export function givenOutScripts(records: RecordsByType, most = MAX_CHECKED): Map<string, Uint8Array> {
  const receiving = records.of('purpose').filter(({ purpose }) => purpose === 'receive');
  return new Map(
    sampleOf(receiving, most).flatMap(({ address }) => {
      const [script] = ADDRESS_NETWORKS.flatMap((network) => scriptIfAddress(address, network) ?? []);
      return script === undefined ? [] : [[address, script] as const];
    }),
  );
}

/**
 * Checks a wallet's descriptors, and a locked one's keys, against its address book. Payments alone prove nothing: they may belong to
 * lost descriptors. Foreign cached keys of a hardened chain can agree with each other, but then none of the wallet's own addresses
 * derive from them. `givenOut`: as `givenOutScripts` gives them.
 */
export function addressEvidence(
  records: RecordsByType,
  givenOut: ReadonlyMap<string, Uint8Array>,
  descriptors: readonly StoredDescriptor[],
  { ownerOf, tooMany, underivable, isLocked }: Ownership & SkippedIndexes & { isLocked: boolean },
): { conditions: Condition[]; problems: FileProblem[] } {
  const foreignOf = (scripts: ReadonlyMap<string, Uint8Array>) =>
    [...scripts].flatMap(([address, script]) => (ownerOf(script) === null ? [address] : []));
  const foreign = foreignOf(givenOut);
  const isSure = foreign.length > 0 && tooMany + underivable === 0;
  // An address that was not derived may still be the wallet's.
  const count = isSure ? foreignOf(givenOutScripts(records, Number.POSITIVE_INFINITY)).length : 0;
  if (!isLocked)
    return {
      conditions: [],
      problems: count > 0 ? [remarkOf({ code: 'addresses_without_key', count })] : [],
    };
  const isPaid = records
    .of('tx')
    .some(({ transaction: { outputs } }) =>
      outputs.some(({ scriptPubKey }) => ownerOf(scriptPubKey) !== null),
    );
  const knowsNone = foreign.length === givenOut.size && !isPaid;
  const receiving = new Set(
    descriptors.flatMap(({ active }) => (active?.internal === false ? active.addressType : [])),
  );
  // The descriptor of the others may be lost.
  const hasDescriptors = [...givenOut.values()].every((script) => {
    const type = ADDRESS_TYPES[readOutputScript(script).kind];
    return type !== undefined && receiving.has(type);
  });
  const shown = knowsNone && count > 0 && hasDescriptors ? foreign : [];
  const isUnproved = shown.length === 0 && (knowsNone || count > 0);
  return {
    conditions: conditionOf('descriptor-misfit', shown),
    problems: isUnproved ? [remarkOf({ code: 'addresses_unproved' })] : [],
  };
}

const ADDRESS_TYPES: Partial<Record<ReturnType<typeof readOutputScript>['kind'], AddressType>> = {
  p2pkh: 'legacy',
  p2sh: 'p2sh-segwit',
  p2wpkh: 'bech32',
  p2tr: 'bech32m',
};

export interface ParsedDescriptorRecord {
  stored: StoredDescriptor;
  descriptor: Descriptor;
  /** Decrypting its keys takes most of the time. */
  sources: Required<KeySources>;
  /** Computed on first use. */
  id: () => Uint8Array;
  /** Which releases compute the id of its record. None: it is that of another descriptor. */
  idOf: () => IdOwner;
}

type IdOwner = 'all releases' | 'before 31' | 'from 31 on' | 'none';

export function textsOf(known: readonly ParsedDescriptorRecord[]): string[] {
  return known.map(({ stored }) => stored.publicText);
}

/**
 * Finds descriptors whose addresses are of other keys: a node compares no cached key with the descriptor. Where the private key is
 * locked, all descriptors with the same hardened steps must have the same node after them.
 */
function createMisfitFinder(mostKeys: number) {
  const nodes = new Map<string, ExtendedPublicKey>();
  const derived = new Map<string, ExtendedPrivateKey>();
  /**
   * Hardened steps take most of the time, and the descriptors of a wallet share them. The others take half of theirs with the private
   * key.
   */
  const ofPrivateKey = (key: TreeKey, privateKeys: Required<KeySources>['privateKeys']): KeyCache => {
    const hardened = hardenedStepsOf(key);
    if (key.children === 'hardened' || hardened === 0) return keyCacheOf(key, privateKeys, 0);
    const { name, steps } = hardenedPrefixOf(key);
    const lastHardened = derived.get(name) ?? privateNode(key, hardened, privateKeys);
    derived.set(name, lastHardened);
    return { parent: deriveChild(lastHardened, steps), lastHardened };
  };
  return ({
    stored,
    descriptor: { script },
    sources: { cache, privateKeys },
  }: ParsedDescriptorRecord): boolean => {
    const { nextIndex } = stored.record;
    const ofCache = (key: TreeKey, place: number): KeyCache => {
      const { name, steps } = hardenedPrefixOf(key);
      const lastHardened = nodes.get(name) ?? cache.lastHardened.get(place);
      const parent = cache.parents.get(place);
      if (!lastHardened || key.children === 'hardened') return parent ? { parent } : {};
      nodes.set(name, lastHardened);
      return { parent: deriveChild(lastHardened, steps), lastHardened };
    };
    const right = orNull(() =>
      cacheOfKeys(
        script,
        (key, place) => orNull(() => ofPrivateKey(key, privateKeys)) ?? ofCache(key, place),
      ),
    );
    if (!right) return false;
    const sources = { privateKeys, cache: { ...right, children: new Map() } };
    const places = keyIndexesOf(script);
    return (
      differs(right.parents, cache.parents) ||
      differs(right.lastHardened, cache.lastHardened) ||
      [...places].some(([key, place]) => {
        const children = cache.children.get(place);
        if (!children || (!isAggregate(key) && key.key.kind === 'single')) return false;
        const publicKeyAt = publicKeyDeriver(key, sources, places);
        const next = [...children].filter(([index]) => index >= (stored.active ? nextIndex : 0));
        return orNull(() =>
          sampleOf(next, mostKeys).some(([index, child]) => !equalBytes(publicKeyAt(index), child.publicKey)),
        );
      })
    );
  };
}

/** Whether one of its private keys is stored. A node imports no other descriptor into a wallet with private keys, but it loads one. */
function hasOwnKey({ stored: { keys }, descriptor: { script } }: ParsedDescriptorRecord): boolean {
  const own = new Set(keys.map(({ publicKey }) => toLatin1(publicKey)));
  return keysOf(script).some(({ key }) =>
    publicKeysOf(key).some((publicKey) => own.has(toLatin1(publicKey))),
  );
}

/**
 * Of more keys than are checked, the first, the last and others evenly between them: keys of somebody else would cover at least a
 * stretch.
 */
function sampleOf<T>(all: readonly T[], most: number): readonly T[] {
  const placeOf = (at: number) => Math.floor((at * (most - 1)) / (all.length - 1));
  return all.length <= most ? all : all.filter((_, at) => placeOf(at) > placeOf(at - 1));
}

/** The most hardened keys to check of a key: a wallet has a thousand ready, and each takes a tenth of a millisecond. */
const MAX_CHECKED = 2000;

type Nodes = DescriptorCache['parents'];

function differs(right: Nodes, cached: Nodes): boolean {
  return [...right].some(([place, node]) => !isSameNode(cached.get(place) ?? node, node));
}
