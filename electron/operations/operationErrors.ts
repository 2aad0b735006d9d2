/** Why an operation does not begin, cannot be found out about, or did not begin before the app was closed. */
import { AppError } from '../../shared/errors.ts';
import type { NodeAddress, Operation } from '../../shared/model.ts';
import type { SettledCopies } from './settleCopies.ts';

/** `copies`: what became of those that the app was in the middle of making. */
export function neverSent(operation: Operation, ended: number, copies: SettledCopies): Operation {
  const isOfIt = ({ wallet }: { wallet: string | null }) => wallet === operation.wallet;
  const finished = copies.listed.find((copy) => isOfIt(copy) && copy.made >= operation.started);
  return {
    ...operation,
    state: 'failed',
    line: 'ok',
    progress: null,
    ended,
    resumed: true,
    safetyCopy: operation.safetyCopy ?? finished ?? null,
    error: {
      code: 'cancelled',
      message: 'The app was closed before the node was asked.',
      hint: copies.removed.some(isOfIt)
        ? 'Nothing was sent to the node, and the wallet is as it was. The safety copy that was half made then is removed. Start again when you like.'
        : 'Nothing was sent to the node, and the wallet is as it was. Start again when you like.',
    },
  };
}

export function alreadyRunning(wallet: string): AppError {
  return new AppError(
    'operation_running',
    wallet === '' ? 'The unnamed wallet is being worked on.' : `“${wallet}” is being worked on.`,
    'Nothing was sent to the node. Wait until the operation that runs now has ended.',
  );
}

export function elsewhere({ node }: Operation): AppError {
  return new AppError(
    'not_connected',
    `The app is not connected to the node at ${node.address.host}:${node.address.port}.`,
    'Connect to it, so that the app can find out what became of this.',
  );
}

export function notRunning(): AppError {
  return new AppError('bad_input', 'This operation does not run any more.', 'There is nothing to stop.');
}

export function leaving(): AppError {
  return new AppError('cancelled', 'The app is closing.', 'Nothing was sent to the node.');
}

/** What was chosen and looked at belongs to one node: another one may have a wallet of the same name. */
export function onAnotherNode({ host, port }: NodeAddress): AppError {
  return new AppError(
    'not_connected',
    `This was prepared for the node at ${host}:${port}, and the app is connected to another one.`,
    'Nothing was sent to either. Connect to that node again, or begin anew with this one.',
  );
}
