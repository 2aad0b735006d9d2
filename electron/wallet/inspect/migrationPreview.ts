/** What would come of migrating a legacy wallet, without doing it and without a passphrase. */
import type { MigrationPreview } from '../../../shared/migrationPreview.ts';
import { say } from '../../../shared/text/say.ts';
import { listed } from '../bytes/listed.ts';
import { isSolvable, keysOf } from '../descriptor/descriptor.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { inferDescriptor, type Known } from '../descriptor/inferDescriptor.ts';
import { hasInternalChains } from '../legacy/hdChains.ts';
import type { LegacyKeys } from '../legacy/legacyKeys.ts';
import type { LegacyOwnership } from '../legacy/legacyOwnership.ts';
import { strayTransactions } from '../legacy/strayTransactions.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { hasFlag } from '../record/walletFlags.ts';
import { hasLegacyRecords } from './walletKind.ts';

/**
 * Counts by the rules of `MigrateToDescriptor` in release 31: a descriptor for each key outside of chains, one or
 * two for each chain, one for each other script, and eight new active ones.
 */
export function migrationPreview(
  records: RecordsByType,
  legacy: LegacyKeys,
  ownership: LegacyOwnership,
): MigrationPreview {
  const watchOnlyWallet = hasFlag(records.one('flags')?.flags ?? 0n, 'disable_private_keys');
  const others = placeOthers(ownership, watchOnlyWallet);
  const kept = ofKeys(legacy) + ofChains(records, legacy) + others.primary;
  const hasSeed = legacy.chains.some(({ active }) => active);
  const fresh = kept > 0 && !watchOnlyWallet ? NEW_ACTIVE : 0;
  const strays = strayTransactions(
    records,
    (script) => ownership.of(script) !== null && !others.dropped.has(script),
  );
  const empty = kept === 0 && hasLegacyRecords(records);
  return {
    primary: empty
      ? null
      : { descriptors: kept + fresh, seed: fresh === 0 ? 'none' : hasSeed ? 'kept' : 'fresh' },
    watchOnly: others.watchOnly > 0 ? { suffix: '_watchonly', descriptors: others.watchOnly } : null,
    solvables: others.solvable > 0 ? { suffix: '_solvables', descriptors: others.solvable } : null,
    leftOut: ownership.scripts.notMine.size + others.dropped.size,
    strayTransactions: listed(strays, (txid) => txid),
    obstacles: obstaclesOf(records, legacy),
  };
}

/** pkh, sh(wpkh), wpkh and tr, each for addresses and for change. */
const NEW_ACTIVE = 8;

/** A combo() for each; keys that their chain does not derive again become a descriptor for each of their scripts. */
function ofKeys({ keys }: LegacyKeys): number {
  return keys.reduce((sum, { place, publicKey }) => {
    if (place.of !== 'chain') return sum + 1;
    if (place.covered) return sum;
    return sum + (publicKey.length === 33 ? 4 : 2);
  }, 0);
}

function ofChains(records: RecordsByType, { chains }: LegacyKeys): number {
  return chains.length * (hasInternalChains(records.one('hdchain')) ? 2 : 1);
}

interface Placed {
  primary: number;
  watchOnly: number;
  solvable: number;
  /** Hex of scripts whose descriptor would break a rule, so that Bitcoin Core leaves them out. */
  dropped: ReadonlySet<string>;
}

function placeOthers(ownership: LegacyOwnership, watchOnlyWallet: boolean): Placed {
  const { mine, solvable, known: scripts, publicKeys } = ownership.scripts;
  const known: Known = { publicKeys, scripts, origins: new Map() };
  const counts = { primary: 0, watchOnly: 0, solvable: 0 };
  const dropped = new Set<string>();
  for (const [hex, script] of mine) {
    if (ownership.isOfOneKey(hex)) continue;
    const place = placeOf(script, known, ownership);
    if (place === 'nowhere') dropped.add(hex);
    else if (place === 'with-keys' || watchOnlyWallet) counts.primary += 1;
    else counts.watchOnly += 1;
  }
  for (const script of solvable.values()) {
    const place = placeOf(script, known, ownership);
    if (place === 'with-keys' || place === 'solvable') counts.solvable += 1;
  }
  return { ...counts, dropped };
}

/** What kind of descriptor a script gets: with all private keys, solvable at least, or just the script itself. */
function placeOf(
  scriptPubKey: Uint8Array,
  known: Known,
  { hasKey }: LegacyOwnership,
): 'with-keys' | 'solvable' | 'bare' | 'nowhere' {
  // Nothing counted here depends on the network.
  const descriptor = inferDescriptor(scriptPubKey, known, 'main');
  if (!isSolvable(descriptor)) return 'bare';
  if (!isDescriptor(writePublic(descriptor), { network: 'main' })) return 'nowhere';
  const own = keysOf(descriptor.script).every(({ key }) => key.kind === 'single' && hasKey(key.publicKey));
  return own ? 'with-keys' : 'solvable';
}

function obstaclesOf(records: RecordsByType, { chains, hasSeedOf }: LegacyKeys): string[] {
  const obstacles: string[] = [];
  const expiring = records.of('wkey').length;
  if (expiring > 0) {
    obstacles.push(
      say(
        'The wallet has {count, plural, one {# key} other {# keys}} with an expiry, which releases after 0.18 refuse. Release 0.18 can still open it.',
        { count: expiring },
      ),
    );
  }
  const seedless = chains.filter((chain) => !hasSeedOf(chain)).length;
  if (seedless > 0) {
    obstacles.push(
      say(
        'The seed of {missing, number} of the wallet’s {chains, plural, one {# key chain} other {# key chains}} is missing. A node stops in the middle of such a migration.',
        { missing: seedless, chains: chains.length },
      ),
    );
  }
  return obstacles;
}
