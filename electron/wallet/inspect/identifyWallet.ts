/** Tells of which kind and of which network a wallet's file is, without looking at the rest of it. */
import type { InspectedFile, InspectedNetwork, Inspection } from '../../../shared/inspection.ts';
import { type Network, networks } from '../../../shared/network.ts';
import { anyOf, networkName } from '../../../shared/networkName.ts';
import { say } from '../../../shared/text/say.ts';
import { readEntries } from '../database/readEntries.ts';
import { type Encryption, encryptionOf } from '../record/encryption.ts';
import { lastBlockOf } from '../record/lastBlock.ts';
import { hasLegacyRecords, type RecordsByType, recordsByType } from '../record/recordsByType.ts';
import { hasFlag } from '../record/walletFlags.ts';
import { scriptIfAddress } from '../script/address.ts';

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

/** What a migration that was cut off left in an SQLite file is a legacy wallet still. */
export function walletKind({ kind }: InspectedFile['format'], records: RecordsByType): Inspection['kind'] {
  return kind === 'berkeley-db' || isHalfConverted(records) ? 'legacy' : 'descriptor';
}

/**
 * Whether the records of an SQLite file are those of a migration that was cut off. A node writes twice: all records
 * and their descriptors first; then it takes the legacy ones away and sets the flag (`ApplyMigrationData` in
 * `wallet.cpp`). A file without any flags has lost them to damage, and tells by its other records only.
 */
function isHalfConverted(records: RecordsByType): boolean {
  const flags = records.one('flags')?.flags;
  return hasLegacyRecords(records) || (flags !== undefined && !hasFlag(flags, 'descriptor_wallet'));
}

/**
 * The network by the best evidence there is: the file's head, then the first block of the chain, then what the
 * caller says, then how keys and addresses are written. These last ones are alike on all test networks.
 */
export function inspectedNetwork(
  records: RecordsByType,
  file: Network | null,
  asked: Network | undefined,
): InspectedNetwork {
  if (file) return certain(file, 'file');
  const first = networkOfFirstBlock(records);
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

/** What is wrong with it, in a sentence: it can be one of several, or is another than `asked`. Null: nothing is told. */
export function networkProblem(
  { name, candidates }: InspectedNetwork,
  asked: Network | undefined,
): string | null {
  if (name === 'unknown') {
    const networks = anyOf(candidates);
    return candidates.length > 0 ? say('The wallet’s network can be {networks}.', { networks }) : null;
  }
  if (asked === undefined || name === asked) return null;
  const names = { network: networkName(name), asked: networkName(asked) };
  return say('The wallet’s network is {network}, not {asked}.', names);
}

function certain(name: Network, from: InspectedNetwork['from']): InspectedNetwork {
  return { name, from, candidates: [name] };
}

function fromCandidates(candidates: Network[], from: InspectedNetwork['from']): InspectedNetwork {
  const [only] = candidates;
  if (only && candidates.length === 1) return certain(only, from);
  return { name: 'unknown', from: only ? from : 'nothing', candidates };
}

/** Hex as shown. */
export function genesisBlockOf(network: Network): string {
  return genesisBlocks[network];
}

/** Block 0 of each network. Custom signets have the one of the default signet. Source: chainparams. */
const genesisBlocks: Readonly<Record<Network, string>> = {
  main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  testnet3: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  testnet4: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
};

function networkOfFirstBlock(records: RecordsByType): Network | null {
  const first = lastBlockOf(records)?.first;
  return networks.find((network) => genesisBlocks[network] === first) ?? null;
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
