/**
 * A legacy wallet as its file describes it: its keys, key chains and scripts. Inspections, previews, migrations and their proofs all
 * use this model.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { InspectedFile } from '../../../shared/model/inspection.ts';
import { once } from '../bytes/once.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';
import { damagedError } from '../database/problemLog.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { KeyOrigin } from '../descriptor/descriptor.ts';
import type { KnownScripts } from '../descriptor/inferDescriptor.ts';
import {
  deriveChild,
  type ExtendedPrivateKey,
  HARDENED,
  privateChildDeriver,
  readPath,
} from '../keys/extendedKey.ts';
import {
  type DamagedRecord,
  flagsOf,
  hasFlag,
  hasLegacyRecords,
  isRecordType,
  type RecordOfType,
  type RecordsByType,
  type RecordType,
  recordsByType,
} from '../records/records.ts';
import type { Owner, Ownership } from '../script/script.ts';
import { type LegacyKey, type LegacyKeys, legacyKeys } from './legacyKeys.ts';
import { legacyScripts } from './legacyScripts.ts';

export type LegacyWallet = ReturnType<typeof legacyWallet>;

/** Never throws: leaves out damaged records. Computes what takes time on first use. */
export function legacyWallet(records: RecordsByType) {
  const keys = legacyKeys(records);
  const activeChain = records.one('hdchain');
  const chains = hdChains(records.of('keymeta'), activeChain);
  const bySeed = new Map(chains.map((chain) => [chain.seedHash, chain]));
  const split = hasInternalChains(activeChain);
  const stored = once(() => ({
    scripts: records.of('cscript').map(({ script }) => script),
    // The record of a script that is no longer watched stays in the file, with another byte than the character `1`.
    watched: records.of('watchs').flatMap(({ script, watched }) => (watched === 0x31 ? [script] : [])),
  }));
  const scripts = once(() => legacyScripts(keys, stored()));
  // The scripts that remain without the watched ones are those that the wallet can spend.
  const spendable = once(() =>
    stored().watched.length > 0 ? legacyScripts(keys, { ...stored(), watched: [] }).mine : scripts().mine,
  );
  const origins = once(() => originsOf(records.of('keymeta'), keys));
  const flags = flagsOf(records);
  return {
    records,
    keys,
    /** The active chain first. */
    chains,
    /** Whether chains have a second branch for change. */
    hasInternalChains: split,
    /** The key from which a chain derives; undefined if the file lacks it. */
    seedOf: ({ seedHash }: HdChain) => keys.ofHash(seedHash),
    /** The chain of a key by its metadata; undefined for seeds and other keys. */
    chainOf({ metadata }: LegacyKey): HdChain | undefined {
      if (!metadata?.hd || bySeed.size === 0 || isSeed(metadata)) return undefined;
      return bySeed.get(toLatin1(metadata.hd.seedId));
    },
    /** Whether a chain's descriptors will derive its key again, by the key's metadata and the chain's counters. */
    isCounted({ metadata }: Pick<LegacyKey, 'metadata'>, chain: HdChain): boolean {
      const step = metadata && chainStepOf(metadata);
      if (!step || (step.branch === 1 && !split)) return false;
      return step.index < counterOf(chain, step.branch);
    },
    ownerOf(script: Uint8Array): Owner | null {
      if (keys.ofScript(script)) return 'spendable';
      const { mine } = scripts();
      if (mine.size === 0) return null;
      const hex = bytesToHex(script);
      if (!mine.has(hex)) return null;
      return spendable().has(hex) ? 'spendable' : 'watched';
    },
    /**
     * Known scripts outside of the balance, because the wallet can only help to sign for them, or nobody can spend them. Null if
     * there are none.
     */
    get others(): Ownership | null {
      const { solvable, notMine } = scripts();
      if (solvable.size + notMine.size === 0) return null;
      return {
        ownerOf(script) {
          const hex = bytesToHex(script);
          return solvable.has(hex) || notMine.has(hex) ? 'watched' : null;
        },
      };
    },
    /** Its scripts, except those of single keys. */
    get scripts() {
      return scripts();
    },
    /** All keys, scripts and key origins in the file. */
    get known(): KnownScripts {
      return { publicKeys: scripts().publicKeys, scripts: scripts().scripts, origins: origins() };
    },
    /** Bits of `WalletFlags`. */
    flags,
    /** Whether its flags forbid private keys. */
    watchesOnly: hasFlag(flags, 'disable_private_keys'),
    /** Whether it has a record of a type that only legacy wallets have. */
    isLegacy: hasLegacyRecords(records),
  };
}

