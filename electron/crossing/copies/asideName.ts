/** The names of half-made wallets that made room for the whole one. */
import { isTooLong } from '../../../shared/walletName.ts';

const MARK = '.interrupted-';
const ASIDE = /^(.+)\.interrupted-\d{8}-\d{6}(?:-\d+)?(?:_+(?:default_wallet_)?(?:watchonly|solvables))?$/s;
/** What a wallet without a name comes back as. */
export const NAME_OF_UNNAMED = 'wallet';

/** `savings.interrupted-20261121-045512`. `seconds`: Unix seconds, of the plan. */
export function asideName(wallet: string, seconds: number, number: number): string {
  const stamp = new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const ending = `${MARK}${stamp}${number === 1 ? '' : `-${number}`}`;
  let stem = wallet === '' ? NAME_OF_UNNAMED : wallet;
  // A folder's name has 255 bytes at most. What was beside the wallet has a longer one.
  while (isTooLong(`${stem}${ending}${LONGEST_COMPANION}`.slice(stem.lastIndexOf('/') + 1)))
    stem = [...stem].slice(0, -1).join('');
  return `${stem}${ending}`;
}

const LONGEST_COMPANION = '_default_wallet_watchonly';

/** The name that such a wallet, or what was beside it, made room for; null for another name. */
export function nameBeforeAside(name: string): string | null {
  return ASIDE.exec(name)?.[1] ?? null;
}
