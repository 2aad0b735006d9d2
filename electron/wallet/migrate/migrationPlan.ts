/** What a legacy wallet's keys and scripts become: the descriptors of one, two or three wallets. */
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { Network } from '../../../shared/network.ts';
import { byteText } from '../bytes/byteText.ts';
import { type LegacyScripts, legacyScripts } from '../legacy/legacyScripts.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { MasterKey } from '../legacy/masterOfSeed.ts';
import type { OwnKey, OwnKeys } from '../legacy/ownKeys.ts';
import { hasFlag } from '../record/walletFlags.ts';
import { type ChainBranch, chainDescriptors } from './chainDescriptors.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';
import { scriptDescriptors } from './scriptDescriptors.ts';

/** The wallets that can come of a migration. */
export const places: readonly WalletPart[] = ['primary', 'watchonly', 'solvables'];

export interface MigrationPlan {
  /** Keys outside of chains, each of which gets a descriptor in the main wallet. */
  singles: readonly OwnKey[];
  /** The descriptors of chains, for the main wallet too. */
  branches: readonly ChainBranch[];
  /** The descriptors of scripts that are more than a key, by the `byteText` of the script. */
  ofScripts: ReadonlyMap<string, PlacedScript>;
  /** The root of the chain in use, null where there is none. */
  master: MasterKey | null;
  /** Keys of which one descriptor gives all the scripts that a key makes by itself. */
  covered: ReadonlySet<OwnKey>;
  /** What the rules of legacy wallets say; null where the wallet has single keys and chains alone. */
  scripts: LegacyScripts | null;
  /** Own scripts that no descriptor can be made of. */
  unreadable: readonly Uint8Array[];
  placeOf(script: Uint8Array): WalletPart | null;
}

export interface PlacedScript {
  place: WalletPart;
  script: Uint8Array;
  planned: PlannedDescriptor;
}

/** Source: `MigrateToDescriptor` in `scriptpubkeyman.cpp`. Throws AppError as what it is made of does. */
export function planMigration(
  legacy: LegacyWallet,
  keys: OwnKeys,
  masterKey: Uint8Array | null,
  network: Network,
): MigrationPlan {
  const { branches, master, isOfChain } = chainDescriptors(legacy, keys, masterKey, network);
  const singles: OwnKey[] = [];
  const covered = new Set<OwnKey>();
  for (const { ownKeys } of branches) for (const key of ownKeys.keys()) covered.add(key);
  for (const key of keys.all) {
    if (isOfChain(key) || covered.has(key)) continue;
    // Plain keys were proved by their checksum.
    if (key.held.kind === 'encrypted') keys.secretOf(key).fill(0);
    singles.push(key);
    covered.add(key);
  }
  const ofOthers =
    covered.size < keys.all.length || legacy.scripts.length > 0 || legacy.watched.length > 0
      ? planScripts(legacy, keys, covered, network)
      : { ofScripts: new Map<string, PlacedScript>(), scripts: null, unreadable: [] };
  return {
    singles,
    branches,
    master,
    covered,
    ...ofOthers,
    placeOf(script) {
      // A wallet without keys and scripts keeps what else it has.
      if (!legacy.isLegacy) return 'primary';
      const own = keys.ofScript(script);
      if (own && covered.has(own)) return 'primary';
      return ofOthers.ofScripts.get(byteText(script))?.place ?? null;
    },
  };
}

/** The scripts of a plan that are for one of the wallets. */
export function scriptsIn(plan: MigrationPlan, place: WalletPart): PlacedScript[] {
  return [...plan.ofScripts.values()].filter((placed) => placed.place === place);
}

/** Scripts that covered keys do not make by themselves. */
function planScripts(
  legacy: LegacyWallet,
  keys: OwnKeys,
  covered: ReadonlySet<OwnKey>,
  network: Network,
): Pick<MigrationPlan, 'ofScripts' | 'scripts' | 'unreadable'> {
  const ownPublicKeys = keys.all.map(({ publicKey }) => publicKey);
  const scripts = legacyScripts({ ownKeys: ownPublicKeys, scripts: legacy.scripts, watched: legacy.watched });
  const descriptorOf = scriptDescriptors(legacy, keys, scripts, network);
  const watchesOnly = hasFlag(legacy.flags, 'disable_private_keys');
  const ofScripts = new Map<string, PlacedScript>();
  const unreadable: Uint8Array[] = [];
  for (const script of scripts.mine.values()) {
    const own = keys.ofScript(script);
    if (own && covered.has(own)) continue;
    const found = descriptorOf(script);
    const place = found?.hasAllKeys || watchesOnly ? 'primary' : 'watchonly';
    if (found) ofScripts.set(byteText(script), { place, script, planned: keysFor(place, found.planned) });
    else unreadable.push(script);
  }
  for (const script of scripts.solvable.values()) {
    const found = descriptorOf(script);
    if (!found?.solvable) continue;
    ofScripts.set(byteText(script), {
      place: 'solvables',
      script,
      planned: keysFor('solvables', found.planned),
    });
  }
  return { ofScripts, scripts, unreadable };
}

/** Wallets beside the main one have no private keys, whatever the legacy wallet has. */
function keysFor(place: WalletPart, planned: PlannedDescriptor): PlannedDescriptor {
  return place === 'primary' ? planned : { ...planned, keys: [] };
}
