/** A wallet's file as the engine's calls see it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { findingText } from '../../../shared/wording/findings/findingWords.ts';
import { once } from '../../walletfile/bytes/once.ts';
import { refuseOtherChain } from '../../walletfile/coin/coinOf.ts';
import { conditionsOfDescriptors } from '../../walletfile/conditions/conditionsOf.ts';
import { refuseConditions } from '../../walletfile/conditions/conditionTable.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { readSqlite } from '../../walletfile/database/readSqlite.ts';
import { isSolvable } from '../../walletfile/descriptor/descriptor.ts';
import { writePublic } from '../../walletfile/descriptor/descriptorWrite.ts';
import { addressMarksOf } from '../../walletfile/legacy/addressMarks.ts';
import { UNUSED_TYPES } from '../../walletfile/legacy/legacyWallet.ts';
import { addressBookOf } from '../../walletfile/records/addressBook.ts';
import { encryptionOf } from '../../walletfile/records/encryption.ts';
import { lastBlockOf } from '../../walletfile/records/lastBlock.ts';
import { type RecordsByType, recordsByType } from '../../walletfile/records/recordsByType.ts';
import { walletFlags } from '../../walletfile/records/walletFlags.ts';
import { timeOf } from '../../walletfile/records/walletTransaction.ts';
import { innerScriptsOf } from '../../walletfile/script/script.ts';
import { descriptorView } from './descriptorView.ts';
import { ledgerOf } from './ledger.ts';
import { legacyView } from './legacyView.ts';
import { type Standing, versionOf } from './walletView.ts';

export type LoadedWallet = Awaited<ReturnType<typeof openWallet>>;

/**
 * Reads a file of a known format, and of that only what is cheap; scripts and transactions are worked out when they are
 * first asked for. Throws AppError when it is damaged: a wallet of which something is missing is not loaded as if it were
 * whole. Throws as `refuseOtherChain` does.
 */
export async function openWallet(bytes: Uint8Array, format: 'bdb' | 'sqlite', network: Network) {
  const { records: entries, problems } = format === 'sqlite' ? await readSqlite(bytes) : readBerkeley(bytes);
  const records = whole(entries);
  refuseOtherChain(records, network);
  if (format === 'sqlite') refuseConditions(conditionsOfDescriptors(records, network));
  const view = format === 'sqlite' ? descriptorView(records, network) : legacyView(records, network);
  const times = records.of('tx').map(timeOf);
  const flags = walletFlags(records.one('flags')?.flags ?? 0n);
  const lastBlock = lastBlockOf(records);
  const addressBook = addressBookOf(records);
  const marks = once(() => addressMarksOf(records, addressBook, network));
  return {
    kind: view.kind,
    network,
    summary: {
      ...view.summary,
      version: versionOf(records),
      transactions: times.length,
      /** By their names, as `getwalletinfo.flags` gives them. */
      flags,
      /** Whether it has no private keys. */
      isWatchOnly: flags.includes('disable_private_keys'),
      /** Unix seconds of the first key or script; null when the wallet has none. */
      birthTime: view.births && firstOf([...view.births, ...times]),
      /** The newest block it knew. A wallet's file names the block, not its height: null where that is not certain. */
      lastBlock: lastBlock && { hash: lastBlock.hash, height: lastBlock.height },
      /** Unix seconds of the newest transaction, or null. */
      lastActivity: times.length > 0 ? times.reduce((one, other) => Math.max(one, other), 0) : null,
    },
    /** Without a label: known to the wallet as change. */
    addressBook,
    /** Told when the wallet is loaded, beside what the release itself warns of. */
    warnings: problems.map(({ finding }) => findingText(finding)),
    /** Null for a wallet without encryption. */
    encryption: encryptionOf(records),
    descriptors: view.descriptors,
    /** What the stored transactions come to. Worked out when it is first asked for, which can take seconds. */
    ledger: once(async () => {
      const transactions = records.of('tx');
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        ownership: await view.ownership(transactions),
        marks: marks(),
        lastBlock,
        network,
        avoidsReuse: flags.includes('avoid_reuse'),
        watches: view.watches,
      });
    }),
    /**
     * The wallet's stand to output scripts; null for one that it has nothing to do with. Worked out when it is first asked
     * for, which can take seconds.
     */
    scripts: once(async () => {
      const standingOf = await view.standings();
      const { isChange } = marks();
      return (script: Uint8Array) => {
        const standing = standingOf(script);
        return standing && scriptInfo(script, standing, isChange(bytesToHex(script)));
      };
    }),
  };
}

function scriptInfo(script: Uint8Array, { owner, parents, inferred, known }: Standing, change: boolean) {
  const solvable = isSolvable(inferred);
  return {
    mine: owner === 'spendable',
    watched: owner === 'watched',
    change: owner !== null && change,
    solvable,
    /** Null where the wallet cannot solve the script. */
    descriptor: solvable ? writePublic(inferred) : null,
    parents,
    ...innerScriptsOf(script, known.scripts),
  };
}

function firstOf(times: readonly number[]): number | null {
  return times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : null;
}

function whole(entries: readonly RawRecord[]): RecordsByType {
  const records = recordsByType(entries);
  const damaged = records.unread().damaged.filter(({ name }) => !UNUSED_TYPES.has(name));
  const [first] = damaged;
  if (!first) return records;
  throw new FileError('not_a_wallet', {
    code: 'records_damaged',
    count: damaged.length,
    type: first.name,
  });
}
