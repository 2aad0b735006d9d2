/** Whole numbers, alone and with their noun. */
import { say } from '../say.ts';
import { perRegion } from './perRegion.ts';

const FORMAT = perRegion((region) => new Intl.NumberFormat(region));

/** `850,000`. */
export function formatCount(count: number): string {
  return FORMAT().format(count);
}

/** `1 wallet`, `2 wallets`: for lists and alone. Sentences have their own plurals. */
export const counted = {
  wallets: (count: number) => say('{count, plural, one {# wallet} other {# wallets}}', { count }),
  descriptors: (count: number) => say('{count, plural, one {# descriptor} other {# descriptors}}', { count }),
  scripts: (count: number) => say('{count, plural, one {# script} other {# scripts}}', { count }),
  transactions: (count: number) =>
    say('{count, plural, one {# transaction} other {# transactions}}', { count }),
  labels: (count: number) => say('{count, plural, one {# label} other {# labels}}', { count }),
  keys: (count: number) => say('{count, plural, one {# key} other {# keys}}', { count }),
  addresses: (count: number) => say('{count, plural, one {# address} other {# addresses}}', { count }),
  privateKeys: (count: number) =>
    say('{count, plural, one {# private key} other {# private keys}}', { count }),
} as const;
