/** Why a crossing does not begin, cannot be found out about, or is no longer waited for. */

import type { Crossing, LeftCopy } from '../../../shared/crossing.ts';
import { AppError } from '../../../shared/errors.ts';
import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { nameInSentence } from '../../../shared/walletName.ts';
import type { SettledCopies } from '../copies/settleCopies.ts';
import type { Continuation } from './course.ts';

/** `copies`: what became of those that the app was in the middle of making. */
export function neverSent(crossing: Crossing, ended: number, copies: SettledCopies): Crossing {
  const isOfIt = ({ wallet }: { wallet: string | null }) => wallet === crossing.wallet;
  const finished = copies.listed.find((copy) => isOfIt(copy) && copy.made >= crossing.started);
  return {
    ...crossing,
    state: 'failed',
    line: 'ok',
    progress: null,
    ended,
    resumed: true,
    safetyCopy: crossing.safetyCopy ?? finished ?? null,
    error: {
      code: 'cancelled',
      message: say('The app was closed before the node was asked.'),
      hint: [
        nothingDone(crossing.kind),
        copies.removed.some(isOfIt) ? say('The safety copy that was half made then is removed.') : null,
        say('Start again when you like.'),
      ]
        .filter((sentence) => sentence !== null)
        .join(' '),
    },
  };
}

export function alreadyRunning(wallet: string): AppError {
  return new AppError(
    'crossing_running',
    wallet === ''
      ? say('The unnamed wallet is being worked on.')
      : say('“{wallet}” is being worked on.', { wallet }),
    say('Nothing was sent to the node. Wait until the crossing that runs now has ended.'),
  );
}

export function elsewhere({ node }: Crossing): AppError {
  return new AppError(
    'not_connected',
    say('The app is not connected to the node at {host}:{port}.', {
      host: node.address.host,
      port: node.address.port,
    }),
    say(
      'What the node has begun it goes on doing. Connect to it, so that the app can find out what became of this.',
    ),
  );
}

export function notRunning(): AppError {
  return new AppError(
    'bad_input',
    say('This crossing does not run any more.'),
    say('There is nothing to stop.'),
  );
}

export function leaving(): AppError {
  return new AppError('cancelled', say('The app is closing.'), say('Nothing was sent to the node.'));
}

/** What was chosen and looked at belongs to one node: another one may have a wallet of the same name. */
export function onAnotherNode({ host, port }: NodeAddress): AppError {
  return new AppError(
    'not_connected',
    say('This was prepared for the node at {host}:{port}, and the app is connected to another one.', {
      host,
      port,
    }),
    say('Nothing was sent to either. Connect to that node again, or begin anew with this one.'),
  );
}

/** What an earlier try under the same name left. */
export function copyInTheWay({ path, text }: LeftCopy): AppError {
  return new AppError(
    'name_taken',
    say('The copy of an earlier try under this name still lies in the node’s wallets folder: {path}', {
      path,
    }),
    `${say('Nothing was sent to the node. Choose another name, or see that the copy goes first.')} ${text}`,
  );
}

export function incompletePath(): AppError {
  return new AppError(
    'bad_input',
    say('The path of the backup is not complete.'),
    say(
      'Nothing was sent to the node. Give it from the root of the disk on: the node has another working folder than you.',
    ),
  );
}

export function stoppedBefore({ kind }: Pick<Continuation, 'kind'>): AppError {
  return new AppError(
    'cancelled',
    kind === 'migrate' || kind === 'restore-migrate'
      ? say('It was stopped before the node was asked to migrate.')
      : say('It was stopped before the node was asked.'),
    nothingDone(kind),
  );
}

/** For its safety copy a wallet that is migrated may have been loaded or unloaded; its file was only read. */
function nothingDone(kind: Crossing['kind']): string {
  return kind === 'migrate'
    ? say(
        'The migration was not sent to the node, and what is in the wallet is as it was. The wallet may not be loaded now, or be loaded where it was not: making the safety copy can need that. The list of wallets shows it.',
      )
    : say('Nothing was sent to the node, and the wallet is as it was.');
}

export function stoppedWaiting({ kind, wallet }: Pick<Continuation, 'kind' | 'wallet'>) {
  return {
    code: 'outcome_unknown',
    message: say('The app stopped waiting for the node.'),
    hint: beforeAskingAgain(kind, nameInSentence(wallet)),
  } as const;
}

function beforeAskingAgain(kind: Crossing['kind'], wallet: string): string {
  switch (kind) {
    case 'restore':
      return say(
        'What the node has begun it goes on doing. Look at the node’s log too before you restore {wallet} once more.',
        { wallet },
      );
    case 'migrate':
    case 'restore-migrate':
      return say(
        'What the node has begun it goes on doing. Look at the node’s log too before you migrate {wallet} once more.',
        { wallet },
      );
    case 'backup':
      return say(
        'What the node has begun it goes on doing. Look at the node’s log too before you back up {wallet} once more.',
        { wallet },
      );
  }
}
