/** Opens a wallet's file for the engine's calls. */

import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/model/errors.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { InspectedDescriptor } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { findingText } from '../../../shared/wording/findings/findingWords.ts';
import type { FileBytes } from '../../walletfile/bytes/byteSource.ts';
import { once } from '../../walletfile/bytes/once.ts';
import { refuseOtherChain } from '../../walletfile/coin/identifyCoin.ts';
import { conditionsOfDescriptors } from '../../walletfile/conditions/conditionsOf.ts';
import { refuseConditions } from '../../walletfile/conditions/conditionTable.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { walkSqlite } from '../../walletfile/database/sqliteWalk.ts';
import { readSqlite } from '../../walletfile/database/walletDatabase.ts';
import { type Descriptor, formOf, isSolvable } from '../../walletfile/descriptor/descriptor.ts';
import { expander } from '../../walletfile/descriptor/descriptorExpand.ts';
import {
  type ScriptSource,
  scriptSourcesOf,
  selectPaidDescriptors,
} from '../../walletfile/descriptor/descriptorScripts.ts';
import { writeAtIndex, writePrivate, writePublic } from '../../walletfile/descriptor/descriptorWrite.ts';
import {
  inferDescriptor,
  type KnownScripts,
  knownScriptsOf,
} from '../../walletfile/descriptor/inferDescriptor.ts';
import {
  eachDescriptor,
  type StoredDescriptor,
  storedDescriptors,
} from '../../walletfile/descriptor/storedDescriptors.ts';
import { describeDescriptor } from '../../walletfile/inspect/inspect.ts';
import { harmfulDamage, legacyWallet } from '../../walletfile/legacy/legacyWallet.ts';
import { addressBookOf, addressMarksOf, countAddresses } from '../../walletfile/records/addressBook.ts';
import { encryptionOf } from '../../walletfile/records/encryption.ts';
import { knownBirth } from '../../walletfile/records/recordShapes.ts';
import {
  type RecordOfType,
  type RecordsByType,
  recordsByType,
  walletFlags,
} from '../../walletfile/records/records.ts';
import { lastBlockOf, timeOf } from '../../walletfile/records/walletTransaction.ts';
import { innerScriptsOf, type Owner, type Ownership } from '../../walletfile/script/script.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { ledgerOf } from './ledger.ts';

export type LoadedWallet = Awaited<ReturnType<typeof openWallet>>;

/**
 * Reads the cheap parts of a file at once; computes scripts and transactions at their first use. Throws AppError for a
 * damaged file, because a wallet with missing parts must not look whole, and throws as `refuseOtherChain` does.
 */
export async function openWallet({ bytes, kind: format, network, isProved = false }: WalletFile) {
  const {
    records: entries,
    problems,
    network: ofHeader,
  } = isProved
    ? { records: walkSqlite(bytes).rows, problems: [], network }
    : format === 'sqlite'
      ? await readSqlite(bytes)
      : readBerkeley(bytes, 'refuse', undefined, true);
  const records = isProved ? recordsByType(entries) : readUndamaged(entries, format);
  if (!isProved) {
    refuseOtherChain(records, network, { doing: 'load', ofHeader });
    if (format === 'sqlite') refuseConditions(conditionsOfDescriptors(records, network));
  }
  const view = format === 'sqlite' ? descriptorView(records, network) : legacyView(records, network);
  const lastBlock = lastBlockOf(records);
  const summary = summaryOf(records, view);
  const addressBook = addressBookOf(records);
  const marks = once(() => addressMarksOf(records, addressBook, network));
  return {
    kind: view.kind,
    network,
    summary,
    /** An entry without a label is change. */
    addressBook,
    /** Warnings for the result of a load, in addition to the release's own. */
    warnings: problems.map(({ finding }) => findingText(finding)),
    /** Null for a wallet without encryption. */
    encryption: encryptionOf(records),
    descriptors: view.descriptors,
    /** Coins and balances. Computed at the first use, which can take seconds. */
    ledger: once(async () => {
      const transactions = records.of('tx');
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        ownership: await view.ownership(transactions),
        marks: marks(),
        lastBlock,
        network,
        avoidsReuse: summary.flags.includes('avoid_reuse'),
        watches: view.watches,
      });
    }),
    /** The wallet's relation to an output script; null for none. Computed at the first use, which can take seconds. */
    scripts: once(async () => {
      const relationTo = await view.relations();
      const { isChange } = marks();
      return (script: Uint8Array) => {
        const relation = relationTo(script);
        return relation && scriptInfo(script, relation, isChange(bytesToHex(script)));
      };
    }),
  };
}

