/** Numbers in the format of the user's region: counts, shares and file sizes. */
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

/** A share (0 to 1) in percent, rounded down: only the whole is `100%`. Two decimals near the end. */
export function formatShare(share: number): string {
  const percent = Math.min(1, Math.max(0, share)) * 100;
  const decimals = percent > 99 && percent < 100 ? 2 : 0;
  const unit = 10 ** decimals;
  const cut = Math.floor(percent * unit) / unit / 100;
  return FORMATS[decimals]().format(cut);
}

const FORMATS = { 0: withDecimals(0), 2: withDecimals(2) } as const;

function withDecimals(decimals: number) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return perRegion((region) => new Intl.NumberFormat(region, { style: 'percent', ...digits }));
}

const BYTES = perRegion(
  (region) => new Intl.NumberFormat(region, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
);
/** Each unit is a thousand of the one before. */
const UNITS = (['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const).map((unit) =>
  perRegion(
    (region) =>
      new Intl.NumberFormat(region, {
        style: 'unit',
        unit,
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      }),
  ),
);

/** A size in decimal units, as in file managers: `16.0 kB`, `1.4 MB`. Input in bytes. */
export function formatSize(bytes: number): string {
  // From 999.95 of a unit on, the rounded text would be 1000.0, so use the next unit.
  const unit = UNITS.findLastIndex((_, at) => bytes >= 999.95 * 1000 ** at);
  const size = UNITS[unit]?.().format(bytes / 1000 ** (unit + 1)) ?? formatBytes(bytes);
  return size.replaceAll(' ', '\u00a0');
}

/** The size with its exact bytes: `16.0 kB (16,384 bytes)`. */
export function formatExactSize(bytes: number): string {
  const size = formatSize(bytes);
  return bytes < 1000 ? size : say('{size} ({bytes})', { size, bytes: formatBytes(bytes) });
}

export function formatBytes(bytes: number): string {
  return BYTES().format(bytes);
}
