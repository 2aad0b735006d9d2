/** Tries a passphrase on the backup itself, so that a wrong one changes nothing at the node. */
import { AppError } from '../../../shared/errors.ts';
import type { PassphraseVerdict } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import type { RestoreFacts } from './checkFacts.ts';
import type { Looking } from './gatherFacts.ts';

/**
 * Throws AppError `wrong_passphrase`, and `wallet_unlock_needed` where none was given for an encrypted wallet. What
 * cannot be tried on the file is left to the node.
 */
export async function refusePassphrase(
  { looked, status }: Pick<RestoreFacts, 'looked' | 'status'>,
  backupFile: string,
  passphrase: string | undefined,
  looking: Looking,
): Promise<void> {
  if (looked.state !== 'seen' || looked.inspection.encryption === null) return;
  if (passphrase === undefined) throw missing();
  const verdict = await verdictOn(backupFile, passphrase, looking);
  if (verdict === 'wrong') throw wrong(OTHERWISE_TYPED);
  // The offline engine takes the beginning by itself; a node takes the whole.
  if (verdict === 'right-cut-at-zero' && !status.offline) throw wrong(CUT);
}

async function verdictOn(
  backupFile: string,
  passphrase: string,
  looking: Looking,
): Promise<PassphraseVerdict> {
  try {
    return await looking.tryPassphrase({ by: 'file', path: backupFile }, passphrase);
  } catch {
    return 'cannot-be-tried';
  }
}

function missing(): AppError {
  return new AppError(
    'wallet_unlock_needed',
    say('This wallet is encrypted, and no passphrase was given.'),
    say('Nothing was placed and nothing was sent to the node. Try again with the passphrase.'),
  );
}

function wrong(advice: string): AppError {
  return new AppError(
    'wrong_passphrase',
    say('The passphrase is not the one of this wallet.'),
    say('It was tried on the backup itself: nothing was placed and nothing was sent to the node. {advice}', {
      advice,
    }),
  );
}

const OTHERWISE_TYPED = say(
  'Check capitals, spaces and the keyboard layout, and try again. There is no limit of tries.',
);
const CUT = say(
  'It holds a zero byte, and what comes before that is right: releases before 25 took only that part. Give that part alone.',
);
