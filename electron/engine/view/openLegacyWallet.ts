/** A legacy wallet as the engine's calls see it: to look at, never to write. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/network.ts';
import { isSolvable } from '../../wallet/descriptor/descriptor.ts';
import { writePublic } from '../../wallet/descriptor/descriptorWrite.ts';
import { inferDescriptor, type Known } from '../../wallet/descriptor/inferDescriptor.ts';
import { addressMarksOf } from '../../wallet/legacy/addressMarks.ts';
import { legacyWallet } from '../../wallet/legacy/legacyWallet.ts';
import { addressBookOf } from '../../wallet/record/addressBook.ts';
import { encryptionOf } from '../../wallet/record/encryption.ts';
import type { RecordsByType } from '../../wallet/record/recordsByType.ts';
import { innerScriptsOf } from '../../wallet/script/script.ts';
import { commonSummary, earliest } from './commonSummary.ts';
import { lazily } from './lazily.ts';
import { ledgerOf } from './ledger.ts';
import type { LoadedWallet, ScriptInfo, WalletSummary } from './loadedWallet.ts';

/** Reads only what is cheap; scripts and transactions are worked out when they are first asked for. */
export function openLegacyWallet(records: RecordsByType, network: Network): LoadedWallet {
  const addressBook = addressBookOf(records);
  const summary = summaryOf(records);
  const owned = lazily(async () => legacyWallet(records));
  const marks = () => addressMarksOf(records, addressBook, network);
  return {
    kind: 'legacy',
    network,
    summary,
    addressBook,
    warnings: [],
    encryption: encryptionOf(records),
    descriptors: () => [],
    ledger: lazily(async () => {
      const transactions = records.of('tx');
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        // Without a transaction there is nothing to be whose, and the scripts need not be worked out.
        ownership: transactions.length > 0 ? await owned() : { of: () => null },
        marks: marks(),
        lastBlock: summary.lastBlock,
        avoidsReuse: summary.avoidReuse,
        watches: records.of('watchs').length > 0,
      });
    }),
    scripts: lazily(async () => {
      const wallet = await owned();
      const { scripts, known } = wallet;
      const { isChange } = marks();
      return {
        info: (script) => {
          const hex = bytesToHex(script);
          const owner = wallet.of(script);
          if (owner === null && !scripts.solvable.has(hex)) return null;
          const change = owner !== null && isChange(hex);
          const standing = { mine: owner === 'spendable', watched: owner === 'watched', change };
          return { ...standing, ...solved(script, known, network) };
        },
      };
    }),
  };
}

function solved(script: Uint8Array, known: Known, network: Network) {
  const inferred = inferDescriptor(script, known, network);
  const solvable = isSolvable(inferred);
  const descriptor = solvable ? writePublic(inferred) : null;
  return {
    solvable,
    descriptor,
    parents: [],
    ...innerScriptsOf(script, known.scripts),
  } satisfies Partial<ScriptInfo>;
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
