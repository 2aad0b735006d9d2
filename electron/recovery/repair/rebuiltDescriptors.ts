/** What a repair derives again for a descriptor wallet: its caches, the usual descriptors with those in use, and what is lost. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { withChecksum } from '../../walletfile/descriptor/checksum.ts';
import {
  type Descriptor,
  type DescriptorCache,
  defaultAccounts,
  descriptorError,
  isAggregate,
  type KeySources,
  keyIndexesOf,
  keysOf,
  type TreeKey,
} from '../../walletfile/descriptor/descriptor.ts';
import {
  cacheOfKeys,
  hardenedPrefixOf,
  type KeyCache,
  keyCacheOf,
} from '../../walletfile/descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { eachScript, MAX_INDEXES } from '../../walletfile/descriptor/descriptorScripts.ts';
import { descriptorId, writePublic } from '../../walletfile/descriptor/descriptorWrite.ts';
import { type StoredDescriptor, storedDescriptors } from '../../walletfile/descriptor/storedDescriptors.ts';
import {
  deriveChild,
  type ExtendedPublicKey,
  HARDENED,
  isSameNode,
  writeExtendedPublicKey,
} from '../../walletfile/keys/extendedKey.ts';
import type { PlannedDescriptor } from '../../walletfile/migrate/plannedDescriptor.ts';
import {
  descriptorTypes,
  type RecordsByType,
  recordOf,
  recordsByType,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { scriptIfAddress } from '../../walletfile/script/address.ts';
import { DEFAULT_LAST_INDEX } from '../keyImport/walletOfText.ts';
import { coinsOn } from '../salvage/derivedKeys.ts';
import type { SalvageResult } from '../salvage/salvage.ts';
import type { SavedKeys } from './savedKeys.ts';

/**
 * Returns a function that rebuilds a cache, with which a locked node derives a descriptor's scripts. A node refuses a wallet with an
 * incomplete cache, and with a wrong key in a cache it gives out addresses that nobody can spend from. Uses private keys, or the node
 * after the last hardened step if two records of the wallet agree on it, or the descriptor's own cache of a hardened range, which
 * nothing proves. Null if none exists.
 */
export function createCacheRebuilder(stored: readonly StoredDescriptor[]) {
  const nodes = new Map<string, KnownNode>();
  for (const one of stored) learn(one, nodes);
  return (
    { script }: Descriptor,
    { privateKeys, cache }: Required<KeySources>,
    rangeEnd: number,
  ): DescriptorCache | null =>
    orNull(() =>
      cacheOfKeys(
        script,
        (key, place) =>
          orNull(() => keyCacheOf(key, privateKeys, rangeEnd)) ??
          (key.children === 'hardened'
            ? wholeRange(cache.children.get(place), rangeEnd)
            : ofRecords(key, nodes)),
      ),
    );
}

/** Throws unless all keys of the range are there, each as the child of one node at its place. */
function wholeRange(children: KeyCache['children'] = new Map(), rangeEnd: number): KeyCache {
  const first = children.get(0);
  for (let index = 0; index < rangeEnd; index += 1) {
    const child = children.get(index);
    if (
      child?.childNumber !== index + HARDENED ||
      child.depth !== first?.depth ||
      child.parentFingerprint !== first.parentFingerprint
    )
      throw descriptorError({ code: 'private_key_needed' });
  }
  return { children };
}

/** What records say about one node after hardened steps. */
interface KnownNode {
  readonly nodes: ExtendedPublicKey[];
  /** Its descendants, with the steps from it. */
  readonly below: { steps: readonly number[]; node: ExtendedPublicKey }[];
}

function learn({ descriptor, sources }: StoredDescriptor, nodes: Map<string, KnownNode>): void {
  if (!descriptor) return;
  const { cache } = sources(null);
  for (const [expression, place] of keyIndexesOf(descriptor.script)) {
    if (isAggregate(expression)) continue;
    const { key } = expression;
    if (key.kind === 'single' || key.children === 'hardened') continue;
    const { name, steps } = hardenedPrefixOf(key);
    const known = nodes.get(name) ?? { nodes: [], below: [] };
    const [node, parent] = [cache.lastHardened.get(place), cache.parents.get(place)];
    if (node) known.nodes.push(node);
    if (parent) known.below.push({ steps, node: parent });
    nodes.set(name, known);
  }
}

