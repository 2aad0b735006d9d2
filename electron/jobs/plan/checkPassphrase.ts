/** The verdict on a passphrase. The app tries it on the wallet's file, so a wrong one never reaches the node. */
import { AppError } from '../../../shared/model/errors.ts';
import type { PassphraseVerdict } from '../../../shared/model/inspection.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { asSentence } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { blocker, contentsOf, fine, type PlanFacts, unseen, warning } from './checkFacts.ts';

/** `verdict`: null for a file that the app cannot read. Offline, a zero byte ends the passphrase, as before release 25. */
export function checkPassphrase(
  verdict: PassphraseVerdict | null,
  { passphrase, offline }: { passphrase: string; offline: boolean },
): Check {
  if (verdict === null && passphrase.includes('\0')) {
    return warning('passphrase', say('The passphrase contains a zero byte'), {
      todo: [say('If set before release 25, try only the part before the zero byte.')],
    });
  }
  if (verdict === 'right' || (verdict === 'right-cut-at-zero' && offline)) {
    return fine('passphrase', say('Right passphrase'));
  }
  switch (verdict) {
    case 'wrong':
      return blocker('passphrase', say('Wrong passphrase'), {
        todo: [say('Check capitals, spaces and keyboard layout.')],
      });
    case 'right-cut-at-zero':
      return blocker('passphrase', say('Right only up to its zero byte'), {
        todo: [say('Type only the part before the zero byte.')],
      });
    case 'not-encrypted':
      return warning('passphrase', say('The wallet needs no passphrase'));
    case null:
    case 'too-many-rounds':
    case 'cannot-be-tried':
    case 'not-tried':
      return unseen('passphrase', say('Only the node can try it'));
  }
}

/** Throws AppError `wrong_passphrase` if the file proves it. The node decides about what the app cannot try. */
export function refusePassphrase(facts: PlanFacts, passphrase: string | undefined): void {
  if (
    passphrase === undefined ||
    facts.kind === 'restore' ||
    facts.kind === 'backup' ||
    facts.kind === 'rescan'
  )
    return;
  const { fileInspection, status } = facts;
  const contents = contentsOf(fileInspection);
  if (!contents?.encryption) return;
  const { offline } = status;
  const { verdict, title, text, todo } = checkPassphrase(contents.passphrase, { passphrase, offline });
  if (verdict !== 'blocker') return;
  throw new AppError(
    'wrong_passphrase',
    asSentence(title),
    [say('Nothing was sent.'), ...text, ...todo].join(' '),
  );
}
