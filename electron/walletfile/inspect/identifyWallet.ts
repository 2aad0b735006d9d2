/** Reads a wallet's file, and finds of which kind and of which network it is. */

import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import type { InspectedFile, InspectedNetwork, Inspection } from '../../../shared/model/inspection.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { coinOf } from '../coin/coinOf.ts';
import { genesisBlocks } from '../coin/coins.ts';
import { problemOf } from '../database/problemLog.ts';
import { readEntries } from '../database/readEntries.ts';
import { encryptionOf } from '../records/encryption.ts';
import { ofOneKind } from '../records/keyKind.ts';
import { lastBlockOf } from '../records/lastBlock.ts';
import { hasLegacyRecords, type RecordsByType, recordsByType } from '../records/recordsByType.ts';
import { hasFlag } from '../records/walletFlags.ts';
import { scriptIfAddress } from '../script/address.ts';

export type IdentifiedWallet = Awaited<ReturnType<typeof identifyWallet>>;

/** `asked` is the network that decides where the file does not tell. Throws `not_a_wallet`. */
export async function identifyWallet(bytes: Uint8Array, asked: Network | undefined) {
  const { records: entries, reached, format, network, problems } = await readEntries(bytes);
  const { records: own, left } = ofOneKind(entries.slice(0, reached), entries.slice(reached));
  const records = recordsByType(own);
  return {
    records,
    /** What is wrong with the file itself. */
    problems:
      left === 0 ? problems : [...problems, problemOf({ code: 'keys_excluded', count: left }, 'whole')],
    format,
    kind: walletKind(format, records),
    network: inspectedNetwork(records, network, asked),
    coin: coinOf(records, network),
    /** Null for a wallet without encryption. */
    encryption: encryptionOf(records),
  };
}

/** What a migration that was cut off left in an SQLite file is a legacy wallet still. */
export function walletKind(format: InspectedFile['format'], records: RecordsByType): Inspection['kind'] {
  const isLegacy = format.kind === 'berkeley-db' || cutOffOf(format, records) === 'legacy-records';
  return isLegacy ? 'legacy' : 'descriptor';
}

/**
 * The network by the best evidence there is: the file's head, then the first block of the chain, then what the
 * caller says, then how keys and addresses are written. These last ones are alike on all test networks. Another coin's
 * wallet is on none of Bitcoin's.
 */
export function inspectedNetwork(
  records: RecordsByType,
  file: Network | null,
  asked: Network | undefined,
): InspectedNetwork {
  if (coinOf(records, file).verdict === 'other') return fromCandidates([], 'nothing');
  if (file) return certain(file, 'file');
  const firstBlock = lastBlockOf(records)?.first;
  const first = networks.find((network) => genesisBlocks[network] === firstBlock);
  if (first) return certain(first, 'genesis-block');
  if (asked) return certain(asked, 'asked');
  const byKeys = networksOfKeys(records);
  if (byKeys.length > 0) return fromCandidates(byKeys, 'keys');
  return fromCandidates(networksOfAddresses(records), 'addresses');
}

/** The network to write addresses for, or null where they would be written in different ways. */
export function addressNetwork({ name, candidates }: InspectedNetwork): Network | null {
  if (name !== 'unknown') return name;
  return candidates.includes('regtest') ? null : (candidates[0] ?? null);
}

/** It can be one of several, or is another than `asked`; null where nothing is wrong. */
export function networkProblem(
  { name, candidates }: InspectedNetwork,
  asked: Network | undefined,
): Finding<'network_ambiguous' | 'network_differs'> | null {
  if (name === 'unknown') {
    return candidates.length > 0 ? { code: 'network_ambiguous', networks: candidates } : null;
  }
  if (asked === undefined || name === asked) return null;
  return { code: 'network_differs', network: name, expected: asked };
}

/** Throws `bad_input` where the network must be told, or is another than `asked`. */
export function knownNetwork(network: InspectedNetwork, asked: Network | undefined): Network {
  const problem = networkProblem(network, asked);
  if (problem === null && network.name !== 'unknown') return network.name;
  throw new FileError('bad_input', problem ?? { code: 'network_unknown' });
}

function certain(name: Network, from: InspectedNetwork['from']): InspectedNetwork {
  return { name, from, candidates: [name] };
}

function fromCandidates(candidates: Network[], from: InspectedNetwork['from']): InspectedNetwork {
  const [only] = candidates;
  if (only && candidates.length === 1) return certain(only, from);
  return { name: 'unknown', from: only ? from : 'nothing', candidates };
}

function networksOfKeys(records: RecordsByType): Network[] {
  const texts = records.of('walletdescriptor').map(({ descriptor }) => descriptor);
  if (texts.some((text) => text.includes('xpub'))) return ['main'];
  return texts.some((text) => text.includes('tpub')) ? networks.filter((network) => network !== 'main') : [];
}

/** So many addresses tell enough. Some in an address book may be damaged, or of another network. */
const SAMPLE = 50;

/** The networks that most addresses of the address book are right on. */
function networksOfAddresses(records: RecordsByType): Network[] {
  const addresses = [...records.of('name').slice(0, SAMPLE), ...records.of('purpose').slice(0, SAMPLE)];
  const right = (network: Network) =>
    addresses.filter(({ address }) => scriptIfAddress(address, network) !== null).length;
  const counts = networks.map((network) => ({ network, count: right(network) }));
  const most = Math.max(...counts.map(({ count }) => count));
  return most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ network }) => network);
}

/**
 * What is half-made about the records of a file, read as SQLite would read it; null for a whole wallet. A node writes
 * twice (`MigrateToSQLite` and `ApplyMigrationData` in Bitcoin Core's `wallet.cpp`): first an SQLite file with all legacy
 * records; then, in one transaction, it adds the descriptors, removes the legacy records and sets the flag. Killed before
 * the first write ends it leaves a descriptor wallet without descriptors. Made by intention, such a wallet has the flag
 * `blank`, or one that says that it has no private keys (`createwallet`). `isDamaged`: parts of the file could not be read,
 * which may be where its descriptors are.
 */
export function cutOffOf(
  { kind }: Pick<InspectedFile['format'], 'kind'>,
  records: RecordsByType,
  isDamaged = false,
): Inspection['cutOff'] {
  if (kind !== 'sqlite') return null;
  const flags = records.one('flags')?.flags;
  const isMarked = flags !== undefined && hasFlag(flags, 'descriptor_wallet');
  // The change that sets the flag also removes the legacy records: records found later come from damage. Damage may have
  // removed the flags. The other records then show the kind.
  if (!isMarked && (hasLegacyRecords(records) || flags !== undefined)) return 'legacy-records';
  if (isDamaged || records.entries('walletdescriptor').length > 0) return null;
  const isMeant = isMarked && (hasFlag(flags, 'blank') || hasFlag(flags, 'disable_private_keys'));
  return isMeant ? null : 'no-descriptors';
}
