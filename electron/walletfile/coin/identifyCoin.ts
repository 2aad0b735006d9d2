/** Decides which coin a wallet file belongs to, from all evidence in its records, and never by a guess. */
import { base58 } from '@scure/base';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { InspectedCoin, Network } from '../../../shared/model/network.ts';
import { once, orNull } from '../bytes/once.ts';
import { endsWithChecksum, quickHash160 } from '../bytes/quickHash.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { type RecordOfType, type RecordsByType, recordOf } from '../records/records.ts';
import { lastBlockOf, timeOf } from '../records/walletTransaction.ts';
import { scriptIfAddress } from '../script/address.ts';
import { hasKeyLength, readOperations, readOutputScript } from '../script/script.ts';
import { BITCOIN, coins, coinsWith, genesisBlocks, repairedFirstBlock } from './coins.ts';

type Evidence = InspectedCoin['evidence'][number];

/**
 * The coin of a wallet's records. `headerNetwork`: the Bitcoin network that the header of a descriptor wallet names.
 *
 * Another known coin's first block is certain, and so is any evidence that fits no Bitcoin wallet, and what most of its own signatures
 * after a chain split say. Signatures of others may be made up by whoever pays to the wallet. Evidence for both coins is ambiguous,
 * because chains split off from Bitcoin's, and so is an unknown first block, because damage can turn any into one.
 */
export function identifyCoin(records: RecordsByType, headerNetwork: Network | null = null): InspectedCoin {
  const block = byFirstBlock(records);
  const rest = [...byAddresses(records), ...byRecordTypes(records), ...byClient(records)];
  const mayBeDamaged =
    block.some(({ coins: fit }) => fit.length === 0) &&
    (headerNetwork !== null || rest.every(({ coins: fit }) => fit.includes(BITCOIN)));
  const coin = identifyBy(records, mayBeDamaged ? rest : [...block, ...rest], headerNetwork);
  if (!mayBeDamaged) return coin;
  const evidence = [...block, ...coin.evidence];
  if (headerNetwork !== null || coin.verdict === 'other') return { ...coin, evidence };
  return { ...coin, verdict: 'ambiguous', coins: narrow([BITCOIN], coin.coins), evidence };
}

function identifyBy(
  records: RecordsByType,
  others: readonly Evidence[],
  headerNetwork: Network | null,
): InspectedCoin {
  const fitsBitcoin = others.every(({ coins: fit }) => fit.includes(BITCOIN));
  const fitsSplit = others.every(({ coins: fit }) =>
    [BITCOIN, ...SPLIT_COINS].some((one) => fit.includes(one)),
  );
  const isBitcoins = headerNetwork !== null || addressesOf(records).some((address) => SEGWIT.test(address));
  const signatures = isBitcoins || !fitsSplit ? NO_SIGNATURES : countSignatures(records);
  const evidence = [...bySignatures(signatures), ...others];
  const headerEvidence = headerNetwork === null ? [] : [[BITCOIN]];
  const sets = [...headerEvidence, ...evidence.map((one) => one.coins)];
  if (sets.length === 0) return { verdict: 'unknown', coins: [], programs: [], evidence };
  const names = coins.map(({ name }) => name);
  const fitting = names.filter((name) => sets.every((set) => set.includes(name)));
  const first = evidence.find(({ by }) => by === 'genesis-block');
  const isOtherChain = first !== undefined && !first.coins.includes(BITCOIN);
  const some = names.filter((name) => sets.some((set) => set.includes(name)));
  const ofChain = isOtherChain ? coinsOfChain(first, evidence) : some;
  const split = narrow(coinsAfterSplit(evidence), fitting);
  const isSplit = signatures.own > signatures.usual;
  const afterSplit = isSplit || !fitsBitcoin ? split : [BITCOIN, ...split];
  const isOfSplit = !isOtherChain && signatures.own + signatures.others > 0;
  const possible = isOfSplit ? afterSplit : narrow(ofChain, fitting);
  const isBitcoin = possible.includes(BITCOIN);
  const verdict = !isBitcoin
    ? 'other'
    : possible.length === 1 && fitting.length > 0
      ? 'bitcoin'
      : 'ambiguous';
  return { verdict, coins: possible, programs: verdict === 'other' ? programsOf(possible) : [], evidence };
}

/** Programs that open wallets of these coins; none if one of the coins has no program any more. */
function programsOf(names: readonly string[]): string[] {
  const programs = coins.filter(({ name }) => names.includes(name)).map(({ program }) => program);
  return programs.includes(null) ? [] : programs.filter((program) => program !== null);
}