/** The origin of a key by its metadata, or else the key itself. `hash`: `toLatin1` of its hash160. Source: `LegacyDataSPKM::GetKeyOrigin`. */
export function originOf(hash: string, { origin }: RecordOfType<'keymeta'>): KeyOrigin {
  if (origin?.known) return { fingerprint: bytesToHex(origin.fingerprint), path: origin.path };
  return { fingerprint: bytesToHex(fromLatin1(hash.slice(0, 4))), path: [] };
}

/** By the `toLatin1` of the key's hash160. */
function originsOf(metadata: readonly RecordOfType<'keymeta'>[], keys: LegacyKeys): Map<string, KeyOrigin> {
  return new Map(
    metadata.map((record) => {
      const hash = keys.ofPublicKey(record.publicKey)?.hash ?? quickHash160(record.publicKey);
      return [hash, originOf(hash, record)];
    }),
  );
}

/**
 * Reads the entries of a file, which must be in the order of their keys. Throws AppError `not_a_wallet` for damaged records, and
 * `wallet_error` for `wkey` records, which Bitcoin Core 31 does not migrate either.
 */
export function readLegacyWallet(entries: Iterable<RawRecord>): LegacyWallet {
  const records = recordsByType(entries);
  if (records.entries('wkey').length > 0) {
    throw new FileError('wallet_error', { code: 'keys_with_expiry' });
  }
  const found = records.types
    .filter(isRecordType)
    .filter((type) => !HARMLESS_TYPES.has(type) && !REPLACED_TYPES.has(type) && !ABSENT_IF_DAMAGED.has(type))
    .map((type) => ({ type, count: records.damagedOf(type).length }))
    .filter(({ count }) => count > 0);
  if (found.length > 0) throw damagedError({ code: 'types_unreadable', types: found });
  return legacyWallet(records);
}

/**
 * Types whose damage does no harm: releases from 30 on do not read them, and go on without the next position of a transaction
 * (`LoadTxRecords` in `walletdb.cpp`).
 */
export const HARMLESS_TYPES: ReadonlySet<string> = new Set([
  'acc',
  'acentry',
  'settings',
  'setting',
  'minversion',
  'orderposnext',
] satisfies RecordType[]);

/**
 * Types of a legacy wallet whose damaged records count as absent on every release from 22 on (`LoadWalletFlags` and `ReadBestBlock` in
 * `walletdb.cpp`).
 */
export const ABSENT_IF_DAMAGED: ReadonlySet<string> = new Set([
  'flags',
  'bestblock',
  'bestblock_nomerkle',
] satisfies RecordType[]);

/** The damaged records that a node needs. Every release from 23 on ignores the others. `format`: the kind of the file. */
export function harmfulDamage(
  records: RecordsByType,
  format: InspectedFile['format']['kind'],
): DamagedRecord[] {
  return records.unread().damaged.filter(({ name }) => !isHarmless(name, format));
}

/** Whether every release from 23 on goes on without a damaged record of this type. */
export function isHarmless(type: string, format: InspectedFile['format']['kind']): boolean {
  return HARMLESS_TYPES.has(type) || (format === 'berkeley-db' && ABSENT_IF_DAMAGED.has(type));
}

/** A migration does not need the key pool, whose keys have their own records, or the version, which it replaces. */
export const REPLACED_TYPES: ReadonlySet<RecordType> = new Set(['pool', 'version'] as const);

export interface HdChain {
  /** The `toLatin1` of the hash160 of the seed's public key. */
  seedHash: string;
  active: boolean;
  version: number;
  externalCounter: number;
  internalCounter: number;
  /** The fingerprint of the chain's root, hex; null if no key's metadata has it. */
  fingerprint: string | null;
}

/** The id of a chain's seed as `getwalletinfo` shows it. */
export function seedIdOf({ seedHash }: HdChain): string {
  return bytesToHex(fromLatin1(seedHash).reverse());
}

/**
 * The active chain, which has a record, and then the chains that only the metadata of their keys reveals. Source:
 * `LoadLegacyWalletRecords` in `walletdb.cpp`.
 */
