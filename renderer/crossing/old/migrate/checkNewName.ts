/** Whether a copy of a wallet can be placed under a name and be migrated there. */
import { say } from '../../../../shared/text/say.ts';
import { checkWalletName, type NameRules, type NameVerdict } from '../../../../shared/walletName.ts';

/** Beside what holds for every wallet: it lies in the wallets folder itself, and its further wallets find their names. */
export function checkNewName(name: string, rules: NameRules): NameVerdict {
  const verdict = checkWalletName(name, rules);
  if (!verdict.ok) return verdict;
  if (name.includes('/')) {
    return { ok: false, reason: 'leaves-folder', message: say('A name with a slash cannot be used here.') };
  }
  for (const ending of ['_watchonly', '_solvables']) {
    const needed = `${name}${ending}`;
    const further = checkWalletName(needed, rules);
    if (further.ok) continue;
    const message =
      further.reason === 'taken'
        ? say('The migration may need the name “{needed}”, which another wallet has.', { needed })
        : say('The migration may need the name “{needed}”. {problem}', { needed, problem: further.message });
    return { ok: false, reason: further.reason, message };
  }
  return verdict;
}
