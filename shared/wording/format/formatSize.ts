/** A file's size in bytes as it is read: `16.0 kB`, `1.4 MB`; decimal units, as file managers give them. */
import { say } from '../say.ts';
import { perRegion } from './perRegion.ts';

const BYTES = perRegion(
  (region) => new Intl.NumberFormat(region, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
);
/** Each a thousand of the one before. */
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

export function formatSize(bytes: number): string {
  // What would be shown as a thousand of a unit is one of the next.
  const unit = UNITS.findLastIndex((_, at) => bytes >= 999.95 * 1000 ** at);
  const size = UNITS[unit]?.().format(bytes / 1000 ** (unit + 1)) ?? formatBytes(bytes);
  return size.replaceAll(' ', '\u00a0');
}

/** The size with its exact bytes: `16.0 kB (16,384 bytes)`. */
export function formatExactSize(bytes: number): string {
  const size = formatSize(bytes);
  return bytes < 1000 ? size : say('{size} ({bytes})', { size, bytes: formatBytes(bytes) });
}

/** `16,384 bytes`. */
export function formatBytes(bytes: number): string {
  return BYTES().format(bytes);
}
