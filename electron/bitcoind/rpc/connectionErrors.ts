/** What went wrong on the way to the node: no connection, a cut one, no answer in time, or not a node at all. */
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { systemCode } from '../../files/systemCode.ts';

/** `host:port` as people write it, IPv6 in brackets. */
export function authorityOf(address: NodeAddress): string {
  const host = address.host.replace(/^\[|\]$/g, '');
  return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** `cannot_connect` of a machine that did not even refuse: asking it at once again would only wait again. */
export class SlowToConnectError extends AppError {}

/** There is no node to send anything to. */
export function notConnected(): AppError {
  return new AppError(
    'not_connected',
    say('The app is not connected to a node.'),
    say('Nothing was sent. Connect first.'),
  );
}

/** A newer wish of the user took the place of this one. */
export function connectingCancelled(): AppError {
  return new AppError('cancelled', say('Connecting was cancelled.'), say('Nothing was changed.'));
}

/** Nothing was sent. Only the cause's code is looked at: its text may quote what it was given. */
export function cannotConnect(address: NodeAddress, cause: unknown): AppError {
  const where = authorityOf(address);
  const code = systemCodeOf(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new AppError(
      'cannot_connect',
      say('There is no machine known as {host}.', { host: address.host }),
      say('Check the name and the network.'),
    );
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new AppError(
      'cannot_connect',
      say('Too many files and connections are open on this computer.'),
      say('Nothing was sent. Close some programs and try again.'),
    );
  }
  if (address.tls && /CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code)) {
    return new AppError(
      'cannot_connect',
      say('No trusted TLS connection to {address} ({code}).', { address: where, code }),
      say('Nothing was sent. Bitcoin Core speaks plain HTTP; a proxy needs a trusted certificate.'),
    );
  }
  const kind = /TIMEOUT|ETIMEDOUT|UNREACH/.test(code) ? SlowToConnectError : AppError;
  return new kind(
    'cannot_connect',
    code === ''
      ? say('Nothing answers at {address}.', { address: where })
      : say('Nothing answers at {address} ({code}).', { address: where, code }),
    say(
      'Check host and port, and that the node runs with -server=1. On another machine it needs -rpcbind and -rpcallowip.',
    ),
  );
}

/** Who listens there changed while the connection was made: nobody can tell whose it is. */
export function listenerChanged(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The program at {address} changed just now.', { address: authorityOf(address) }),
    say('Nothing was sent. Try again in a moment.'),
  );
}

/** A port of this machine that is another user's than before. */
export function listenerOfOtherUser(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('Another user’s program listens at {address} now.', { address: authorityOf(address) }),
    say('Nothing was sent. If the node runs as that user, connect by hand. If not, its port was taken.'),
  );
}

/** Where it was told who listens at an address, and is told no longer. */
export function listenerHidden(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('This computer no longer shows who listens at {address}.', { address: authorityOf(address) }),
    say('Nothing was sent. If the node was moved, connect again.'),
  );
}

/** What is to go over one connection cannot go over a second one. */
export function connectionClosed(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The connection to {address} ended before the call was sent.', { address: authorityOf(address) }),
    say('No passphrase was sent and no wallet was changed.'),
  );
}

/** The line was cut after the call had gone out. `changes` when the method changes something. */
export function connectionLost(method: string, changes: boolean): AppError {
  return new AppError(
    'connection_lost',
    say('The connection was lost before the node answered.'),
    changes ? mayContinue(method) : say('Nothing was changed.'),
  );
}

export function timedOut(method: string, changes: boolean): AppError {
  return new AppError(
    'timed_out',
    say('The node did not answer {method} in time.', { method }),
    changes ? mayContinue(method) : say('Nothing was changed. Try again in a moment.'),
  );
}

function mayContinue(method: string): string {
  return say('The node may continue with {method}. Wait for the outcome.', { method });
}

export function cancelled(method: string, changes: boolean): AppError {
  return new AppError(
    'cancelled',
    say('The app no longer waits for {method}.', { method }),
    changes ? say('The node continues what it began.') : say('Nothing was changed.'),
  );
}

/** More bytes than the limit, or so many values that they would take more memory than the app can have. */
export function answerTooLarge(method: string): AppError {
  return new AppError(
    'answer_too_large',
    say('The answer to {method} is too large.', { method }),
    say('No node answers like this. Check host and port.'),
  );
}

/** `why` is a clause of its own, about what answers, and holds nothing of what was sent. */
export function notANode(address: NodeAddress, why: string): AppError {
  return new AppError(
    'not_a_node',
    say('{address} does not seem to be a Bitcoin Core node: {why}.', { address: authorityOf(address), why }),
    say('Check host and port. The main RPC port is 8332, not 8333.'),
  );
}

/** Empty where there is none. Each attempt to connect to one of several addresses has an error; the first one tells. */
export function systemCodeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return systemCodeOf(cause.errors[0]);
  return systemCode(cause) ?? '';
}
