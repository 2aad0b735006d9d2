/** The wallets whose names match the search, sorted by a column of their table, which is a setting. */
import { mainPart } from '../../../shared/model/money.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { UNNAMED } from '../../../shared/wording/format/names.ts';
import { perRegion } from '../../../shared/wording/format/perRegion.ts';
import { say } from '../../../shared/wording/say.ts';
import type { WalletBackups } from '../../state/backupsStore.ts';

type Order = Settings['order'];
export type Column = Order['by'];

/** The order after a press on a column's heading: by that column, or reversed if it was sorted by it. */
export function ordered(now: Order, by: Column): Order {
  // The largest first is what one looks for; of backups, what has none.
  return now.by === by ? { by, down: !now.down } : { by, down: by === 'balance' || by === 'size' };
}

/**
 * Sorts a copy. Unknown values come last in both directions; a wallet without a backup counts as backed up before all others,
 * and before it what owes one. Equal ones are in the order of their names, in which 2 is before 10.
 */
export function sortWallets(
  wallets: readonly Wallet[],
  { by, down }: Order,
  backups: ReadonlyMap<string, WalletBackups>,
): readonly Wallet[] {
  const names = COLLATOR();
  const byName = (a: Wallet, b: Wallet) => names.compare(a.name || UNNAMED, b.name || UNNAMED);
  if (by === 'name') return [...wallets].sort((a, b) => (down ? byName(b, a) : byName(a, b)));
  const keys = new Map(wallets.map((wallet) => [wallet, keyOf(wallet, by, backups.get(wallet.name))]));
  return [...wallets].sort((a, b) => {
    const [one, other] = [keys.get(a) ?? null, keys.get(b) ?? null];
    if (one === other) return byName(a, b);
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other === down ? 1 : -1;
  });
}

const COLLATOR = perRegion((region) => new Intl.Collator(region, { numeric: true }));

function keyOf(
  { kind, balance, watchOnly, size }: Wallet,
  by: Exclude<Column, 'name'>,
  backups: WalletBackups | undefined,
): bigint | number | string | null {
  switch (by) {
    case 'kind':
      return KIND_NAMES[kind];
    case 'balance':
      return balance && mainPart(balance, watchOnly === true);
    case 'size':
      return size;
    case 'backup':
      if (backups?.made) return backups.made.started;
      return kind !== 'legacy' && backups?.owed ? -2 : -1;
  }
}

export const KIND_NAMES: Readonly<Record<Wallet['kind'], string | null>> = {
  descriptor: say('Descriptor'),
  legacy: say('Legacy'),
  interrupted: say('Interrupted'),
  unknown: null,
};

/** Upper and lower case and accents written in one or two characters are the same; the order stays. */
export function findWallets(wallets: readonly Wallet[], sought: string): readonly Wallet[] {
  const wanted = folded(sought.trim());
  if (wanted === '') return wallets;
  return wallets.filter(({ name }) => folded(name === '' ? UNNAMED : name).includes(wanted));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
