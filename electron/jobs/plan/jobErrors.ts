/** Why a job does not begin, cannot be found out about, or is no longer waited for. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { say } from '../../../shared/wording/say.ts';
import type { SettledCopies } from '../safetyCopies/settleCopies.ts';

/** `copies`: what became of those that the app was in the middle of making. */
export function neverSent(job: Job, ended: number, copies: SettledCopies): Job {
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
      message: say('The app was closed before the node was asked.'),
      hint: [
        nothingDone(job.kind),
        copies.removed.some(isOfIt) ? say('The incomplete safety copy was removed.') : null,
      ]
        .filter((sentence) => sentence !== null)
        .join(' '),
    },
  };
}

export function elsewhere({ node }: Job): AppError {
  return new AppError(
    'not_connected',
    say('The app is not connected to {host}:{port}.', {
      host: node.address.host,
      port: node.address.port,
    }),
    say('The node continues what it has begun. Connect to it to see the result.'),
  );
}

/** The same error with another hint, made from the one it has. */
export function withHint(error: AppError, change: (hint: string) => string): AppError {
  const shape = errorShapeOf(error);
  return AppError.fromShape({ ...shape, hint: change(shape.hint) });
}

export function incompletePath(): AppError {
  return new AppError(
    'bad_input',
    say('The path is not complete.'),
    say('Nothing was sent. Give the whole path, from the root of the disk.'),
  );
}

export function stoppedBefore({ kind }: Pick<Job, 'kind'>): AppError {
  return new AppError(
    'cancelled',
    kind === 'restore' || kind === 'backup' || kind === 'rescan'
      ? say('Stopped before the node was asked.')
      : say('Stopped before the node was asked to migrate.'),
    nothingDone(kind),
  );
}

/** For its safety copy a wallet that is migrated may have been loaded or unloaded; its file was only read. */
function nothingDone(kind: Job['kind']): string {
  return kind === 'migrate'
    ? say(
        'The migration was not sent, and the wallet’s contents are as they were. It may have been loaded or unloaded.',
      )
    : say('Nothing was sent, and the wallet is as it was.');
}
