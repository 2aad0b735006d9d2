/** A name to begin with in the Restore wizard: the suggested one, or one close to it that is free. */
import { checkWalletName, type NameRules } from '../../../../shared/walletName.ts';

/**
 * `savings`, or `savings-restored`, `savings-restored-2` … when taken. Empty when the suggestion cannot be used.
 * `check` says which names can be.
 */
export function freeName(suggested: string, rules: NameRules, check = checkWalletName): string {
  const verdict = check(suggested, rules);
  if (verdict.ok) return suggested;
  if (verdict.reason !== 'taken') return '';
  for (let number = 1; number <= TRIES; number++) {
    const name = number === 1 ? `${suggested}-restored` : `${suggested}-restored-${number}`;
    if (check(name, rules).ok) return name;
  }
  return '';
}

const TRIES = 100;
