/** Whether an error is about the passphrase, so that only that has to be given anew. */
import type { AppErrorShape } from '../../../../shared/errors.ts';
import { say } from '../../../../shared/text/say.ts';

export function passphraseRefused(error: AppErrorShape | null): boolean {
  return error?.code === 'wrong_passphrase' || error?.code === 'wallet_unlock_needed';
}

/** The heading of such an error; null for every other one. */
export function refusalTitle(error: AppErrorShape): string | null {
  switch (error.code) {
    case 'wrong_passphrase':
      return say('The passphrase is not right');
    case 'wallet_unlock_needed':
      return say('The passphrase is needed');
    default:
      return null;
  }
}
