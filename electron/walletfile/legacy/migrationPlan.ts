/**
 * What a legacy wallet's keys and scripts become: the descriptors of one, two or three wallets. A preview counts them; a
 * migration writes them. No private key is asked for.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../bytes/byteText.ts';
import { once } from '../bytes/once.ts';
import { type Descriptor, isSolvable, keysOf } from '../descriptor/descriptor.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { inferDescriptor } from '../descriptor/inferDescriptor.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import type { Of } from '../records/records.ts';
import type { LegacyKey } from './legacyKeys.ts';
import type { LegacyWallet } from './legacyWallet.ts';

export type MigrationPlan = ReturnType<typeof planMigration>;

export interface PlacedScript {
  place: WalletPart;
  script: Uint8Array;
  descriptor: Descriptor;
  /** Public keys only, with its checksum. */
  text: string;
  /** Those of the wallet's keys that the descriptor asks for. */
  keys: readonly LegacyKey[];
}

/**
 * `derived` are the keys that the wallet's chains give, once that is worked out; by what the file says of them until
 * then. Source: `MigrateToDescriptor` in `scriptpubkeyman.cpp`, which stops at a chain without its seed; here its keys are
 * taken one by one.
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
  const loose: LegacyKey[] = [];
  for (const key of keys.all) {
    if (covered.has(key)) continue;
    const chain = wallet.chainOf(key);
    const isOfChain = chain !== undefined && ofSeeds.has(chain);
    if (isOfChain && (derived || !wallet.isCounted(key, chain))) loose.push(key);
    else {
      if (!isOfChain) singles.push(key);
      covered.add(key);
    }
  }
  const others = placedScripts(wallet, network);
  const ofLoose = once(() =>
    loose
      .flatMap(({ publicKey }) => scriptsOfKey(publicKey))
      .map((script) => ({ script, placed: placedScript(script, wallet, network) })),
  );
  const placed = once(() => {
    const all = [...ofLoose().flatMap((one) => one.placed ?? []), ...others.placed];
    return new Map(all.map((one) => [byteText(one.script), one]));
  });
  return {
    /** Chains whose seed the wallet has: one or two descriptors each, in the main wallet. */
    chains,
    /** Keys outside of chains, each of which gets a descriptor in the main wallet. */
    singles,
    /** Keys of which one descriptor gives all the scripts that a key makes by itself: those of chains, and single ones. */
    covered,
    /** Keys of chains that their chain does not derive: each of their scripts gets a descriptor in the main wallet. */
    loose,
    /** What scripts become that are more than a key. */
    others: others.placed,
    /** What all scripts become that covered keys do not make by themselves, by the `byteText` of the script. */
    placed,
    /** Own scripts that no descriptor can be made of, which Bitcoin Core leaves out. */
    unreadable: () => [...ofLoose().flatMap((one) => (one.placed ? [] : [one.script])), ...others.unreadable],
    placeOf(script: Uint8Array): WalletPart | null {
      // A wallet without keys and scripts keeps what else it has.
      if (!wallet.isLegacy) return 'primary';
      const key = keys.ofScript(script);
      if (key && covered.has(key)) return 'primary';
      return placed().get(byteText(script))?.place ?? null;
    },
  };
}

function placedScripts(
  wallet: LegacyWallet,
  network: Network,
): { placed: PlacedScript[]; unreadable: Uint8Array[] } {
  const placed: PlacedScript[] = [];
  const unreadable: Uint8Array[] = [];
  for (const script of wallet.scripts.mine.values()) {
    const found = placedScript(script, wallet, network);
    if (found) placed.push(found);
    else unreadable.push(script);
  }
  for (const script of wallet.scripts.solvable.values()) {
    const found = placedScript(script, wallet, network);
    if (found && isSolvable(found.descriptor)) placed.push({ ...found, place: 'solvables' });
  }
  return { placed, unreadable };
}

/** As exact as the wallet's keys and scripts allow. Null for a script whose descriptor breaks a rule. */
function placedScript(script: Uint8Array, wallet: LegacyWallet, network: Network): PlacedScript | null {
  const descriptor = inferDescriptor(script, wallet.known, network);
  const text = writePublic(descriptor);
  if (!isDescriptor(text, { network, checksum: 'required' })) return null;
  const asked = new Map<string, Uint8Array>();
  for (const { key } of keysOf(descriptor.script)) {
    if (key.kind === 'single') asked.set(bytesToHex(key.publicKey), key.publicKey);
  }
  const keys = [...asked.values()].flatMap((publicKey) => wallet.keys.ofPublicKey(publicKey) ?? []);
  const hasAllKeys = asked.size > 0 && keys.length === asked.size;
  const place = hasAllKeys || wallet.watchesOnly ? 'primary' : 'watchonly';
  return { place, script, descriptor, text, keys };
}

/** Solvable scripts were not watched, so that no stored transaction belongs to them alone. */
type PartWithHistory = Exclude<WalletPart, 'solvables'>;

export type TransactionPlaces = ReturnType<typeof transactionPlaces>;

/**
 * A transaction is a wallet's when it pays to one of its scripts, or spends what another stored one paid to it. Source:
 * `ApplyMigrationData` in `wallet.cpp`.
 */
export function transactionPlaces(
  transactions: readonly Pick<Of<'tx'>, 'txid' | 'transaction'>[],
  placeOf: (script: Uint8Array) => WalletPart | null,
) {
  const paid = new Map(
    transactions.map(({ txid, transaction }) => [
      txid,
      transaction.outputs.map(({ scriptPubKey }) => {
        const place = placeOf(scriptPubKey);
        return place === 'solvables' ? null : place;
      }),
    ]),
  );
  const ownerOf = (coin: { txid: string; index: number }) => paid.get(coin.txid)?.[coin.index] ?? null;
  const parts = new Map(
    transactions.map(({ txid, transaction }) => {
      const owners = [...(paid.get(txid) ?? []), ...transaction.inputs.map(ownerOf)];
      return [txid, new Set(owners.filter((owner) => owner !== null))];
    }),
  );
  const partsOf = (txid: string): ReadonlySet<PartWithHistory> => parts.get(txid) ?? new Set();
  const unowned = transactions.filter(({ txid }) => partsOf(txid).size === 0).map(({ txid }) => txid);
  return {
    /** By id. A transaction can be both wallets'. */
    partsOf,
    /** Null where its transaction is not stored, or it is no wallet's. */
    ownerOf,
    /** Ids of transactions that belong to none of the wallets: a node gives up on the first such transaction. */
    unowned,
  };
}
