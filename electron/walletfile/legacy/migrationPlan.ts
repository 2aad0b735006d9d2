/**
 * Plans which descriptors a legacy wallet's keys and scripts become, in one to three wallets. A preview counts them, and a migration
 * writes them. Uses no private key.
 */

import { bytesToHex } from '@noble/hashes/utils.js';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import { compact } from '../bytes/lists.ts';
import { once } from '../bytes/once.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { type Descriptor, isSolvable, keysOf, type SingleKey } from '../descriptor/descriptor.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { writeForRecord } from '../descriptor/descriptorWrite.ts';
import { inferDescriptor } from '../descriptor/inferDescriptor.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import type { RecordOfType } from '../records/records.ts';
import { eachOutput, factsOf, outputAt } from '../records/transactionFacts.ts';
import type { LegacyKey } from './legacyKeys.ts';
import type { LegacyWallet } from './legacyWallet.ts';

export type MigrationPlan = ReturnType<typeof planMigration>;

export interface AssignedScript {
  part: WalletPart;
  script: Uint8Array;
  descriptor: Descriptor;
  /** Public keys only, with its checksum. */
  text: string;
  /** The wallet's keys in the descriptor. */
  keys: readonly LegacyKey[];
}

/**
 * `derived`: the keys that the wallet's chains derive; without it, the keys' metadata decides. Source: `MigrateToDescriptor` in
 * `scriptpubkeyman.cpp`. That function stops at a chain without its seed; this one treats the chain's keys as single keys.
 */
export function planMigration(wallet: LegacyWallet, network: Network, derived?: ReadonlySet<LegacyKey>) {
  const { keys } = wallet;
  const chains = wallet.chains.flatMap((chain) => {
    const seed = wallet.seedOf(chain);
    return seed ? [{ chain, seed }] : [];
  });
  const ofSeeds = new Set(chains.map(({ chain }) => chain));
  const covered = new Set(derived);
  const singles: LegacyKey[] = [];
  const underivedChainKeys: LegacyKey[] = [];
  for (const key of keys.all) {
    if (covered.has(key)) continue;
    const chain = wallet.chainOf(key);
    const isOfChain = chain !== undefined && ofSeeds.has(chain);
    if (isOfChain && (derived || !wallet.isCounted(key, chain))) underivedChainKeys.push(key);
    else {
      if (!isOfChain) singles.push(key);
      covered.add(key);
    }
  }
  const others = placedScripts(wallet, network);
  const ofLoose = once(() =>
    underivedChainKeys
      .flatMap(({ publicKey }) => scriptsOfKey(publicKey))
      .map((script) => ({ script, placed: placedScript(script, wallet, network) })),
  );
  const placed = once(() => {
    const all = [...ofLoose().flatMap((one) => one.placed ?? []), ...others.placed];
    return new Map(all.map((one) => [toLatin1(one.script), one]));
  });
  return {
    /** Chains with a seed, which become one or two descriptors each in the main wallet. */
    chains,
    /** Keys outside of chains, which become a descriptor each in the main wallet. */
    singles,
    /** Keys with all of their own scripts in one descriptor: single keys, and those that chains derive. */
    covered,
    /** Keys of chains that their chain does not derive. Each of their scripts becomes a descriptor in the main wallet. */
    underivedChainKeys,
    /** The descriptors of scripts that are not a single key's. */
    scriptDescriptors: others.placed,
    /** The descriptors of all scripts that no covered key makes, by the `toLatin1` of the script. */
    placed,
    /** Own scripts that no descriptor can express, which Bitcoin Core leaves out. */
    inexpressible: () => [
      ...ofLoose().flatMap((one) => (one.placed ? [] : [one.script])),
      ...others.unreadable,
    ],
    partOfScript(script: Uint8Array): WalletPart | null {
      // A wallet without keys and scripts only changes its format.
      if (!wallet.isLegacy) return 'primary';
      const key = keys.ofScript(script);
      if (key && covered.has(key)) return 'primary';
      return placed().get(toLatin1(script))?.part ?? null;
    },
  };
}

