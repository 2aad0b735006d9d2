/** What the descriptors of a new wallet stand for, as its file has them. */
import { equalBytes } from '@noble/curves/utils.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ProofFault } from '../../../shared/model/findings/migrationFindings.ts';
import type { Network } from '../../../shared/model/network.ts';
import { type Descriptor, keysOf } from '../descriptor/descriptor.ts';
import { expand } from '../descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import type { StoredDescriptor } from '../descriptor/storedDescriptors.ts';
import type { HeldKey, HeldKeys } from '../legacy/heldKeys.ts';
import type { LegacyKey, LegacyKeys } from '../legacy/legacyKeys.ts';

/** All but the descriptors that are new with the migration. */
export interface ProvenScripts {
  /** Own keys, with all scripts that a key makes by itself. */
  keys: Set<LegacyKey>;
  /** All other scripts, by hex, and whether the wallet has, or could have, all private keys that they ask for. */
  scripts: Map<string, { script: Uint8Array; hasKeys: boolean; couldHaveKeys: boolean }>;
  /** Keys of chains that are kept ready and that the legacy wallet did not have yet. */
  ready: number;
  /** What is wrong with single descriptors. */
  faults: ProofFault[];
}

/** The key in `combo([origin]KEY)#checksum`, the one kind that a wallet can have by the thousand. */
const SINGLE_COMBO = /^combo\((?:\[[0-9a-fh/]+\])?([0-9a-f]{66}|[0-9a-f]{130})\)#/;

/** Throws `bad_input` for a descriptor that cannot be read. */
export function provenScripts(
  descriptors: readonly StoredDescriptor[],
  known: KnownKeys,
  network: Network,
): ProvenScripts {
  const proven: ProvenScripts = { keys: new Set(), scripts: new Map(), ready: 0, faults: [] };
  for (const stored of descriptors) {
    const text = stored.record.descriptor;
    const single = SINGLE_COMBO.exec(text)?.[1];
    const key = single === undefined ? undefined : known.keys.ofPublicKey(Buffer.from(single, 'hex'));
    if (key) {
      addKey(proven, key);
      if (!hasKeyOf(stored, key, known.held)) proven.faults.push({ code: 'private_key_lost' });
      continue;
    }
    const { descriptor } = parseDescriptor(text, { network, checksum: 'required' });
    if (isOfSeed(descriptor)) addSeeds(proven, stored, descriptor, known);
    else addOther(proven, stored, descriptor, known);
  }
  return proven;
}

/** What the legacy wallet has. */
interface KnownKeys {
  keys: LegacyKeys;
  held: HeldKeys;
  /** Proves a private key that the legacy wallet did not have in this form: the root of a seed. */
  isWhole(publicKey: Uint8Array, held: HeldKey): boolean;
}

function isOfSeed({ script }: Descriptor): boolean {
  return keysOf(script).every(({ key }) => key.kind === 'tree') && keysOf(script).length > 0;
}

/** A chain of the legacy wallet, or a new descriptor for addresses to come. */
function addSeeds(
  proven: ProvenScripts,
  stored: StoredDescriptor,
  { script }: Descriptor,
  { keys, isWhole }: KnownKeys,
): void {
  for (const { key } of keysOf(script)) {
    const root = key.kind === 'tree' ? key.root.publicKey : key.publicKey;
    const kept = stored.keys.find(({ publicKey }) => equalBytes(publicKey, root));
    if (!kept || !isWhole(kept.publicKey, kept)) proven.faults.push({ code: 'private_key_lost' });
  }
  if (stored.active) return;
  // The public keys of hardened children are the last 33 of the 74 bytes.
  const children = new Map(
    stored.cached.map(({ derivationIndex, extendedPublicKey }) => [
      derivationIndex,
      extendedPublicKey.subarray(-33),
    ]),
  );
  let ready = 0;
  for (let index = 0; index < stored.record.rangeEnd; index += 1) {
    const child = children.get(index);
    const own = child && keys.ofPublicKey(child);
    if (!child) proven.faults.push({ code: 'descriptor_key_lost', index });
    else if (!own) ready += 1;
    else if (ready > 0) proven.faults.push({ code: 'descriptor_keys_reordered' });
    else addKey(proven, own);
  }
  proven.ready += ready;
}

function addOther(
  proven: ProvenScripts,
  stored: StoredDescriptor,
  descriptor: Descriptor,
  { keys, held }: KnownKeys,
): void {
  const asked = keysOf(descriptor.script).map(({ key }) =>
    key.kind === 'single' ? keys.ofPublicKey(key.publicKey) : undefined,
  );
  const couldHaveKeys = asked.length > 0 && asked.every((key) => key !== undefined);
  const hasKeys = couldHaveKeys && asked.every((key) => key !== undefined && hasKeyOf(stored, key, held));
  if (!hasKeys && stored.keys.length > 0) proven.faults.push({ code: 'private_keys_partly_lost' });
  for (const script of expand(descriptor, 0)) {
    const hex = bytesToHex(script);
    if (proven.scripts.has(hex)) proven.faults.push({ code: 'descriptors_overlap' });
    proven.scripts.set(hex, { script, hasKeys, couldHaveKeys });
  }
}

function addKey(proven: ProvenScripts, key: LegacyKey): void {
  if (proven.keys.has(key)) proven.faults.push({ code: 'descriptors_overlap' });
  proven.keys.add(key);
}

/** Whether a descriptor has a private key as the legacy wallet had it. */
function hasKeyOf({ keys }: StoredDescriptor, key: LegacyKey, held: HeldKeys): boolean {
  const kept = keys.find(({ publicKey }) => equalBytes(publicKey, key.publicKey));
  const had = held.of(key);
  if (!kept) return false;
  if ('encrypted' in had) return 'encrypted' in kept && equalBytes(kept.encrypted, had.encrypted);
  return !('encrypted' in kept) && equalBytes(kept.der, had.der) && equalBytes(kept.checksum, had.checksum);
}
