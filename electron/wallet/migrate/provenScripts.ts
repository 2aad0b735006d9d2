/** What the descriptors of a new wallet stand for, as its file has them. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { sameBytes } from '../bytes/sameBytes.ts';
import { type Descriptor, keysOf } from '../descriptor/descriptor.ts';
import { expand } from '../descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import type { HeldKey, OwnKey, OwnKeys } from '../legacy/ownKeys.ts';
import type { WrittenDescriptor } from './writtenDescriptors.ts';

/** All but the descriptors that are new with the migration. */
export interface ProvenScripts {
  /** Own keys, with all scripts that a key makes by itself. */
  keys: Set<OwnKey>;
  /** All other scripts, by hex, and whether the wallet has, or could have, all private keys that they ask for. */
  scripts: Map<string, { script: Uint8Array; hasKeys: boolean; couldHaveKeys: boolean }>;
  /** Keys of chains that are kept ready and that the legacy wallet did not have yet. */
  ready: number;
  /** What is wrong with single descriptors, in words without a full stop. */
  faults: string[];
}

/** The key in `combo([origin]KEY)#checksum`, the one kind that a wallet can have by the thousand. */
const SINGLE_COMBO = /^combo\((?:\[[0-9a-fh/]+\])?([0-9a-f]{66}|[0-9a-f]{130})\)#/;

/**
 * `isWhole` proves a private key that the legacy wallet did not have in this form: the root of a seed. Throws AppError
 * `bad_input` for a descriptor that cannot be read.
 */
export function provenScripts(
  descriptors: readonly WrittenDescriptor[],
  keys: OwnKeys,
  isWhole: (publicKey: Uint8Array, held: HeldKey) => boolean,
  network: Network,
): ProvenScripts {
  const proven: ProvenScripts = { keys: new Set(), scripts: new Map(), ready: 0, faults: [] };
  for (const written of descriptors) {
    const single = SINGLE_COMBO.exec(written.text)?.[1];
    const key = single === undefined ? undefined : keys.ofPublicKey(hexToBytes(single));
    if (key) {
      addKey(proven, key);
      if (!hasKeyOf(written, key)) proven.faults.push(say('A descriptor lacks its private key'));
      continue;
    }
    const { descriptor } = parseDescriptor(written.text, { network, checksum: 'required' });
    if (isOfSeed(descriptor)) addSeeds(proven, written, descriptor, { keys, isWhole });
    else addOther(proven, written, descriptor, keys);
  }
  return proven;
}

interface SeedProof {
  keys: OwnKeys;
  isWhole: (publicKey: Uint8Array, held: HeldKey) => boolean;
}

function isOfSeed({ script }: Descriptor): boolean {
  return keysOf(script).every(({ key }) => key.kind === 'tree') && keysOf(script).length > 0;
}

/** A chain of the legacy wallet, or a new descriptor for addresses to come. */
function addSeeds(
  proven: ProvenScripts,
  { active, keys: held, children, rangeEnd }: WrittenDescriptor,
  { script }: Descriptor,
  { keys, isWhole }: SeedProof,
): void {
  for (const { key } of keysOf(script)) {
    const root = key.kind === 'tree' ? key.root.publicKey : key.publicKey;
    const kept = held.find(({ publicKey }) => sameBytes(publicKey, root));
    if (!kept || !isWhole(kept.publicKey, kept.held))
      proven.faults.push(say('A descriptor lacks the private key of its seed'));
  }
  if (active) return;
  let ready = 0;
  for (let index = 0; index < rangeEnd; index += 1) {
    const child = children.get(index);
    const own = child && keys.ofPublicKey(child);
    if (!child)
      proven.faults.push(say('A descriptor lacks key number {number} of its range', { number: index }));
    else if (!own) ready += 1;
    else if (ready > 0) proven.faults.push(say('A descriptor has keys in another order than the old wallet'));
    else addKey(proven, own);
  }
  proven.ready += ready;
}

function addOther(
  proven: ProvenScripts,
  written: WrittenDescriptor,
  descriptor: Descriptor,
  keys: OwnKeys,
): void {
  const asked = keysOf(descriptor.script).map(({ key }) =>
    key.kind === 'single' ? keys.ofPublicKey(key.publicKey) : undefined,
  );
  const couldHaveKeys = asked.length > 0 && asked.every((key) => key !== undefined);
  const hasKeys = couldHaveKeys && asked.every((key) => key !== undefined && hasKeyOf(written, key));
  if (!hasKeys && written.keys.length > 0)
    proven.faults.push(say('A descriptor has only some of its private keys'));
  for (const script of expand(descriptor, 0)) {
    const hex = bytesToHex(script);
    if (proven.scripts.has(hex))
      proven.faults.push(say('A descriptor stands for a script that another one stands for too'));
    proven.scripts.set(hex, { script, hasKeys, couldHaveKeys });
  }
}

function addKey(proven: ProvenScripts, key: OwnKey): void {
  if (proven.keys.has(key))
    proven.faults.push(say('A descriptor stands for a key that another one stands for too'));
  proven.keys.add(key);
}

/** Whether a descriptor has a private key as the legacy wallet had it. */
function hasKeyOf({ keys }: WrittenDescriptor, { publicKey, held }: OwnKey): boolean {
  const kept = keys.find((each) => sameBytes(each.publicKey, publicKey))?.held;
  if (kept?.kind === 'plain' && held.kind === 'plain') {
    return sameBytes(kept.der, held.der) && sameBytes(kept.checksum, held.checksum);
  }
  return kept?.kind === 'encrypted' && held.kind === 'encrypted' && sameBytes(kept.encrypted, held.encrypted);
}
