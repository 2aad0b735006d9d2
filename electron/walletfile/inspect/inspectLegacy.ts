/** The part of an inspection that only legacy wallets have, and the counts of keys of either kind. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { MAX_FIRST_KEYS } from '../../../shared/model/conditions.ts';
import type {
  FileProblem,
  InspectedHdChain,
  InspectedScript,
  Inspection,
  KeyCounts,
  ScriptOwnership,
} from '../../../shared/model/inspection.ts';
import {
  type Hazard,
  type MigrationPreview,
  NEW_ACTIVE_DESCRIPTORS,
  type WalletPart,
} from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { TruncatedList } from '../../../shared/model/shapes.ts';
import { groupedBy, listOf } from '../bytes/lists.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { conditionsOfLegacy } from '../conditions/conditionsOf.ts';
import { type ChainKeys, deriveChainKeys } from '../conditions/recordConditions.ts';
import { isInferredOtherwise } from '../descriptor/inferDescriptor.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import type { StoredDescriptor } from '../descriptor/storedDescriptors.ts';
import { hasChecksum, hasRightChecksum } from '../keys/privateKey.ts';
import { isCompressed, isWholeEncryptedKey, type KeyMatcher } from '../legacy/legacyKeys.ts';
import {
  type HdChain,
  isSeed,
  type LegacyWallet,
  legacyWallet,
  needsFirstKey,
  seedIdOf,
} from '../legacy/legacyWallet.ts';
import {
  type AssignedScript,
  assignTransactions,
  type MigrationPlan,
  planMigration,
} from '../legacy/migrationPlan.ts';
import { type KnownHistory, lastKnownBalance } from '../legacy/storedHistory.ts';
import { isGivenOut, readAddress } from '../records/addressBook.ts';
import { isAddressRecord, type RecordOfType, type RecordsByType, recordOf } from '../records/records.ts';
import { eachOutput } from '../records/transactionFacts.ts';
import { addressOf, hashInAddress, scriptIfAddress } from '../script/address.ts';
import { innerScriptsOf, MAX_SCRIPT_SIZE, minimalMultisig, readOutputScript } from '../script/script.ts';
import { damagedScripts, keylessAddresses, lostKeys, lostScripts } from './inspectionProblems.ts';

/** The part of an inspection that follows the rules of one kind of wallet, legacy or descriptor. */
export interface InspectedPart
  extends Pick<Inspection, 'keys' | 'hdChains' | 'descriptors' | 'scripts' | 'migration' | 'conditions'> {
  history: KnownHistory;
  problems: readonly FileProblem[];
}

/**
 * `network`: the network whose address form to write, or null. `fileNetwork`: the network that the file names, or null. `masterKey`:
 * 32 bytes, for an encrypted wallet with a known passphrase. `isBrief`: see `inspect`.
 */
export function inspectLegacy(
  records: RecordsByType,
  {
    network,
    fileNetwork,
    masterKey,
    fits,
    isBrief = false,
    isFirstLook = false,
  }: {
    network: Network | null;
    fileNetwork: Network | null;
    masterKey: Uint8Array | null;
    fits: KeyMatcher;
    isBrief?: boolean;
    isFirstLook?: boolean | undefined;
  },
): InspectedPart {
  const wallet = legacyWallet(records);
  const derived = deriveChainKeys(wallet, masterKey);
  const history = lastKnownBalance(records, wallet, fileNetwork);
  const damaged = new Set(history.damaged);
  const whole = records.of('tx').filter((record) => !damaged.has(record));
  const givenOut = network === null ? [] : givenOutWithoutKey(wallet, network);
  const proves = isFirstLook ? firstMatcher(wallet, fits) : fits;
  return {
    keys: legacyKeyCounts(wallet),
    hdChains: listOf(wallet.chains, (chain) => inspectedChain(chain, wallet.seedOf(chain) !== undefined)),
    descriptors: { total: 0, shown: [] },
    scripts: inspectedScripts(wallet, network),
    history,
    migration: migrationPreview(wallet, whole, givenOut, { derived, network }),
    conditions: isBrief ? [] : conditionsOfLegacy(wallet, derived, masterKey, proves),
    problems: [
      ...lostKeys(wallet),
      ...damagedScripts(records),
      ...lostScripts(wallet),
      ...keylessAddresses(
        wallet,
        givenOut.map(({ script }) => script),
      ),
    ],
  };
}

/** Derives the first public keys, those without a checksum, and those that stored transactions pay. Trusts all others. */
function firstMatcher({ records, keys }: LegacyWallet, fits: KeyMatcher): KeyMatcher {
  const others = records.of('key').slice(MAX_FIRST_KEYS);
  const trusted = new Set(others.filter(hasChecksum).map(({ publicKey }) => publicKey));
  for (const transaction of records.of('tx'))
    eachOutput(transaction, ({ scriptPubKey }) => {
      const key = keys.ofScript(scriptPubKey);
      if (key) trusted.delete(key.publicKey);
    });
  return (privateKey, publicKey) => trusted.has(publicKey) || fits(privateKey, publicKey);
}

