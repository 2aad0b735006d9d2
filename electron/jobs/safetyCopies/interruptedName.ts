/** Names the incomplete wallets that move away for the restored one. */
import { isTooLong } from '../../../shared/model/names/walletName.ts';

const MARK = '.interrupted-';
const MOVED = /^(.+)\.interrupted-\d{8}-\d{6}(?:-\d+)?(?:_+(?:default_wallet_)?(?:watchonly|solvables))?$/s;
/** The unnamed wallet is restored under this name. */
export const NAME_OF_UNNAMED = 'wallet';

/** `savings.interrupted-20261121-045512`. `seconds`: Unix seconds, of the plan. */
export function interruptedName(wallet: string, seconds: number, number: number): string {
  const stamp = new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const ending = `${MARK}${stamp}${number === 1 ? '' : `-${number}`}`;
  let stem = wallet === '' ? NAME_OF_UNNAMED : wallet;
  // A folder's name has 255 bytes at most. The names of the companion wallets are longer.
  while (isTooLong(`${stem}${ending}${LONGEST_COMPANION}`.slice(stem.lastIndexOf('/') + 1)))
    stem = [...stem].slice(0, -1).join('');
  return `${stem}${ending}`;
}

const LONGEST_COMPANION = '_default_wallet_watchonly';

/** The wallet's name before it was moved, also for its companions; null for any other name. */
export function originalName(name: string): string | null {
  return MOVED.exec(name)?.[1] ?? null;
}
