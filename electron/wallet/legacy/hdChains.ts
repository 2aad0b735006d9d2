/** The chains of keys that a legacy wallet made from seeds, and which of its keys are of them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { HARDENED, readPath } from '../key/extendedKey.ts';
import type { Of } from '../record/recordsByType.ts';

interface HdChains {
  /** The active one first. */
  chains: readonly FoundChain[];
  /** What a key is by its metadata. */
  placeOf(metadata: Of<'keymeta'>): KeyPlace;
}

export interface FoundChain {
  /** Hash160 of the seed's public key: hex, in the order of its bytes. */
  seed: string;
  active: boolean;
  version: number;
  externalCounter: number;
  internalCounter: number;
  /** Of the chain's root, hex; null where no key's record tells. */
  fingerprint: string | null;
}

export type KeyPlace = { of: 'seed' } | { of: 'chain'; covered: boolean } | { of: 'none' };

/**
 * The active chain is a record; the others are put together from their keys. The rules are those of
 * `LoadLegacyWalletRecords` in `walletdb.cpp`. `covered` keys are those that a chain's two descriptors derive again
 * after a migration.
 */
export function hdChains(
  metadataOfKeys: readonly Of<'keymeta'>[],
  active: Of<'hdchain'> | undefined,
): HdChains {
  const found = new Map<string, FoundChain>();
  if (active && !isZero(active.seedId)) {
    const { version, externalCounter, internalCounter } = active;
    const seed = bytesToHex(active.seedId);
    const counters = { externalCounter, internalCounter: internalCounter ?? 0 };
    found.set(seed, { seed, active: true, version, ...counters, fingerprint: null });
  }
  for (const metadata of metadataOfKeys) learn(found, metadata);
  const split = hasInternalChains(active);
  return {
    chains: [...found.values()],
    placeOf: (metadata) => {
      if (isSeed(metadata)) return { of: 'seed' };
      const chain = metadata.hd ? found.get(bytesToHex(metadata.hd.seedId)) : undefined;
      if (!chain) return { of: 'none' };
      const step = chainStepOf(metadata);
      if (!step || (step.internal && !split)) return { of: 'chain', covered: false };
      const counter = step.internal ? chain.internalCounter : chain.externalCounter;
      return { of: 'chain', covered: step.index < counter };
    },
  };
}

/** Whether a migration derives the second chain, for change. The active chain decides that for all. */
export function hasInternalChains(active: Of<'hdchain'> | undefined): boolean {
  return (active?.version ?? WITH_INTERNAL_CHAIN) >= WITH_INTERNAL_CHAIN;
}

/** `VERSION_HD_CHAIN_SPLIT` */
const WITH_INTERNAL_CHAIN = 2;

function learn(found: Map<string, FoundChain>, metadata: Of<'keymeta'>): void {
  const { hd, origin } = metadata;
  if (!hd || hd.keyPath === '' || isZero(hd.seedId)) return;
  const seed = bytesToHex(hd.seedId);
  const step = chainStepOf(metadata);
  if (!step && !isSeed(metadata)) return;
  const chain = found.get(seed) ?? {
    seed,
    active: false,
    version: 1,
    externalCounter: 0,
    internalCounter: 0,
    fingerprint: null,
  };
  found.set(seed, chain);
  if (origin?.known) chain.fingerprint ??= bytesToHex(origin.fingerprint);
  if (chain.active || !step) return;
  const used = step.index + 1;
  if (step.internal) {
    chain.version = WITH_INTERNAL_CHAIN;
    chain.internalCounter = Math.max(chain.internalCounter, used);
  } else chain.externalCounter = Math.max(chain.externalCounter, used);
}

/** Where a key is on its chain: the path is m/0h/0h/index or m/0h/1h/index, all hardened. Null for all other paths. */
export function chainStepOf({ hd, origin }: Of<'keymeta'>): { internal: boolean; index: number } | null {
  const path = origin?.known ? origin.path : readPath(hd?.keyPath ?? '');
  const [account, branch = 0, index = 0] = path ?? [];
  if (path?.length !== 3 || account !== HARDENED || index < HARDENED) return null;
  if (branch !== HARDENED && branch !== HARDENED + 1) return null;
  return { internal: branch === HARDENED + 1, index: index - HARDENED };
}

function isSeed({ hd }: Of<'keymeta'>): boolean {
  return hd?.keyPath === 's' || hd?.keyPath === 'm';
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
