/** Tells of which kind and of which network a wallet's file is, without looking at the rest of it. */
import type { InspectedFile, InspectedNetwork, Inspection } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { readEntries } from '../database/readEntries.ts';
import { type Encryption, encryptionOf } from '../record/encryption.ts';
import { recordsByType } from '../record/recordsByType.ts';
import { inspectedNetwork } from './inspectedNetwork.ts';
import { walletKind } from './walletKind.ts';

export interface IdentifiedWallet {
  kind: Inspection['kind'];
  format: InspectedFile['format']['kind'];
  network: InspectedNetwork;
  /** Null for a wallet without encryption. */
  encryption: Encryption | null;
}

/** `asked` is the network that decides where the file does not tell. Throws AppError `not_a_wallet`. */
export async function identifyWallet(
  bytes: Uint8Array,
  asked: Network | undefined,
): Promise<IdentifiedWallet> {
  const entries = await readEntries(bytes);
  const records = recordsByType(entries.records);
  return {
    kind: walletKind(entries.format, records),
    format: entries.format.kind,
    network: inspectedNetwork(records, entries.network, asked),
    encryption: encryptionOf(records),
  };
}
