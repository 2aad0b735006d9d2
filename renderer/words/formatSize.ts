/** A file's size in bytes as it is read: `16.0 kB`, `1.4 MB`; decimal units, as file managers give them. */
import { formatCount } from './formatCount.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes}\u00a0${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes;
  let unit = '';
  for (const next of UNITS) {
    value /= 1000;
    unit = next;
    if (value < 999.95) break;
  }
  return `${value.toFixed(1)}\u00a0${unit}`;
}

/** The size with its exact bytes: `16.0 kB (16,384 bytes)`. */
export function formatExactSize(bytes: number): string {
  const rounded = formatSize(bytes);
  return bytes < 1000 ? rounded : `${rounded} (${formatCount(bytes)} bytes)`;
}
