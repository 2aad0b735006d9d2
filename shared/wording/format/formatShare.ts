/** A share (0 to 1) in percent, rounded down: only the whole is `100%`. Two decimals near the end. */
import { perRegion } from './perRegion.ts';

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