/** Throws if no two records agree on the node. */
function ofRecords(key: TreeKey, knownNodes: ReadonlyMap<string, KnownNode>): KeyCache {
  const { name, steps } = hardenedPrefixOf(key);
  const { nodes, below } = knownNodes.get(name) ?? { nodes: [], below: [] };
  const node = nodes.find(
    (one) =>
      nodes.filter((other) => isSameNode(one, other)).length > 1 ||
      below.some((child) => orNull(() => isSameNode(deriveChild(one, child.steps), child.node))),
  );
  if (!node) throw descriptorError({ code: 'private_key_needed' });
  return { parent: deriveChild(node, steps), lastHardened: node };
}

interface UsualDescriptor {
  id: Uint8Array;
  /** An extended public key. */
  root: string;
  /** With its checksum. */
  text: string;
  active: NonNullable<PlannedDescriptor['active']>;
}

/** The default descriptors of a node for the first 200 root keys. */
function defaultDescriptors(stored: readonly StoredDescriptor[], network: Network): UsualDescriptor[] {
  const roots = new Map(
    stored.flatMap((one) => rootsIn(one).map((root) => [writeExtendedPublicKey(root, network), root])),
  );
  return [...roots].slice(0, MAX_ROOTS).flatMap(([root, node]) =>
    defaultAccounts(node, network).flatMap(({ descriptors }) =>
      descriptors.map(({ descriptor, active }) => ({
        id: descriptorId(descriptor),
        root,
        text: writePublic(descriptor),
        active,
      })),
    ),
  );
}

const MAX_ROOTS = 200;

export function rootsIn({ descriptor }: StoredDescriptor): ExtendedPublicKey[] {
  if (!descriptor) return [];
  return keysOf(descriptor.script).flatMap(({ key }) => (key.kind === 'tree' ? [key.root] : []));
}

/** Recreates lost default descriptors whose ids other records still name. */
export function recreateDescriptors(saved: SalvageResult, network: Network): RawRecord[] {
  const found = recordsByType([...saved.records, ...saved.unprovedKeys]);
  const there = new Set(found.of('walletdescriptor').map((record) => toLatin1(record.descriptorId)));
  const lost = new Set([...idsIn(found), ...saved.damagedDescriptors].filter((id) => !there.has(id)));
  if (lost.size === 0) return [];
  const range = { createTime: 1, nextIndex: 0, rangeStart: 0, rangeEnd: DEFAULT_LAST_INDEX + 1 };
  return defaultDescriptors(storedDescriptors(found, network), network).flatMap(({ id, text }) =>
    lost.has(toLatin1(id))
      ? [writeRecord({ type: 'walletdescriptor', descriptorId: id, descriptor: text, ...range })]
      : [],
  );
}

export function idsIn(records: RecordsByType): Set<string> {
  const naming = descriptorTypes.flatMap((type): { descriptorId: Uint8Array }[] => [...records.of(type)]);
  return new Set(naming.map(({ descriptorId: id }) => toLatin1(id)));
}

/** A `combo()` for each key that no descriptor names any more. Single keys need no other one. */
export function descriptorsOfKeys(keys: SavedKeys, records: RecordsByType, network: Network): RawRecord[] {
  const named = new Set(
    storedDescriptors(records, network).flatMap(({ descriptor }) =>
      (descriptor ? keysOf(descriptor.script) : []).flatMap(({ key }) => {
        const stored = keys.storedKeyOf(key);
        return stored ? [bytesToHex(stored.publicKey)] : [];
      }),
    ),
  );
  return keys.publicKeys.map(bytesToHex).flatMap((hex) => {
    if (named.has(hex)) return [];
    const text = withChecksum(`combo(${hex})`);
    const id = descriptorId(parseDescriptor(text, { network }).descriptor);
    const range = { createTime: 1, nextIndex: 0, rangeStart: 0, rangeEnd: 1 };
    return [writeRecord({ type: 'walletdescriptor', descriptorId: id, descriptor: text, ...range })];
  });
}

type Unused = { addresses: string[]; change: string[] };

/**
 * Reactivates descriptors whose `active…spk` records are lost, if there is no doubt: the file is damaged, the descriptor has its
 * key, shares its root with all active ones, and the wallet has all descriptors (`hasAll`). In an undamaged file, idle descriptors
 * were imported so, or belong to the key tree before an encryption. Also returns the address types that lost their active
 * descriptor. Source: `LoadActiveSPKs` of `walletdb.cpp`.
 */
