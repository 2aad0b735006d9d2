/**
 * A share of a whole (0 to 1) in percent. Rounded down, so that `100 %` is said of what is whole and of nothing
 * else; two decimals near the end, where a node stays longest.
 */
export function formatShare(share: number): string {
  const percent = Math.min(1, Math.max(0, share)) * 100;
  const decimals = percent > 99 && percent < 100 ? 2 : 0;
  const unit = 10 ** decimals;
  return `${(Math.floor(percent * unit) / unit).toFixed(decimals)}\u00a0%`;
}
