/** What a new backup is called unless the user calls it otherwise. */

/**
 * `<wallet>-<date>.bak`, the date as `2026-11-21` in local time. What a file name cannot hold everywhere (slashes,
 * control characters, what Windows forbids) becomes `-`; a long name is cut. The unnamed wallet is `wallet`.
 */
export function suggestedBackup(wallet: string, now: Date): string {
  const safe = wallet.replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-').replace(/^[. -]+|[. ]+$/g, '');
  const short = [...safe].slice(0, LONGEST).join('').trim();
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  return `${short || 'wallet'}-${date}.bak`;
}

/** Characters: with four bytes each and the date behind, still below the 255 bytes of a file name. */
const LONGEST = 50;

function pad(part: number): string {
  return part.toString().padStart(2, '0');
}
