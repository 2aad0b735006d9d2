/** Errors of jobs that do not start, have an unknown outcome, or are no longer waited for. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import type { SettledCopies } from '../safetyCopies/safetyCopies.ts';

/** The job of an app that closed before the call. `copies`: what happened to its unfinished safety copies. */
export function stoppedJob(job: Job, ended: number, copies: SettledCopies): Job {
  const isOfIt = ({ wallet }: { wallet: string | null }) => wallet === job.wallet;
  const finished = copies.listed.find((copy) => isOfIt(copy) && copy.made >= job.started);
  return {
    ...job,
    state: 'failed',
    connection: 'ok',
    progress: null,
    ended,
    resumed: true,
    safetyCopy: job.safetyCopy ?? finished ?? null,
    error: {
      code: 'cancelled',
      message: say('Stopped before the node was asked.'),
      hint: [
        nothingDone(job.kind),
        copies.removed.some(isOfIt) ? say('Incomplete safety copy removed.') : null,
      ]
        .filter((sentence) => sentence !== null)
        .join(' '),
    },
  };
}

export function notConnectedTo({ node }: Job): AppError {
  return new AppError(
    'not_connected',
    say('Not connected to {host}:{port}.', { host: node.address.host, port: node.address.port }),
    `${say('The node continues.')} ${say('Connect to it to see the result.')}`,
  );
}

/** The same error with a changed hint. */
export function withHint(error: AppError, change: (hint: string) => string): AppError {
  const shape = errorShapeOf(error);
  return AppError.fromShape({ ...shape, hint: change(shape.hint) });
}

export function pathNotAbsolute(): AppError {
  return new AppError(
    'bad_input',
    say('Not a full path.'),
    notSent(say('Give the path from the disk’s root.')),
  );
}

export function stoppedBefore({ kind }: Pick<Job, 'kind'>): AppError {
  return new AppError('cancelled', say('Stopped before the node was asked.'), nothingDone(kind));
}

/** A migration may have loaded or unloaded the wallet for the safety copy, but only read its file. */
function nothingDone(kind: Job['kind']): string {
  return kind === 'migrate'
    ? say(
        'The migration was not sent. The wallet’s contents are unchanged; it may have been loaded or unloaded.',
      )
    : notSent(say('Your wallet is unchanged.'));
}
