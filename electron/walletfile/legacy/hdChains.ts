/** The chains of keys that a legacy wallet made from seeds. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { byteText } from '../bytes/byteText.ts';
import { HARDENED, readPath } from '../keys/extendedKey.ts';
import type { Of } from '../records/recordsByType.ts';

export interface HdChain {
  /** The `byteText` of the hash160 of the seed's public key. */
  seedHash: string;
  active: boolean;
  version: number;
  externalCounter: number;
  internalCounter: number;
  /** Of the chain's root, hex; null where no key's record tells. */
  fingerprint: string | null;
}

/**
 * The active one, which is a record, first; the others are put together from their keys. The rules are those of
 * `LoadLegacyWalletRecords` in `walletdb.cpp`.
 */
export function hdChains(
  metadataOfKeys: readonly Of<'keymeta'>[],
  active: Of<'hdchain'> | undefined,
): readonly HdChain[] {
  const found = new Map<string, HdChain>();
  if (active && !isZero(active.seedId)) {
    const { version, externalCounter } = active;
    const internalCounter = active.internalCounter ?? 0;
    const seedHash = byteText(active.seedId);
    found.set(seedHash, { ...UNUSED, seedHash, active: true, version, externalCounter, internalCounter });
  }
  for (const metadata of metadataOfKeys) learn(found, metadata);
  return [...found.values()];
}

/** Whether a migration derives the second chain, for change. The active chain decides that for all. */
export function hasInternalChains(active: Of<'hdchain'> | undefined): boolean {
  return (active?.version ?? WITH_INTERNAL_CHAIN) >= WITH_INTERNAL_CHAIN;
}

/** `VERSION_HD_CHAIN_SPLIT` */
const WITH_INTERNAL_CHAIN = 2;

/** A chain of which nothing is known yet. */
const UNUSED = { active: false, version: 1, externalCounter: 0, internalCounter: 0, fingerprint: null };

function learn(found: Map<string, HdChain>, metadata: Of<'keymeta'>): void {
  const { hd, origin } = metadata;
  if (!hd || hd.keyPath === '' || isZero(hd.seedId)) return;
  const step = chainStepOf(metadata);
  if (!step && !isSeed(metadata)) return;
  const seedHash = byteText(hd.seedId);
  const chain = found.get(seedHash) ?? { ...UNUSED, seedHash };
  found.set(seedHash, chain);
  if (origin?.known) chain.fingerprint ??= bytesToHex(origin.fingerprint);
  if (chain.active || !step) return;
  const used = step.index + 1;
  if (step.branch === 1) {
    chain.version = WITH_INTERNAL_CHAIN;
    chain.internalCounter = Math.max(chain.internalCounter, used);
  } else chain.externalCounter = Math.max(chain.externalCounter, used);
}

/** 0 for addresses, 1 for change. */
export type Branch = 0 | 1;

/** Where a key is on its chain: the path is m/0h/0h/index or m/0h/1h/index, all hardened. Null for all other paths. */
export function chainStepOf({ hd, origin }: Of<'keymeta'>): { branch: Branch; index: number } | null {
  const path = origin?.known ? origin.path : readPath(hd?.keyPath ?? '');
  const [account, branch = 0, index = 0] = path ?? [];
  if (path?.length !== 3 || account !== HARDENED || index < HARDENED) return null;
  if (branch !== HARDENED && branch !== HARDENED + 1) return null;
  return { branch: branch === HARDENED ? 0 : 1, index: index - HARDENED };
}

export function isSeed({ hd }: Of<'keymeta'>): boolean {
  return hd?.keyPath === 's' || hd?.keyPath === 'm';
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
