/** Tells of which coin a wallet's file is, by all that speaks for one, and never by a guess. */

import { base58 } from '@scure/base';
import type { InspectedCoin } from '../../../shared/model/coin.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { orNull } from '../bytes/once.ts';
import { lastBlockOf } from '../records/lastBlock.ts';
import { recordOf } from '../records/records.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { scriptIfAddress } from '../script/address.ts';
import { BITCOIN, coins, coinsWith, genesisBlocks, isChecked } from './coins.ts';

type Evidence = InspectedCoin['evidence'][number];

/**
 * The coin of a wallet's records. `file`: the network that the head of a descriptor wallet names, which is Bitcoin's.
 *
 * A first block that is none of Bitcoin's is certain: a node refuses such a wallet. So is all else that fits no wallet of
 * Bitcoin's; what fits both, and Bitcoin's first block beside another coin's addresses, is ambiguous: chains split off.
 */
export function coinOf(records: RecordsByType, file: Network | null = null): InspectedCoin {
  const evidence = [
    ...byFirstBlock(records),
    ...byAddresses(records),
    ...byRecordTypes(records),
    ...byClient(records),
  ];
  const heads = file === null ? [] : [[BITCOIN]];
  const sets = [...heads, ...evidence.map((one) => one.coins)];
  if (sets.length === 0) return { verdict: 'unknown', coins: [], programs: [], evidence };
  const names = coins.map(({ name }) => name);
  const fitting = names.filter((name) => sets.every((set) => set.includes(name)));
  const first = evidence.find(({ by }) => by === 'genesis-block');
  const isOtherChain = first !== undefined && !first.coins.includes(BITCOIN);
  const some = names.filter((name) => sets.some((set) => set.includes(name)));
  const possible = narrowed(isOtherChain ? coinsOfChain(first, evidence) : some, fitting);
  const isBitcoin = possible.includes(BITCOIN);
  const verdict = !isBitcoin
    ? 'other'
    : possible.length === 1 && fitting.length > 0
      ? 'bitcoin'
      : 'ambiguous';
  return { verdict, coins: possible, programs: verdict === 'other' ? programsOf(possible) : [], evidence };
}

/** What opens a wallet of one of these; none where one of them is gone, and nothing does. */
function programsOf(names: readonly string[]): string[] {
  const programs = coins.filter(({ name }) => names.includes(name)).map(({ program }) => program);
  return programs.includes(null) ? [] : programs.filter((program) => program !== null);
}

/** Those that a first block is of. Of a chain that is not known here, another coin's own addresses or records may tell. */
function coinsOfChain(first: Evidence, evidence: readonly Evidence[]): readonly string[] {
  if (first.coins.length > 0) return first.coins;
  const others = evidence.filter(({ by, coins: fit }) => by !== 'client' && !fit.includes(BITCOIN));
  return [...new Set(others.flatMap((one) => one.coins))];
}

/** What all evidence fits; where nothing fits all of it, what some fits. */
function narrowed(all: readonly string[], fitting: readonly string[]): readonly string[] {
  const both = all.filter((name) => fitting.includes(name));
  return both.length > 0 ? both : all;
}

function byFirstBlock(records: RecordsByType): Evidence[] {
  const first = lastBlockOf(records)?.first;
  if (first === undefined) return [];
  return [{ by: 'genesis-block', coins: coinsWith(({ genesis }) => genesis === first) }];
}

/** So many addresses tell enough: some in an address book may be damaged, or something else. */
const SAMPLE = 50;

function byAddresses(records: RecordsByType): Evidence[] {
  // Not all are read: a wallet can have a hundred thousand.
  const book = (['name', 'purpose', 'destdata'] as const).flatMap((type) =>
    records
      .entries(type)
      .slice(0, SAMPLE)
      .flatMap((entry) => recordOf(type, entry)?.address ?? []),
  );
  const found = [...new Set(book)].map(coinsOfAddress).filter((fit) => fit.length > 0);
  // Each kind once: to keys, to scripts, segwit.
  const kinds = new Map(found.map((fit) => [fit.join(), fit]));
  return [...kinds.values()].map((fit) => ({ by: 'addresses', coins: fit }));
}

/** Names of the coins that an address is right for; none for what is not an address. */
export function coinsOfAddress(address: string): string[] {
  if (address.length > LONGEST) return [];
  const letters = /^([a-z]+)[1:][02-9ac-hj-np-z]{6,}$/.exec(address.toLowerCase())?.[1];
  const prefixed = coinsWith(({ prefixes }) => letters !== undefined && prefixes.includes(letters));
  if (prefixed.length > 0) return prefixed;
  const data = orNull(() => base58.decode(address));
  if (data === null || (data.length !== 25 && data.length !== 26)) return [];
  const version = data.length === 25 ? data[0] : ((data[0] ?? 0) << 8) + (data[1] ?? 0);
  if (version === undefined) return [];
  // Groestlcoin hashes another way: its addresses are known by their failing.
  if (!isChecked(data)) return version === GROESTLCOIN_VERSION ? ['Groestlcoin'] : [];
  return coinsWith(({ p2pkh, p2sh }) => p2pkh.includes(version) || p2sh.includes(version));
}

/** No address of these coins is longer; also keeps the base58 decoder from long work on long input. */
const LONGEST = 120;
const GROESTLCOIN_VERSION = 36;

function byRecordTypes(records: RecordsByType): Evidence[] {
  const found = coins.filter((coin) => coin.records.some((type) => records.types.includes(type)));
  return found.length === 0 ? [] : [{ by: 'records', coins: found.map(({ name }) => name) }];
}

/** Numbers of Bitcoin Core are below a million: 219900 for 0.21.99, 329900 for 32.99. */
const CORE_BELOW = 1_000_000;

function byClient(records: RecordsByType): Evidence[] {
  const number = records.one('version')?.version ?? 0;
  if (number < CORE_BELOW) return [];
  const found = coins.filter(({ versions }) => versions && versions.from <= number && number <= versions.to);
  return [{ by: 'client', coins: found.map(({ name }) => name) }];
}

/**
 * Throws `wallet_error` with a node's words where the first block of the chain that a wallet saw is not that of
 * the network, as a node refuses it (`CWallet::AttachChain`, from release 24 on), and for what is another coin's wallet by
 * anything else, which a node may take for Bitcoin's. `doing`: a migration looks at the address book before it loads.
 */
export function refuseOtherChain(
  records: RecordsByType,
  network: Network,
  doing: 'load' | 'migration' = 'load',
): void {
  const first = lastBlockOf(records)?.first;
  const coin = coinOf(records);
  const isOther = coin.verdict === 'other';
  if (!isOther && (first === undefined || first === genesisBlocks[network])) return;
  const message = doing === 'migration' && hasForeignAddress(records, network) ? ADDRESS_BOOK : OTHER_CHAIN;
  throw new FileError(
    'wallet_error',
    isOther ? { code: 'other_coin', coin } : { code: 'network_of_other_chain' },
    { code: -4, message },
  );
}

/** Recorded from 31.0 with a Dash wallet. */
const ADDRESS_BOOK = 'Error: Address book data in wallet cannot be identified to belong to migrated wallets';
/** Of `wallet.cpp`, release 31.0. */
const OTHER_CHAIN =
  'Wallet loading failed. Wallet files should not be reused across chains. Restart bitcoind with -walletcrosschain to override.';

function hasForeignAddress(records: RecordsByType, network: Network): boolean {
  return [...records.of('name'), ...records.of('purpose')].some(
    ({ address }) => scriptIfAddress(address, network) === null && coinsOfAddress(address).length > 0,
  );
}