/** The coins with this first block. For an unknown one, other evidence decides among the coins whose first block the table lacks. */
function coinsOfChain(first: Evidence, evidence: readonly Evidence[]): readonly string[] {
  if (first.coins.length > 0) return first.coins;
  const others = evidence.filter(({ by, coins: fit }) => by !== 'client' && !fit.includes(BITCOIN));
  const unknown = new Set(coinsWith(({ genesis }) => genesis === null));
  return [...new Set(others.flatMap((one) => one.coins))].filter((name) => unknown.has(name));
}

/** The coins that fit all evidence, or else all of them. */
function narrow(all: readonly string[], fitting: readonly string[]): readonly string[] {
  const both = all.filter((name) => fitting.includes(name));
  return both.length > 0 ? both : all;
}

function byFirstBlock(records: RecordsByType): Evidence[] {
  const stored = lastBlockOf(records)?.first;
  if (stored === undefined) return [];
  const first = repairedFirstBlock(stored);
  return [{ by: 'genesis-block', coins: coinsWith(({ genesis }) => genesis === first) }];
}

/** The first undamaged addresses of each type: enough to decide, although some may belong to another network. */
export function sampleOfAddresses(
  records: RecordsByType,
  types: readonly ('name' | 'purpose' | 'destdata')[],
): string[] {
  return types.flatMap((type) => {
    const found: string[] = [];
    for (const entry of records.entries(type)) {
      const record = recordOf(type, entry);
      if (record) found.push(record.address);
      // A wallet can have a hundred thousand addresses.
      if (found.length === SAMPLE) break;
    }
    return found;
  });
}

const SAMPLE = 50;

function addressesOf(records: RecordsByType): string[] {
  return sampleOfAddresses(records, ['name', 'purpose', 'destdata']);
}

/** The prefixes of Bitcoin's segwit addresses. No coin that split off has such addresses. */
const SEGWIT = /^(?:bc|tb|bcrt)1/i;

function byAddresses(records: RecordsByType): Evidence[] {
  const found = [...new Set(addressesOf(records))].map(coinsOfAddress).filter((fit) => fit.length > 0);
  // Count each kind of address once: to keys, to scripts, segwit.
  const kinds = new Map(found.map((fit) => [fit.join(), fit]));
  return [...kinds.values()].map((fit) => ({ by: 'addresses', coins: fit }));
}

/** Names of the coins on which an address is valid; none for other texts. */
export function coinsOfAddress(address: string): string[] {
  if (address.length > MAX_LENGTH) return [];
  const letters = /^([a-z]+)[1:][02-9ac-hj-np-z]{6,}$/.exec(address.toLowerCase())?.[1];
  const prefixed = coinsWith(({ prefixes }) => letters !== undefined && prefixes.includes(letters));
  if (prefixed.length > 0) return prefixed;
  const data = orNull(() => base58.decode(address));
  if (data === null || (data.length !== 25 && data.length !== 26)) return [];
  const version = data.length === 25 ? data[0] : ((data[0] ?? 0) << 8) + (data[1] ?? 0);
  if (version === undefined) return [];
  // Groestlcoin's checksum uses another hash, so its addresses fail this one.
  if (!endsWithChecksum(data)) return version === GROESTLCOIN_VERSION ? ['Groestlcoin'] : [];
  return coinsWith(({ p2pkh, p2sh }) => p2pkh.includes(version) || p2sh.includes(version));
}

/** No address of these coins is longer. The limit also keeps the base58 decoder fast on long input. */
const MAX_LENGTH = 120;
const GROESTLCOIN_VERSION = 36;

function byRecordTypes(records: RecordsByType): Evidence[] {
  const found = coins.filter((coin) => coin.records.some((type) => records.types.includes(type)));
  return found.length === 0 ? [] : [{ by: 'records', coins: found.map(({ name }) => name) }];
}

/**
 * How many transactions since the split are signed for a chain that split off, by the wallet itself or only by others, and how many as
 * Bitcoin's are.
 */
function countSignatures(records: RecordsByType): typeof NO_SIGNATURES {
  const counts = { ...NO_SIGNATURES };
  const isOwn = ownInputs(records);
  const entries = records.entries('tx');
  const step = Math.ceil(entries.length / MAX_TRANSACTIONS);
  for (const entry of entries.filter((_, at) => at % step === 0)) {
    const record = recordOf('tx', entry);
    if (record === null || timeOf(record) < SPLIT_TIME) continue;
    const { inputs } = record.transaction;
    const signed = inputs.map((input) => ({ input, types: signatureTypes(input.scriptSig) }));
    const ofSplit = signed.filter(({ types }) => types.some((type) => (type & FORK_ID) !== 0));
    if (ofSplit.some(({ input }) => isOwn(input))) counts.own += 1;
    else if (ofSplit.length > 0) counts.others += 1;
    else if (signed.some(({ input, types }) => types.length > 0 || input.witness.length > 0))
      counts.usual += 1;
  }
  return counts;
}

