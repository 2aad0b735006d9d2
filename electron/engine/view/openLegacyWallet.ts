/** A legacy wallet as the engine's calls see it: to look at, never to write. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model.ts';
import type { KeyOrigin } from '../../wallet/descriptor.ts';
import { writePublic } from '../../wallet/descriptorWrite.ts';
import { inferDescriptor, type Known } from '../../wallet/inferDescriptor.ts';
import { legacyScripts } from '../../wallet/legacyScripts.ts';
import type { ParsedRecords } from '../../wallet/records.ts';
import { hash160 } from '../../wallet/script.ts';
import type { LoadedWallet, ScriptInfo, WalletSummary } from '../loadedWallet.ts';
import { addressBookOf } from './addressBook.ts';
import { addressMarksOf } from './addressMarks.ts';
import { commonSummary, earliest } from './commonSummary.ts';
import { encryptionOf } from './encryption.ts';
import { innerScriptsOf } from './innerScripts.ts';
import { lazily } from './lazily.ts';
import { ledgerOf } from './ledger.ts';
import { type Of, type RecordsByType, recordsByType } from './recordsByType.ts';

/** Reads only what is cheap; scripts and transactions are worked out when they are first asked for. */
export function openLegacyWallet(parsed: ParsedRecords, network: Network): LoadedWallet {
  const records = recordsByType(parsed);
  const addressBook = addressBookOf(records);
  const summary = summaryOf(records);
  const owned = lazily(async () => ownedScripts(records));
  const marks = () => addressMarksOf(records, addressBook, network);
  return {
    kind: 'legacy',
    network,
    summary,
    addressBook,
    warnings: [],
    encryption: encryptionOf(records, records.of('ckey')[0] ?? null),
    descriptors: () => [],
    ledger: lazily(async () => {
      const transactions = records.of('tx');
      // Without a transaction there is nothing to be whose, and the scripts need not be worked out.
      const ownerOf = transactions.length > 0 ? (await owned()).ownerOf : () => null;
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        ownership: { of: ownerOf, ...marks() },
        lastBlock: summary.lastBlock,
        avoidsReuse: summary.avoidReuse,
        watches: records.of('watchs').length > 0,
      });
    }),
    scripts: lazily(async () => {
      const { scripts, ownerOf } = await owned();
      const known = { ...scripts, scripts: scripts.known, origins: originsOf(records) };
      const inner = [...scripts.known.values()];
      const { isChange } = marks();
      return {
        info: (script) => {
          const hex = bytesToHex(script);
          const owner = ownerOf(hex);
          if (owner === null && !scripts.solvable.has(hex)) return null;
          const change = owner !== null && isChange(hex);
          const ownership = { mine: owner === 'mine', watched: owner === 'watched', change };
          return { ...ownership, ...solved(script, known, inner, network) };
        },
      };
    }),
  };
}

function ownedScripts(records: RecordsByType) {
  const holdings = holdingsOf(records);
  const scripts = legacyScripts(holdings);
  // Without what is only watched, what is left is what the wallet can spend.
  const spendable =
    holdings.watched.length > 0 ? legacyScripts({ ...holdings, watched: [] }).mine : scripts.mine;
  const ownerOf = (hex: string) => (spendable.has(hex) ? 'mine' : scripts.mine.has(hex) ? 'watched' : null);
  return { scripts, ownerOf };
}

function solved(script: Uint8Array, known: Known, inner: readonly Uint8Array[], network: Network) {
  const inferred = inferDescriptor(script, known, network);
  const solvable = inferred.script.kind !== 'addr' && inferred.script.kind !== 'raw';
  const descriptor = solvable ? writePublic(inferred) : null;
  return {
    solvable,
    descriptor,
    parents: [],
    ...innerScriptsOf(script, inner),
  } satisfies Partial<ScriptInfo>;
}

function holdingsOf(records: RecordsByType) {
  return {
    ownKeys: [...records.of('key'), ...records.of('wkey'), ...records.of('ckey')].map(
      ({ publicKey }) => publicKey,
    ),
    scripts: records.of('cscript').map(({ script }) => script),
    watched: records.of('watchs').flatMap(({ script, watched }) => (watched === WATCHED ? [script] : [])),
  };
}

/** The character `1`. */
const WATCHED = 0x31;

/** A key without a known origin is its own: `[its fingerprint]`. Source: `LegacySPKM::GetKeyOrigin`. */
function originsOf(records: RecordsByType): Map<string, KeyOrigin> {
  return new Map(
    [...records.of('keymeta')].map((record) => {
      const keyHash = hash160(record.publicKey);
      const own = { fingerprint: bytesToHex(keyHash.subarray(0, 4)), path: [] };
      return [bytesToHex(keyHash), knownOrigin(record) ?? own];
    }),
  );
}

function knownOrigin({ origin }: Of<'keymeta'>): KeyOrigin | null {
  return origin?.known ? { fingerprint: bytesToHex(origin.fingerprint), path: origin.path } : null;
}

function summaryOf(records: RecordsByType): WalletSummary {
  const common = commonSummary(records);
  const chain = records.one('hdchain');
  const plain = records.of('key').length + records.of('wkey').length;
  const encrypted = records.of('ckey').length;
  return {
    ...common,
    keypool: keypoolOf(records, common.version),
    hdSeedId: chain?.seedId.some((byte) => byte !== 0) ? bytesToHex(chain.seedId.toReversed()) : null,
    birthTime: birthTimeOf(records, plain + encrypted),
    keys: { plain, encrypted, descriptors: 0 },
  };
}

/** `FEATURE_HD_SPLIT`: wallets from this version on have a chain of their own for change. */
const HD_SPLIT = 139900;

function keypoolOf(records: RecordsByType, version: number): WalletSummary['keypool'] {
  const pool = records.of('pool').toSorted((a, b) => a.index - b.index);
  const internal = pool.filter((record) => record.internal === true);
  const external = pool.filter((record) => record.internal !== true);
  const split = version >= HD_SPLIT;
  const first = [external[0], split ? internal[0] : undefined].flatMap((record) => record?.time ?? []);
  return {
    external: external.length,
    internal: split ? internal.length : null,
    oldest: first.length > 0 ? Math.max(...first) : null,
  };
}

/** 1 where a key or script is of unknown age. */
function birthTimeOf(records: RecordsByType, keys: number): number | null {
  const known = [...records.of('keymeta'), ...records.of('watchmeta')].map(({ createTime }) =>
    Math.max(createTime, 1),
  );
  const all = keys + records.of('watchs').length;
  if (all === 0) return null;
  return earliest(records, known.length < all ? [...known, 1] : known);
}
