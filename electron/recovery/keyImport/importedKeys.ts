/** Converts the keys of a text to records of a legacy wallet, so that they go the same way as every wallet. */
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import {
  deriveKey,
  extendedKeyOfSeed,
  HARDENED,
  privateChildren,
} from '../../walletfile/keys/extendedKey.ts';
import { makeStoredKey, type PrivateKey } from '../../walletfile/keys/privateKey.ts';
import { publicKeyOf } from '../../walletfile/keys/publicKey.ts';
import { writeRecord } from '../../walletfile/records/records.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import { hash160 } from '../../walletfile/script/script.ts';
import { metadataRecord } from '../salvage/derivedKeys.ts';

export interface ImportedKey extends PrivateKey {
  /** Unix seconds; 1 if unknown. */
  createTime: number;
  label: string | null;
  /** The addresses with this label; null for all addresses of the key. */
  addresses: readonly string[] | null;
  /** The role of the key in an HD chain: the seed of the active or an old chain, or a place in one. */
  chain: 'seed' | 'old-seed' | { branch: 0 | 1; index: number } | null;
}

export const NO_FACTS = { createTime: 1, label: null, addresses: null, chain: null } as const;

/** Without a network, drops the labels of keys whose addresses the text does not name. */
export function recordsOfKeys(keys: readonly ImportedKey[], network: Network | undefined): RawRecord[] {
  const seeds = keys.filter(({ chain }) => chain === 'seed' || chain === 'old-seed').map(seedOf);
  return [
    ...keys.flatMap((key) => recordsOfKey(key, seeds, network)),
    ...seeds.filter(({ active }) => active).map((seed) => chainRecord(seed)),
  ];
}

interface Seed {
  id: Uint8Array;
  active: boolean;
  keyAt(branch: 0 | 1, index: number): string;
  /** The next index of each branch, after the keys of the text. */
  counters: [number, number];
}

function seedOf({ privateKey, chain }: ImportedKey): Seed {
  const root = extendedKeyOfSeed(privateKey);
  const children = [0, 1].map((branch) => privateChildren(deriveKey(root, [HARDENED, HARDENED + branch])));
  return {
    id: hash160(publicKeyOf(privateKey)),
    active: chain === 'seed',
    keyAt: (branch, index) =>
      byteText(publicKeyOf(children[branch]?.(HARDENED + index).privateKey ?? privateKey)),
    counters: [0, 0],
  };
}

function recordsOfKey(key: ImportedKey, seeds: readonly Seed[], network: Network | undefined): RawRecord[] {
  const { createTime, label, addresses } = key;
  const stored = makeStoredKey(key);
  const { publicKey } = stored;
  const hd = placeOf(key, publicKey, seeds);
  return [
    writeRecord({ type: 'key', ...stored }),
    metadataRecord(publicKey, createTime, hd),
    ...(label === null ? [] : (addresses ?? addressesOf(publicKey, network))).flatMap((address) => [
      writeRecord({ type: 'name', address, label: label ?? '' }),
      writeRecord({ type: 'purpose', address, purpose: 'receive' }),
    ]),
  ];
}

/** The place of a key in a chain. Null unless the seed derives this very key. */
function placeOf({ chain }: ImportedKey, publicKey: Uint8Array, seeds: readonly Seed[]) {
  if (chain === null) return null;
  if (chain === 'seed' || chain === 'old-seed') return { keyPath: 's', seedId: hash160(publicKey) };
  const { branch, index } = chain;
  const seed = seeds.find(({ keyAt }) => keyAt(branch, index) === byteText(publicKey));
  if (!seed) return null;
  seed.counters[branch] = Math.max(seed.counters[branch], index + 1);
  return { keyPath: `m/0'/${branch}'/${index}'`, seedId: seed.id };
}

function chainRecord({ id, counters: [externalCounter, internalCounter] }: Seed): RawRecord {
  return writeRecord({ type: 'hdchain', version: 2, externalCounter, seedId: id, internalCounter });
}

function addressesOf(publicKey: Uint8Array, network: Network | undefined): string[] {
  if (network === undefined) return [];
  return scriptsOfKey(publicKey).flatMap((script) => addressOf(script, network) ?? []);
}