export function hdChains(
  metadataOfKeys: readonly RecordOfType<'keymeta'>[],
  active: RecordOfType<'hdchain'> | undefined,
): readonly HdChain[] {
  const found = new Map<string, HdChain>();
  if (active && !isZero(active.seedId)) {
    const { version, externalCounter } = active;
    const internalCounter = active.internalCounter ?? 0;
    const seedHash = toLatin1(active.seedId);
    found.set(seedHash, { ...UNUSED, seedHash, active: true, version, externalCounter, internalCounter });
  }
  for (const metadata of metadataOfKeys) learn(found, metadata);
  return [...found.values()];
}

/** Whether a migration derives the branch for change. The active chain decides for all chains. */
function hasInternalChains(active: RecordOfType<'hdchain'> | undefined): boolean {
  return (active?.version ?? WITH_INTERNAL_CHAIN) >= WITH_INTERNAL_CHAIN;
}

/** `VERSION_HD_CHAIN_SPLIT` */
const WITH_INTERNAL_CHAIN = 2;

/** A chain without any known facts yet. */
const UNUSED = { active: false, version: 1, externalCounter: 0, internalCounter: 0, fingerprint: null };

function learn(found: Map<string, HdChain>, metadata: RecordOfType<'keymeta'>): void {
  const { hd, origin } = metadata;
  if (!hd || hd.keyPath === '' || isZero(hd.seedId)) return;
  const step = chainStepOf(metadata);
  if (!step && !isSeed(metadata)) return;
  const seedHash = toLatin1(hd.seedId);
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

/** How many keys the wallet has taken from a branch. */
export function counterOf(chain: HdChain, branch: Branch): number {
  return branch === 1 ? chain.internalCounter : chain.externalCounter;
}

/** The path of a chain's key in its metadata. */
export function keyPathOf(branch: Branch, index: number): string {
  return `m/0'/${branch}'/${index}'`;
}

/**
 * A function that derives the private keys of a branch and their chain codes, by their index, from the root of its chain
 * (`DeriveNewChildKey`).
 */
export function branchChildren(root: ExtendedPrivateKey, branch: Branch) {
  const child = privateChildDeriver(deriveChild(root, [HARDENED, HARDENED + branch]));
  return (index: number) => child(HARDENED + index);
}

/** The same without the chain codes. */
export function branchKeys(root: ExtendedPrivateKey, branch: Branch): (index: number) => Uint8Array {
  const child = branchChildren(root, branch);
  return (index) => child(index).privateKey;
}

/** A key of the wallet that a chain derives. */
export interface DerivedKey {
  readonly key: LegacyKey;
  readonly chainCode: Uint8Array;
}

/** The wallet's keys that its chains derive, by their branch and index. */
export type DerivedKeys = ReadonlyMap<HdChain, Readonly<Record<Branch, readonly DerivedKey[]>>>;

/** The position of a key on its chain, from a path m/0h/0h/index or m/0h/1h/index, all hardened. Null for other paths. */
export function chainStepOf({
  hd,
  origin,
}: RecordOfType<'keymeta'>): { branch: Branch; index: number } | null {
  const path = origin?.known ? origin.path : readPath(hd?.keyPath ?? '');
  const [account, branch = 0, index = 0] = path ?? [];
  if (path?.length !== 3 || account !== HARDENED || index < HARDENED) return null;
  if (branch !== HARDENED && branch !== HARDENED + 1) return null;
  return { branch: branch === HARDENED ? 0 : 1, index: index - HARDENED };
}

/** Whether a node counts the first address of the chain as used, and needs its key, because of the seed's metadata (`LoadLegacyWalletRecords`). */
export function needsFirstKey({ active }: HdChain, seed: LegacyKey | undefined): boolean {
  return !active && !!seed?.metadata && isSeed(seed.metadata);
}

export function isSeed({ hd }: RecordOfType<'keymeta'>): boolean {
  return hd?.keyPath === 's' || hd?.keyPath === 'm';
}

/**
 * Whether the wallet never had the private key: `importmulti` stores the origin of each public key in a script, without a birth
 * (`AddKeyOriginWithDB`).
 */
export function isOfOthersKey({ createTime, hd, origin }: RecordOfType<'keymeta'>): boolean {
  return createTime === 0 && origin?.known === true && hd !== null && isZero(hd.seedId);
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