export function reactivate(
  planned: readonly PlannedDescriptor[],
  records: RecordsByType,
  {
    stored,
    network,
    isDamaged,
    hasAll,
  }: { stored: readonly StoredDescriptor[]; network: Network; isDamaged: boolean; hasAll: boolean },
): { planned: PlannedDescriptor[]; unused: Unused } {
  const roles = [...records.of('activeexternalspk'), ...records.of('activeinternalspk')].map(
    ({ type, addressType }) => roleOf({ addressType, internal: type === 'activeinternalspk' }),
  );
  const inUse = planned.filter(({ active }) => active !== null);
  const idle = new Map(
    planned.flatMap((plan) =>
      isDamaged && plan.active === null && plan.keys.length > 0 ? [[toLatin1(plan.id), plan] as const] : [],
    ),
  );
  const idleOnes = stored.filter(({ record }) => idle.has(toLatin1(record.descriptorId)));
  const candidates = defaultDescriptors(idleOnes, network).flatMap((one) => {
    const plan = idle.get(toLatin1(one.id));
    return plan && !roles.includes(roleOf(one.active)) ? [{ ...one, plan }] : [];
  });
  const reactivated = candidates.filter(
    ({ root }) =>
      hasAll &&
      inUse.every(({ text }) => text.includes(root)) &&
      candidates.every((other) => other.root === root),
  );
  const again = new Map(reactivated.map(({ plan, active }) => [plan, active]));
  const all = planned.map((plan) => ({ ...plan, active: plan.active ?? again.get(plan) ?? null }));
  const used = new Set(all.flatMap(({ active }) => (active === null ? [] : [roleOf(active)])));
  const allRoles = new Set([...roles, ...candidates.map(({ active }) => roleOf(active))]);
  const unused = [...allRoles].filter((role) => !used.has(role)).map((role) => role.split(' '));
  const typesOf = (whose: string) =>
    unused.flatMap(([type, owner = '']) => (owner === whose && type ? [type] : []));
  return { planned: all, unused: { addresses: typesOf('addresses'), change: typesOf('change') } };
}

function roleOf({ addressType, internal }: NonNullable<PlannedDescriptor['active']>): string {
  return `${addressType} ${internal ? 'change' : 'addresses'}`;
}

/**
 * Known losses, by the file's own labels and transactions: used addresses that no saved descriptor yields, and the coins on
 * them and on descriptors whose keys are lost.
 * `withoutForeign`: leaves out that the wallet gave out these addresses, for which an inspection would doubt its other descriptors.
 * A watch-only wallet can have addresses of the wallet that it was split from.
 */
export async function knownLosses(
  records: RecordsByType,
  { lost, watchOnly, network }: { lost: readonly StoredDescriptor[]; watchOnly: boolean; network: Network },
) {
  const saved = storedDescriptors(records, network);
  // The saved ones have a rebuilt cache.
  const rebuilt = new Map(saved.map((one) => [one.publicText, one]));
  const ofLost = new Set<string>();
  const skipped = await eachScript(
    lost.map((one) => rebuilt.get(one.publicText) ?? one),
    (script) => ofLost.add(script),
    MAX_INDEXES,
  );
  const receiving = new Map(
    records.of('purpose').flatMap(({ purpose, address }) => {
      const script = purpose === 'receive' && !watchOnly ? scriptIfAddress(address, network) : null;
      return script ? [[address, bytesToHex(script)] as const] : [];
    }),
  );
  const givenOut = new Set(receiving.values());
  const { tooMany, underivable } = await eachScript(
    givenOut.size === 0 ? [] : saved,
    (script) => givenOut.delete(script),
    MAX_INDEXES,
  );
  // An address that was not derived may still belong to a saved descriptor.
  if (tooMany + underivable > 0) givenOut.clear();
  const coins = coinsOn(records.of('tx'), new Set([...ofLost, ...givenOut]), network);
  return {
    addresses: givenOut.size,
    coins: { ...coins, mayBeMore: skipped.tooMany + skipped.underivable > 0 },
    withoutForeign: (all: readonly RawRecord[]) =>
      all.filter((record) => {
        const entry = typeIn(record.key) === 'purpose' ? recordOf('purpose', record) : null;
        return !givenOut.has(receiving.get(entry?.address ?? '') ?? '');
      }),
  };
}
