/** A file's size in bytes as it is read: `16.0 kB`, `1.4 MB`; decimal units, as file managers give them. */
import { perRegion } from '../../text/perRegion.ts';
import { say } from '../../text/say.ts';

const BYTES = perRegion(
  (region) => new Intl.NumberFormat(region, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
);
const [KILO, ...LARGER] = (['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const).map((unit) =>
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
  if (bytes < 1000 || KILO === undefined) return unbroken(formatBytes(bytes));
  let value = bytes / 1000;
  let format = KILO;
  for (const larger of LARGER) {
    if (value < 999.95) break;
    value /= 1000;
    format = larger;
  }
  return unbroken(format().format(value));
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

function unbroken(size: string): string {
  return size.replaceAll(' ', '\u00a0');
}