const NO_SIGNATURES = { own: 0, others: 0, usual: 0 };

type Input = RecordOfType<'tx'>['transaction']['inputs'][number];

/** Whether an input spends a coin that a transaction of the wallet pays to one of its keys: only that key could sign it. */
function ownInputs(records: RecordsByType): (input: Input) => boolean {
  const outputs = once(
    () => new Map(records.of('tx').map(({ txid, transaction }) => [txid, transaction.outputs])),
  );
  const keys = once(() => {
    const stored = (['key', 'wkey', 'ckey'] as const).flatMap((type) => records.of(type));
    return new Set(stored.map(({ publicKey }) => quickHash160(publicKey)));
  });
  return ({ txid, index }) => {
    const script = outputs().get(txid)?.[index]?.scriptPubKey;
    const output = script && readOutputScript(script);
    if (output?.kind === 'p2pk') return keys().has(quickHash160(output.publicKey));
    return output?.kind === 'p2pkh' && keys().has(toLatin1(output.keyHash));
  };
}

/** Each takes some microseconds. */
const MAX_TRANSACTIONS = 2000;
/** Unix seconds of the first block of Bitcoin Cash: 1 August 2017. */
const SPLIT_TIME = 1_501_593_374;
/** `SIGHASH_FORKID`, which Bitcoin's nodes relay in no transaction. Source: `src/script/sighashtype.h` of Bitcoin Cash Node. */
const FORK_ID = 0x40;

/** The last byte of each signature that an input's script pushes: in DER form, or a Schnorr signature of Bitcoin Cash. */
function signatureTypes(script: Uint8Array): number[] {
  return (readOperations(script) ?? []).flatMap(({ data }) => {
    const isDer = data[0] === 0x30 && data.length >= 9 && data[1] === data.length - 3;
    const isSchnorr = data.length === 65 && !hasKeyLength(data) && ((data[64] ?? 0) & FORK_ID) !== 0;
    return isDer || isSchnorr ? [data.at(-1) ?? 0] : [];
  });
}

function bySignatures({ own, others }: typeof NO_SIGNATURES): Evidence[] {
  return own + others === 0 ? [] : [{ by: 'signatures', coins: SPLIT_COINS }];
}

/** Those with `SIGHASH_FORKID`. */
const SPLIT_COINS = ['Bitcoin Cash', 'Bitcoin SV', 'Bitcoin Gold'];

/** The coins that split off and can have the wallet's addresses. Most of them share Bitcoin's. */
function coinsAfterSplit(evidence: readonly Evidence[]): string[] {
  const isPossible = ({ name, chains }: (typeof coins)[number]) =>
    evidence.every(
      ({ by, coins: fit }) =>
        by !== 'addresses' || fit.includes(name) || (fit.includes(BITCOIN) && chains[0]?.p2pkh.length === 0),
    );
  const names = coins.filter(({ name }) => SPLIT_COINS.includes(name));
  const possible = names.filter(isPossible);
  return (possible.length > 0 ? possible : names).map(({ name }) => name);
}

/** Bitcoin Core's version numbers are below a million: 219900 for 0.21.99, 329900 for 32.99. */
const CORE_BELOW = 1_000_000;

function byClient(records: RecordsByType): Evidence[] {
  const number = records.one('version')?.version ?? 0;
  if (number < CORE_BELOW) return [];
  const found = coins.filter(({ versions }) => versions && versions.from <= number && number <= versions.to);
  return [{ by: 'client', coins: found.map(({ name }) => name) }];
}

/**
 * Refuses a wallet of another chain. Throws `wallet_error` with a node's message if the wallet's first block is not the network's
 * (`CWallet::AttachChain`, from release 24 on), and for any other coin's wallet, which a node might accept. `doing`: a migration
 * checks the address book before it loads the wallet. `ofHeader`: as `identifyCoin` takes it.
 */
export function refuseOtherChain(
  records: RecordsByType,
  network: Network,
  { doing, ofHeader = null }: { doing: 'load' | 'migration'; ofHeader?: Network | null },
): void {
  const first = lastBlockOf(records)?.first;
  const coin = identifyCoin(records, ofHeader);
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
/** From `wallet.cpp`, release 31.0. */
const OTHER_CHAIN =
  'Wallet loading failed. Wallet files should not be reused across chains. Restart bitcoind with -walletcrosschain to override.';

function hasForeignAddress(records: RecordsByType, network: Network): boolean {
  return [...records.of('name'), ...records.of('purpose')].some(
    ({ address }) => scriptIfAddress(address, network) === null && coinsOfAddress(address).length > 0,
  );
}
