/** Whole numbers (blocks, wallets, transactions) as they are read: `850,000`. */
import { perRegion } from '../../text/perRegion.ts';

const FORMAT = perRegion((region) => new Intl.NumberFormat(region));

export function formatCount(count: number): string {
  return FORMAT().format(count);
}