/** What `openWallet` finds in a wallet that a migration has just made, without its costly parts. */
export function provedFacts(records: RecordsByType, network: Network) {
  return {
    kind: 'descriptor' as const,
    warnings: [],
    encryption: encryptionOf(records),
    summary: summaryOf(records, descriptorFacts(records, eachDescriptor(records, network))),
    addresses: countAddresses(records),
  };
}

function summaryOf(records: RecordsByType, view: Pick<WalletKindReader, 'summary' | 'births'>) {
  const times = records.of('tx').map(timeOf);
  const flags = walletFlags(records.one('flags')?.flags ?? 0n);
  const lastBlock = lastBlockOf(records);
  return {
    ...view.summary,
    version: versionOf(records),
    transactions: times.length,
    /** Names as in `getwalletinfo.flags`. */
    flags,
    /** Whether it has no private keys. */
    isWatchOnly: flags.includes('disable_private_keys'),
    /** Unix seconds of the first key or script; null if the wallet has none. */
    birthTime: view.births && firstOf([...view.births, ...times]),
    /** The wallet's last block. The file contains no height; null if it is uncertain. */
    lastBlock: lastBlock && { hash: lastBlock.hash, height: lastBlock.height },
    /** Unix seconds of the newest transaction, or null. */
    lastActivity: times.length > 0 ? times.reduce((one, other) => Math.max(one, other), 0) : null,
  };
}

interface WalletFile {
  readonly bytes: FileBytes;
  readonly kind: 'bdb' | 'sqlite';
  readonly network: Network;
  /** Whether a migration has just written and proved these bytes, SQLite's check included. */
  readonly isProved?: boolean;
}

function scriptInfo(script: Uint8Array, { owner, parents, descriptor, known }: Relation, change: boolean) {
  return {
    mine: owner === 'spendable',
    watched: owner === 'watched',
    change: owner !== null && change,
    solvable: descriptor !== null,
    descriptor,
    parents,
    ...innerScriptsOf(script, known.scripts),
  };
}

function firstOf(times: readonly number[]): number | null {
  return times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : null;
}

function readUndamaged(entries: readonly RawRecord[], format: WalletFile['kind']): RecordsByType {
  const records = recordsByType(entries);
  const damaged = harmfulDamage(records, format === 'bdb' ? 'berkeley-db' : 'sqlite');
  const [first] = damaged;
  if (!first) return records;
  throw new FileError('not_a_wallet', {
    code: 'records_damaged',
    count: damaged.length,
    type: first.name,
  });
}

