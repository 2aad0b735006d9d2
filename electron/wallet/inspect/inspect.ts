/** Tells what is in a wallet file of either kind, without a node and without changing anything. */
import type { InspectedLabel, Inspection } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { listed } from '../bytes/listed.ts';
import { shownText } from '../bytes/shownText.ts';
import { readEntries } from '../database/readEntries.ts';
import { secondsPerTry } from '../key/crypter.ts';
import { addressBookOf } from '../record/addressBook.ts';
import { encryptionOf } from '../record/encryption.ts';
import { recordCounts } from '../record/recordCounts.ts';
import { type RecordsByType, recordsByType } from '../record/recordsByType.ts';
import { releaseText } from '../record/releaseText.ts';
import { walletFlags } from '../record/walletFlags.ts';
import { birthOf } from './birth.ts';
import { inspectDescriptors } from './inspectDescriptors.ts';
import { addressNetwork, inspectedNetwork } from './inspectedNetwork.ts';
import { inspectionProblems } from './inspectionProblems.ts';
import { inspectLegacy } from './inspectLegacy.ts';
import { passphraseVerdict } from './passphraseVerdict.ts';
import { walletKind } from './walletKind.ts';

interface InspectOptions {
  /** Tried on the file where it is encrypted. A right one takes as long as a wrong one. */
  passphrase?: string | undefined;
  /** The network that is expected; it decides where the file does not tell. */
  network?: Network | undefined;
  /** Unix seconds; the computer's clock by default. */
  now?: number;
  signal?: AbortSignal;
}

/**
 * All that can be read of a file, damaged ones included; `problems` tells the rest. Time is in proportion to the
 * file's size, and long work lets the event loop go on, but not all of it: run it beside the main thread.
 * Throws AppError `not_a_wallet` for what is not a wallet file, `cancelled` when the signal says so.
 */
export async function inspect(bytes: Uint8Array, options: InspectOptions = {}): Promise<Inspection> {
  const { passphrase, network: asked, now = Date.now() / 1000, signal } = options;
  const entries = await readEntries(bytes);
  const records = recordsByType(entries.records);
  const network = inspectedNetwork(records, entries.network, asked);
  const kind = walletKind(entries.format, records);
  const part =
    kind === 'legacy'
      ? inspectLegacy(records, addressNetwork(network))
      : await inspectDescriptors(records, network.candidates[0] ?? 'main', signal);
  const { history, problems, ...found } = part;
  const counts = recordCounts(records);
  const encryption = encryptionOf(records);
  const { flags } = records.one('flags') ?? { flags: 0n };
  return {
    kind,
    network,
    file: { size: bytes.length, format: entries.format },
    encryption: encryption && encryptionFacts(records),
    passphrase: await passphraseVerdict(encryption, passphrase, signal),
    birth: birthOf(records),
    lastWrittenBy: releaseOf(records.one('version')?.version),
    formatVersion: records.one('minversion')?.version ?? null,
    flags: walletFlags(flags),
    ...found,
    labels: listed(addressBookOf(records), shownLabel),
    transactions: listed(history.transactions, (transaction) => transaction),
    lockedCoins: listed(records.of('lockedutxo'), ({ txid, index }) => ({ txid, index })),
    balance: history.balance,
    records: counts,
    problems: [
      ...entries.problems,
      ...problems,
      ...inspectionProblems({
        records,
        counts,
        keys: found.keys,
        network,
        asked,
        damagedTransactions: history.damaged.length,
        balance: history.balance,
        now,
      }),
    ],
  };
}

function shownLabel({ address, label, purpose }: InspectedLabel): InspectedLabel {
  return {
    address: shownText(address),
    label: label === null ? null : shownText(label),
    purpose: purpose === null ? null : shownText(purpose),
  };
}

function encryptionFacts(records: RecordsByType): Inspection['encryption'] {
  const masterKeys = records.of('mkey');
  return {
    masterKeys: masterKeys.length,
    iterations: masterKeys.reduce((most, { iterations }) => Math.max(most, iterations), 0),
    secondsPerTry: secondsPerTry(masterKeys),
  };
}

function releaseOf(version: number | undefined): Inspection['lastWrittenBy'] {
  return version === undefined ? null : { version, text: releaseText(version) };
}