/** A receiving address in the address book. `script`: null if it is not an address of the network. */
interface ReceivingAddress {
  address: string;
  script: Uint8Array | null;
}

/** Receiving addresses that no key of the wallet derives. */
function givenOutWithoutKey({ records, keys }: LegacyWallet, network: Network): ReceivingAddress[] {
  // Finds a key without its script, and without parsing the record, because a large wallet has thousands of addresses.
  const hasKey = (address: string) => {
    const found = hashInAddress(address, network, 'required');
    return found && keys.ofAddress(found);
  };
  return records.entries('purpose').flatMap((entry) => {
    if (isAddressRecord(entry) && (!isGivenOut(entry) || hasKey(toLatin1(readAddress(entry))))) return [];
    const record = recordOf('purpose', entry);
    if (record?.purpose !== 'receive') return [];
    const script = scriptIfAddress(record.address, network);
    return script && keys.ofScript(script) ? [] : { address: record.address, script };
  });
}

function inspectedChain(chain: HdChain, hasSeed: boolean): InspectedHdChain {
  const { active, version, externalCounter, internalCounter, fingerprint } = chain;
  return {
    seedId: seedIdOf(chain),
    active,
    version,
    externalKeys: externalCounter,
    internalKeys: version >= 2 ? internalCounter : null,
    fingerprint,
    hasSeed,
  };
}

/** Scripts beyond those of single keys: watched ones, and multisig. */
function inspectedScripts(wallet: LegacyWallet, network: Network | null): TruncatedList<InspectedScript> {
  const { mine, solvable, notMine } = wallet.scripts;
  const found: [hex: string, script: Uint8Array, ownership: ScriptOwnership][] = [];
  for (const [hex, script] of mine) found.push([hex, script, wallet.ownerOf(script) ?? 'watched']);
  for (const [hex, script] of solvable) found.push([hex, script, 'solvable']);
  for (const [hex, script] of notMine) found.push([hex, script, 'not-mine']);
  return listOf(found, ([hex, script, ownership]) => {
    return {
      script: script.length > MAX_SCRIPT_SIZE ? `${bytesToHex(script.subarray(0, MAX_SCRIPT_SIZE))}…` : hex,
      address: network && addressOf(script, network),
      kind: readOutputScript(script).kind,
      multisig: multisigOf(script, wallet),
      ownership,
    };
  });
}

function multisigOf(script: Uint8Array, { keys, scripts }: LegacyWallet): InspectedScript['multisig'] {
  const { redeemScript, witnessScript } = innerScriptsOf(script, scripts.scripts);
  const inner = readOutputScript(witnessScript ?? redeemScript ?? script);
  if (inner.kind !== 'multisig') return null;
  const own = inner.publicKeys.filter((publicKey) => keys.ofPublicKey(publicKey)).length;
  return { required: inner.required, keys: inner.publicKeys.length, own };
}

/**
 * Counts the plan of a migration, with the eight new active descriptors. `transactions`: the undamaged ones. `givenOut`:
 * receiving addresses that no key derives. `network`: the network whose address form to write.
 */
export function migrationPreview(
  wallet: LegacyWallet,
  transactions: readonly RecordOfType<'tx'>[],
  givenOut: readonly ReceivingAddress[],
  {
    derived = deriveChainKeys(wallet, null),
    network = null,
  }: { derived?: ChainKeys; network?: Network | null } = {},
): MigrationPreview {
  // Nothing counted here depends on the network.
  const plan = planMigration(wallet, 'main', derived.keys ?? undefined);
  const wallets = plannedWallets(wallet, plan);
  const inexpressible = new Set(plan.inexpressible().map(toLatin1));
  const notMine = new Set([...wallet.scripts.notMine.values()].map(toLatin1));
  const fateOf = ({ script }: ReceivingAddress) => {
    const text = script === null ? '' : toLatin1(script);
    return notMine.has(text) ? 'left-out' : inexpressible.has(text) ? 'without-descriptor' : 'kept';
  };
  const byFate = groupedBy(givenOut, fateOf);
  const lost = new Set([
    ...(byFate.get('left-out') ?? []).map(({ address }) => address),
    ...plan.inexpressible().map((script) => (network && addressOf(script, network)) ?? bytesToHex(script)),
  ]);
  return {
    ...wallets,
    leftOut: wallet.scripts.notMine.size + inexpressible.size,
    lostAddresses: listOf([...lost], (address) => address),
    keylessPool: listOf(keylessPool(wallet), bytesToHex),
    unownedTransactions: listOf(assignTransactions(transactions, plan.partOfScript).unowned, (txid) => txid),
    hazards: hazardsOf(wallet, plan, {
      inexpressible: {
        scripts: inexpressible.size,
        labels: byFate.get('without-descriptor')?.length ?? 0,
      },
      givenOut: (byFate.get('kept') ?? []).map(({ script }) => script),
      keepsNothing: wallets.primary === null,
      derived,
    }),
  };
}