function descriptorView(records: RecordsByType, network: Network): WalletKindReader {
  const descriptors = storedDescriptors(records, network);
  return {
    kind: 'descriptor',
    ...descriptorFacts(records, descriptors),
    watches: false,
    descriptors: (secrets, masterKey) =>
      wholeDescriptors(descriptors)
        .map((stored) => describe(stored, secrets, masterKey))
        .sort((a, b) => (a.text < b.text ? -1 : 1)),
    ownership: async (transactions) => {
      const paid = selectPaidDescriptors(
        wholeDescriptors(descriptors),
        transactions,
        Number.POSITIVE_INFINITY,
      );
      const sources = await scriptSourcesOf(paid);
      return { ownerOf: (script) => (sources.has(bytesToHex(script)) ? 'spendable' : null) };
    },
    relations: async () => {
      const sources = await scriptSourcesOf(wholeDescriptors(descriptors));
      const texts = new Map<StoredDescriptor, ParentTexts>();
      const textsOf = ({ stored, descriptor }: ScriptSource) => {
        const plain = () => writePublic(descriptor);
        const own = texts.get(stored) ?? {
          normalised: describeDescriptor(stored).text ?? plain(),
          plain: plain(),
        };
        texts.set(stored, own);
        return own;
      };
      return (script) => {
        const found = sources.get(bytesToHex(script));
        const [first] = found ?? [];
        if (!found || !first) return null;
        const { descriptor, stored, index } = first;
        const { keys, innerScripts } = expander(descriptor, stored.sources(null))(index);
        const known = knownScriptsOf(keys, innerScripts);
        const form = formOf(descriptor);
        // Keys alone do not show the scripts of a taproot output, or the Miniscript of a script.
        const needsDescriptor =
          form === 'miniscript' || (descriptor.script.kind === 'tr' && form !== 'musig');
        const own = needsDescriptor
          ? writeAtIndex(descriptor, keys)
          : writeSolvable(inferDescriptor(script, known, network));
        return { owner: 'spendable', parents: found.map(textsOf), descriptor: own, known };
      };
    },
  };
}

function descriptorFacts(records: RecordsByType, descriptors: Iterable<StoredDescriptor>) {
  const ready = { external: 0, internal: 0 };
  const births: number[] = [];
  for (const { active, record } of descriptors) {
    births.push(knownBirth(record.createTime));
    if (active) ready[active.internal ? 'internal' : 'external'] += record.rangeEnd - record.nextIndex;
  }
  const keys = {
    plain: records.entries('walletdescriptorkey').length,
    encrypted: records.entries('walletdescriptorckey').length,
    descriptors: births.length,
  };
  return { summary: { keypool: { ...ready, oldest: null }, hdSeedId: null, keys }, births };
}

/** Throws AppError for a damaged descriptor, because a list without it would look complete. */
function wholeDescriptors(descriptors: readonly StoredDescriptor[]): readonly StoredDescriptor[] {
  for (const { parseResult } of descriptors) if (parseResult instanceof AppError) throw parseResult;
  return descriptors;
}

function describe(stored: StoredDescriptor, secrets: 'public' | 'private', masterKey: Uint8Array | null) {
  const inspected = describeDescriptor(stored);
  const { descriptor, sources } = stored;
  const text =
    secrets === 'private'
      ? descriptor && writePrivate(descriptor, sources(masterKey).privateKeys)
      : inspected.text;
  if (text !== null) return { ...inspected, text };
  const how = secrets === 'private' ? ' with its private keys' : '';
  throw new RpcError(
    'wallet',
    `The wallet has a descriptor of a kind that the engine cannot write${how}. A node can.`,
  );
}

function legacyView(records: RecordsByType, network: Network): WalletKindReader {
  const owned = once(() => legacyWallet(records));
  const chain = records.one('hdchain');
  const plain = records.of('key').length + records.of('wkey').length;
  const encrypted = records.of('ckey').length;
  return {
    kind: 'legacy',
    summary: {
      keypool: keypoolOf(records),
      hdSeedId: chain?.seedId.some((byte) => byte !== 0) ? bytesToHex(chain.seedId.toReversed()) : null,
      keys: { plain, encrypted, descriptors: 0 },
    },
    births: birthsOf(records, plain + encrypted),
    watches: records.of('watchs').length > 0,
    descriptors: () => [],
    // Without transactions nothing needs an owner, and the scripts need not be computed.
    ownership: async (transactions) => (transactions.length > 0 ? owned() : { ownerOf: () => null }),
    relations: async () => {
      const wallet = owned();
      const { scripts, known } = wallet;
      return (script) => {
        const owner = wallet.ownerOf(script);
        if (owner === null && !scripts.solvable.has(bytesToHex(script))) return null;
        const descriptor = writeSolvable(inferDescriptor(script, known, network));
        return { owner, parents: [], descriptor, known };
      };
    },
  };
}

