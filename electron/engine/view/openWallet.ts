/** A wallet's file as the engine's calls see it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/errors.ts';
import type { Network } from '../../../shared/network.ts';
import { once } from '../../wallet/bytes/once.ts';
import { refuseOtherChain } from '../../wallet/coin/otherChain.ts';
import { readBerkeley } from '../../wallet/database/berkeley.ts';
import type { RawRecord } from '../../wallet/database/rawRecord.ts';
import { readSqlite } from '../../wallet/database/readSqlite.ts';
import { isSolvable } from '../../wallet/descriptor/descriptor.ts';
import { writePublic } from '../../wallet/descriptor/descriptorWrite.ts';
import { addressMarksOf } from '../../wallet/legacy/addressMarks.ts';
import { UNUSED_TYPES } from '../../wallet/legacy/readLegacyWallet.ts';
import { addressBookOf } from '../../wallet/record/addressBook.ts';
import { encryptionOf } from '../../wallet/record/encryption.ts';
import { lastBlockOf } from '../../wallet/record/lastBlock.ts';
import { type RecordsByType, recordsByType } from '../../wallet/record/recordsByType.ts';
import { walletFlags } from '../../wallet/record/walletFlags.ts';
import { timeOf } from '../../wallet/record/walletTransaction.ts';
import { innerScriptsOf } from '../../wallet/script/script.ts';
import { descriptorView } from './descriptorView.ts';
import { ledgerOf } from './ledger.ts';
import { legacyView } from './legacyView.ts';
import { type LoadedWallet, type ScriptInfo, type Standing, versionOf } from './loadedWallet.ts';

/**
 * Reads a file of a known kind, and of that only what is cheap; scripts and transactions are worked out when they are
 * first asked for. Throws AppError when it is damaged: a wallet of which something is missing is not loaded as if it were
 * whole. Throws as `refuseOtherChain` does.
 */
export async function openWallet(
  bytes: Uint8Array,
  kind: 'bdb' | 'sqlite',
  network: Network,
): Promise<LoadedWallet> {
  const { records: entries, problems } = kind === 'sqlite' ? await readSqlite(bytes) : readBerkeley(bytes);
  const records = whole(entries);
  refuseOtherChain(records, network);
  const { births, summary, watches, ...view } =
    kind === 'sqlite' ? descriptorView(records, network) : legacyView(records, network);
  const times = records.of('tx').map(timeOf);
  const flags = walletFlags(records.one('flags')?.flags ?? 0n);
  const lastBlock = lastBlockOf(records);
  const addressBook = addressBookOf(records);
  const marks = once(() => addressMarksOf(records, addressBook, network));
  return {
    kind: kind === 'sqlite' ? 'descriptor' : 'legacy',
    network,
    summary: {
      ...summary,
      version: versionOf(records),
      transactions: times.length,
      flags,
      birthTime: births && firstOf([...births, ...times]),
      lastBlock: lastBlock && { hash: lastBlock.hash, height: lastBlock.height },
      lastActivity: times.length > 0 ? times.reduce((one, other) => Math.max(one, other), 0) : null,
    },
    addressBook,
    warnings: problems.map(({ text }) => text),
    encryption: encryptionOf(records),
    descriptors: view.descriptors,
    ledger: once(async () => {
      const transactions = records.of('tx');
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        ownership: await view.ownership(transactions),
        marks: marks(),
        lastBlock,
        avoidsReuse: flags.includes('avoid_reuse'),
        watches,
      });
    }),
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

function scriptInfo(
  script: Uint8Array,
  { owner, parents, inferred, known }: Standing,
  change: boolean,
): ScriptInfo {
  const solvable = isSolvable(inferred);
  return {
    mine: owner === 'spendable',
    watched: owner === 'watched',
    change: owner !== null && change,
    solvable,
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
  throw new AppError(
    'not_a_wallet',
    `The wallet file is damaged: ${damaged.length} of its records cannot be read, the first of them of the type ${first.name}.`,
    'The file was not changed. Keep it. Inspecting it shows what can still be read.',
  );
}