/** The number of descriptors of each new wallet; null for one that would have none. */
function plannedWallets(
  wallet: LegacyWallet,
  { chains, singles, underivedChainKeys, scriptDescriptors }: MigrationPlan,
): Pick<MigrationPreview, 'primary' | 'watchOnly' | 'solvables'> {
  const count = (part: WalletPart) => scriptDescriptors.filter((assigned) => assigned.part === part).length;
  const companion = (part: WalletPart) => (count(part) > 0 ? { descriptors: count(part) } : null);
  const ofUnderived = underivedChainKeys.reduce(
    (sum, { publicKey }) => sum + (isCompressed(publicKey) ? 4 : 2),
    0,
  );
  const ofChains = chains.length * (wallet.hasInternalChains ? 2 : 1);
  const kept = singles.length + ofUnderived + ofChains + count('primary');
  const hasSeed = chains.some(({ chain }) => chain.active);
  const fresh = kept > 0 && !wallet.watchesOnly ? NEW_ACTIVE_DESCRIPTORS : 0;
  return {
    primary:
      kept === 0 && wallet.isLegacy
        ? null
        : { descriptors: kept + fresh, seed: fresh === 0 ? 'none' : hasSeed ? 'kept' : 'fresh' },
    watchOnly: companion('watchonly'),
    solvables: companion('solvables'),
  };
}

/**
 * Public keys of the pool without a private key in the file. Leaves out watched keys, and keys whose metadata gives their path in
 * a chain with a seed: the new descriptors contain these again.
 */
function keylessPool(wallet: LegacyWallet): Uint8Array[] {
  const { records, keys, chains, seedOf } = wallet;
  const keyless = new Map(
    records
      .of('pool')
      .filter(({ publicKey }) => !keys.ofPublicKey(publicKey))
      .map(({ publicKey }) => [toLatin1(publicKey), publicKey]),
  );
  if (keyless.size === 0) return [];
  const withSeed = new Map(chains.filter(seedOf).map((chain) => [chain.seedHash, chain]));
  for (const metadata of records.of('keymeta')) {
    const chain = metadata.hd && withSeed.get(toLatin1(metadata.hd.seedId));
    if (chain && wallet.isCounted({ metadata }, chain)) keyless.delete(toLatin1(metadata.publicKey));
  }
  return [...keyless.values()].filter((publicKey) =>
    scriptsOfKey(publicKey).every((script) => wallet.ownerOf(script) === null),
  );
}

function hazardsOf(
  wallet: LegacyWallet,
  { partOfScript, scriptDescriptors }: MigrationPlan,
  {
    givenOut,
    keepsNothing,
    derived,
    inexpressible,
  }: {
    givenOut: readonly (Uint8Array | null)[];
    keepsNothing: boolean;
    derived: ChainKeys;
    /** Of own scripts that no descriptor can express. */
    inexpressible: { scripts: number; labels: number };
  },
): Hazard[] {
  const { records, chains, seedOf, isLegacy } = wallet;
  if (records.entries('wkey').length > 0) return ['wkey'];
  // Only its format changes, so nothing else can stop it.
  if (!isLegacy) return ['empty'];
  const hazards: Hazard[] = [];
  // `WalletBatch::ReadBestBlock` accepts the second record even if it names no block.
  const namesBlock = (records.one('bestblock')?.blockHashes.length ?? 0) > 0;
  if (!namesBlock && records.of('bestblock_nomerkle').length === 0) hazards.push('no-best-block');
  if (chains.some((chain) => !seedOf(chain))) hazards.push('no-seed');
  if (derived.missing.length > 0) hazards.push('chain-gap');
  if (chains.some((chain) => isUnusedSeed(chain, wallet))) hazards.push('unused-seed');
  if (keepsNothing && hasLabelsOfOthers(records)) hazards.push('labels-of-others');
  if (keepsNothing && records.of('tx').length > 0) hazards.push('watched-transactions');
  const isUnowned = (script: Uint8Array | null) => script !== null && partOfScript(script) === null;
  if (givenOut.some(isUnowned)) hazards.push('unowned-labels');
  if (givenOut.includes(null)) hazards.push('unreadable-labels');
  if (inexpressible.scripts > 0) hazards.push('scripts-without-descriptor');
  if (inexpressible.labels > 0) hazards.push('labels-without-descriptor');
  if (hasNonMinimalPushes(wallet)) hazards.push('non-minimal-pushes');
  if (scriptDescriptors.some(isOddTaproot)) hazards.push('odd-taproot');
  return hazards;
}

