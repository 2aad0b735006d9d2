/** File sizes in decimal units, as in file managers: `16.0 kB`, `1.4 MB`. Input in bytes. */
import { say } from '../say.ts';
import { perRegion } from './perRegion.ts';

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

/** `16,384 bytes`. */
export function formatBytes(bytes: number): string {
  return BYTES().format(bytes);
}