function writeSolvable(descriptor: Descriptor): string | null {
  return isSolvable(descriptor) ? writePublic(descriptor) : null;
}

/** `FEATURE_HD_SPLIT`: wallets from this version on have a separate chain for change. */
const HD_SPLIT = 139900;

function keypoolOf(records: RecordsByType) {
  const pool = records.of('pool').toSorted((a, b) => a.index - b.index);
  const internal = pool.filter((record) => record.internal === true);
  const external = pool.filter((record) => record.internal !== true);
  const split = versionOf(records) >= HD_SPLIT;
  const first = [external[0], split ? internal[0] : undefined].flatMap((record) => record?.time ?? []);
  return {
    external: external.length,
    internal: split ? internal.length : null,
    oldest: first.length > 0 ? Math.max(...first) : null,
  };
}

/** Contains 1 for a key or script of unknown age; null without any. */
function birthsOf(records: RecordsByType, keys: number): readonly number[] | null {
  const known = [...records.of('keymeta'), ...records.of('watchmeta')].map(({ createTime }) =>
    Math.max(knownBirth(createTime), 1),
  );
  const all = keys + records.of('watchs').length;
  if (all === 0) return null;
  return known.length < all ? [...known, 1] : known;
}

interface WalletKindReader {
  readonly kind: 'legacy' | 'descriptor';
  readonly summary: {
    /** Unused addresses. `internal`: null for wallets without a separate chain for change. */
    readonly keypool: {
      readonly external: number;
      readonly internal: number | null;
      /** Unix seconds; null for descriptor wallets. */
      readonly oldest: number | null;
    };
    /** Hex, last byte first; null without HD or for descriptor wallets. */
    readonly hdSeedId: string | null;
    readonly keys: { readonly plain: number; readonly encrypted: number; readonly descriptors: number };
  };
  /** Creation times of keys and scripts in Unix seconds; null without any. */
  readonly births: readonly number[] | null;
  readonly watches: boolean;
  /**
   * Descriptors sorted by their text; none for a legacy wallet. In private form as far as the keys are plain or
   * the master key is given. Throws AppError for a damaged one.
   */
  descriptors(
    secrets: 'public' | 'private',
    masterKey: Uint8Array | null,
  ): readonly (InspectedDescriptor & { readonly text: string })[];
  /** The owners of all scripts of these transactions. */
  ownership(transactions: readonly RecordOfType<'tx'>[]): Promise<Ownership>;
  /** The wallet's relation to a script; null for a script that is not the wallet's. */
  relations(): Promise<(script: Uint8Array) => Relation | null>;
}

/** `normalised`: with the key behind the last hardened step and its origin, as in `listdescriptors`. `plain`: as stored. */
interface ParentTexts {
  readonly normalised: string;
  readonly plain: string;
}

interface Relation {
  /** Null if the wallet can only help to sign. */
  readonly owner: Owner | null;
  /** The public descriptors that produce the script; none for a legacy wallet. */
  readonly parents: readonly ParentTexts[];
  /** Of this script alone; null if the wallet cannot solve it. */
  readonly descriptor: string | null;
  readonly known: KnownScripts;
}

/** `FEATURE_BASE`, the version of a wallet that records none. */
const FIRST_VERSION = 10500;

/** As `getwalletinfo.walletversion` shows it: 169900 for all wallets that can be in use today. */
function versionOf(records: RecordsByType): number {
  return records.one('minversion')?.version ?? FIRST_VERSION;
}