function isUnusedSeed(chain: HdChain, { seedOf }: LegacyWallet): boolean {
  return chain.externalCounter === 0 && needsFirstKey(chain, seedOf(chain));
}

/** Whether a taproot output has an own key with an odd second coordinate, which its descriptor does not show. */
function isOddTaproot({ descriptor, keys }: AssignedScript): boolean {
  return descriptor.script.kind === 'rawtr' && keys.some(({ publicKey }) => publicKey[0] === 3);
}

/** Whether it owns a multisig script with a key that is not pushed minimally: Bitcoin Core infers the descriptor of another script. */
function hasNonMinimalPushes(wallet: LegacyWallet): boolean {
  const { scripts, keys } = wallet;
  // The network changes nothing here.
  const isInferredAsOther = (script: Uint8Array) => isInferredOtherwise(script, wallet.known, 'main');
  // The rules of this app, unlike those of Bitcoin Core, do not read such a script, and so do not find that it can be spent.
  const isSpendable = (script: Uint8Array) => {
    const { redeemScript, witnessScript } = innerScriptsOf(script, scripts.scripts);
    const usual = readOutputScript(minimalMultisig(witnessScript ?? redeemScript ?? script) ?? script);
    return usual.kind === 'multisig' && usual.publicKeys.every((key) => keys.ofPublicKey(key));
  };
  return (
    [...scripts.mine.values()].some(isInferredAsOther) ||
    [...scripts.solvable.values()].some((script) => isInferredAsOther(script) && isSpendable(script))
  );
}

function hasLabelsOfOthers(records: RecordsByType): boolean {
  const purposes = records.of('purpose');
  const givenOut = new Set(purposes.flatMap((one) => (one.purpose === 'receive' ? one.address : [])));
  return [...records.of('name'), ...purposes].some(({ address }) => !givenOut.has(address));
}

function legacyKeyCounts({ records, keys: { all }, chainOf }: LegacyWallet): KeyCounts {
  const isPlain = records.of('ckey').length === 0;
  const plain = isPlain ? all.length : distinct([...records.of('key'), ...records.of('wkey')]).size;
  const seeds = all.filter(({ metadata }) => metadata && isSeed(metadata)).length;
  const fromChains = all.filter(chainOf).length;
  const pool = records.of('pool');
  const internal = pool.filter((entry) => entry.internal === true).length;
  return {
    plain,
    encrypted: all.length - plain,
    uncompressed: all.filter(({ publicKey }) => publicKey.length === UNCOMPRESSED).length,
    seeds,
    fromChains,
    single: all.length - seeds - fromChains,
    watched: records.of('watchs').filter(({ script }) => readOutputScript(script).kind === 'p2pk').length,
    unused: { external: pool.length - internal, internal },
    damaged: [...records.of('key'), ...records.of('ckey')].filter(isDamaged).length,
  };
}

/** A descriptor's key counts once however many descriptors it serves. */
export function descriptorKeyCounts(
  records: RecordsByType,
  descriptors: readonly StoredDescriptor[],
  watchOnly: boolean,
): KeyCounts {
  const plain = records.of('walletdescriptorkey');
  const encrypted = records.of('walletdescriptorckey');
  const unused = (internal: boolean) =>
    descriptors
      .filter(({ active }) => active?.internal === internal)
      .reduce((sum, { record }) => sum + Math.max(0, record.rangeEnd - record.nextIndex), 0);
  return {
    plain: distinct(plain).size,
    encrypted: distinct(encrypted).size,
    uncompressed: [...distinct([...plain, ...encrypted])].filter((key) => key.length === UNCOMPRESSED).length,
    seeds: 0,
    fromChains: 0,
    single: 0,
    watched: watchOnly ? descriptors.length : 0,
    unused: { external: unused(false), internal: unused(true) },
    damaged: plain.filter(isDamaged).length,
  };
}

/** Public keys by their `toLatin1`. */
function distinct(keys: readonly { publicKey: Uint8Array }[]): Set<string> {
  return new Set(keys.map(({ publicKey }) => toLatin1(publicKey)));
}

/** Bytes of an uncompressed public key; a compressed one has 33. */
const UNCOMPRESSED = 65;

/** Only compares checksums, which is fast. Keys of old wallets without a checksum count as undamaged. */
function isDamaged(record: RecordOfType<'key' | 'ckey' | 'walletdescriptorkey'>): boolean {
  return record.type === 'ckey' ? !isWholeEncryptedKey(record) : hasRightChecksum(record) === false;
}
