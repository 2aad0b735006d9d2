/** What keeps a plan from being run by throwing: no other plan would mend it. */
import { AppError } from '../../../shared/errors.ts';
import type { Plan } from '../../../shared/plan.ts';
import { say } from '../../../shared/text/say.ts';
import { checkPassphrase } from './checkPassphrase.ts';
import type { Gathered } from './decide.ts';

/**
 * Throws AppError `wrong_passphrase` for one that was tried on the wallet's file and is wrong. What cannot be tried there is
 * left to the node.
 */
export function refusePassphrase(gathered: Gathered, passphrase: string | undefined): void {
  if (gathered.kind === 'restore' || gathered.kind === 'backup' || passphrase === undefined) return;
  const { looked, status } = gathered.facts;
  if (looked.state !== 'seen' || looked.inspection.encryption === null) return;
  const { offline } = status;
  const { verdict, title, text, todo } = checkPassphrase(looked.inspection.passphrase, {
    passphrase,
    offline,
  });
  if (verdict !== 'stop') return;
  throw new AppError(
    'wrong_passphrase',
    say('{title}.', { title }),
    [say('It was tried on the file: nothing was sent to the node.'), ...text, ...todo].join(' '),
  );
}

/** Throws AppError `file_changed` where the chosen file is not the one that was shown, by its content. */
export function refuseAnotherFile(shown: Plan, now: Plan): void {
  const [before, after] = [shown.facts.sha256, now.facts.sha256];
  if (shown.source.by !== 'file' || before === null || after === null || before === after) return;
  throw new AppError(
    'file_changed',
    say('The file is not the one that was shown any more.'),
    say(
      'Nothing was sent to the node. The SHA-256 of the file that was shown: {before}. Of the file that is there now: {after}. Find out what changed it before you go on.',
      { before, after },
    ),
  );
}
