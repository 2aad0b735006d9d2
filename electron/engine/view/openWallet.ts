/** A wallet's file as the engine's calls see it. */
import { AppError } from '../../../shared/errors.ts';
import type { Network } from '../../../shared/network.ts';
import { readBerkeley } from '../../wallet/database/berkeley.ts';
import type { RawRecord } from '../../wallet/database/rawRecord.ts';
import { readSqlite } from '../../wallet/database/readSqlite.ts';
import { UNUSED_TYPES } from '../../wallet/legacy/readLegacyWallet.ts';
import { type RecordsByType, recordsByType } from '../../wallet/record/recordsByType.ts';
import type { LoadedWallet } from './loadedWallet.ts';
import { openDescriptorWallet } from './openDescriptorWallet.ts';
import { openLegacyWallet } from './openLegacyWallet.ts';

/**
 * Reads a file of a known kind. Throws AppError when it is damaged: a wallet of which something is missing is not
 * loaded as if it were whole.
 */
export async function openWallet(
  bytes: Uint8Array,
  kind: 'bdb' | 'sqlite',
  network: Network,
): Promise<LoadedWallet> {
  if (kind === 'sqlite') {
    const { records, problems } = await readSqlite(bytes);
    return withWarnings(openDescriptorWallet(whole(records), network), problems);
  }
  const { records, problems } = readBerkeley(bytes);
  return withWarnings(openLegacyWallet(whole(records), network), problems);
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

function withWarnings(wallet: LoadedWallet, problems: readonly { text: string }[]): LoadedWallet {
  return problems.length === 0 ? wallet : { ...wallet, warnings: problems.map(({ text }) => text) };
}