function placedScripts(
  wallet: LegacyWallet,
  network: Network,
): { placed: AssignedScript[]; unreadable: Uint8Array[] } {
  const placed: AssignedScript[] = [];
  const unreadable: Uint8Array[] = [];
  for (const script of wallet.scripts.mine.values()) {
    const found = placedScript(script, wallet, network);
    if (found) placed.push(found);
    else unreadable.push(script);
  }
  for (const script of wallet.scripts.solvable.values()) {
    const found = placedScript(script, wallet, network);
    if (found && isSolvable(found.descriptor)) placed.push({ ...found, part: 'solvables' });
  }
  return { placed, unreadable };
}

/** Infers a script's descriptor from the wallet's keys and scripts. Null if the descriptor is invalid. */
function placedScript(script: Uint8Array, wallet: LegacyWallet, network: Network): AssignedScript | null {
  const descriptor = inferDescriptor(script, wallet.known, network);
  const text = writeForRecord(descriptor);
  if (!isDescriptor(text, { network, checksum: 'required' })) return null;
  const named = new Map<string, SingleKey>();
  for (const { key } of keysOf(descriptor.script)) {
    if (key.kind === 'single') named.set(bytesToHex(key.publicKey), key);
  }
  const keys = [...named.values()].flatMap((key) => wallet.keys.ofExpression(key) ?? []);
  const hasAllKeys = named.size > 0 && keys.length === named.size;
  const part = hasAllKeys || wallet.watchesOnly ? 'primary' : 'watchonly';
  return { part, script, descriptor, text, keys };
}

/** The legacy wallet did not watch solvable scripts, so no stored transaction belongs to them alone. */
type PartWithHistory = Exclude<WalletPart, 'solvables'>;

/** An output that one of the new wallets owns. */
interface PlacedOutput {
  index: number;
  part: PartWithHistory;
}

export type TransactionAssignment = ReturnType<typeof assignTransactions>;

/**
 * Assigns transactions to the new wallets. A transaction belongs to a wallet if it pays one of the wallet's scripts, or spends such a
 * payment of another stored transaction. Source: `ApplyMigrationData` in `wallet.cpp`.
 */
export function assignTransactions(
  transactions: readonly RecordOfType<'tx'>[],
  placeOf: (script: Uint8Array) => WalletPart | null,
) {
  const paid = new Map<string, readonly PlacedOutput[]>();
  for (const record of transactions) {
    const placed: PlacedOutput[] = [];
    eachOutput(record, ({ scriptPubKey }, index) => {
      const part = placeOf(scriptPubKey);
      if (part !== null && part !== 'solvables') placed.push({ index, part });
    });
    if (placed.length > 0) paid.set(record.txid, compact(placed));
  }
  const paidBy = (txid: string) => paid.get(txid) ?? [];
  const ownerOf = ({ txid, index }: { txid: string; index: number }) =>
    outputAt(paidBy(txid), index)?.part ?? null;
  // A million transactions share these few sets.
  const sets = new Map<string, ReadonlySet<PartWithHistory>>();
  const parts = new Map(
    transactions.map((record) => {
      const spent = factsOf(record)
        .inputs.map(ownerOf)
        .filter((owner) => owner !== null);
      const found = new Set([...paidBy(record.txid).map(({ part }) => part), ...spent]);
      const name = [...found].join();
      const set = sets.get(name) ?? found;
      sets.set(name, set);
      return [record.txid, set];
    }),
  );
  const partsOf = (txid: string): ReadonlySet<PartWithHistory> => parts.get(txid) ?? new Set();
  const unowned = transactions.filter(({ txid }) => partsOf(txid).size === 0).map(({ txid }) => txid);
  return {
    /** The wallets of a transaction, by its id. It can belong to two. */
    partsOf,
    /** The wallet of an output; null if its transaction is not stored, or it belongs to no wallet. */
    ownerOf,
    /** Ids of transactions that belong to none of the wallets. A node aborts the migration at the first such transaction. */
    unowned,
  };
}
