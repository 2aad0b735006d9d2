/** What would come of migrating a legacy wallet, without doing it and without a passphrase. */
import type { MigrationPreview, WalletPart } from '../../../shared/migrationPreview.ts';
import { say } from '../../../shared/text/say.ts';
import { listed } from '../bytes/shown.ts';
import { isCompressed } from '../legacy/legacyKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { planMigration } from '../legacy/migrationPlan.ts';
import { transactionPlaces } from '../legacy/transactionPlaces.ts';
import type { Of } from '../record/recordsByType.ts';

/** Counts the plan of a migration, and the eight new active descriptors. `transactions` are those that are not damaged. */
export function migrationPreview(wallet: LegacyWallet, transactions: readonly Of<'tx'>[]): MigrationPreview {
  // Nothing counted here depends on the network.
  const { chains, singles, loose, others, unreadable, placeOf } = planMigration(wallet, 'main');
  const count = (part: WalletPart) => others.filter(({ place }) => place === part).length;
  const ofLoose = loose.reduce((sum, { publicKey }) => sum + (isCompressed(publicKey) ? 4 : 2), 0);
  const ofChains = chains.length * (wallet.hasInternalChains ? 2 : 1);
  const kept = singles.length + ofLoose + ofChains + count('primary');
  const hasSeed = chains.some(({ chain }) => chain.active);
  const fresh = kept > 0 && !wallet.watchesOnly ? NEW_ACTIVE : 0;
  const [watchOnly, solvables] = [count('watchonly'), count('solvables')];
  return {
    primary:
      kept === 0 && wallet.isLegacy
        ? null
        : { descriptors: kept + fresh, seed: fresh === 0 ? 'none' : hasSeed ? 'kept' : 'fresh' },
    watchOnly: watchOnly > 0 ? { suffix: '_watchonly', descriptors: watchOnly } : null,
    solvables: solvables > 0 ? { suffix: '_solvables', descriptors: solvables } : null,
    leftOut: wallet.scripts.notMine.size + unreadable().length,
    strayTransactions: listed(transactionPlaces(transactions, placeOf).strays, (txid) => txid),
    obstacles: obstaclesOf(wallet),
  };
}

/** pkh, sh(wpkh), wpkh and tr, each for addresses and for change. */
const NEW_ACTIVE = 8;

function obstaclesOf({ records, chains, seedOf }: LegacyWallet): string[] {
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
  const seedless = chains.filter((chain) => !seedOf(chain)).length;
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
