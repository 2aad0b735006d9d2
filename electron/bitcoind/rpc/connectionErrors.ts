/** Errors of the connection: not connected, lost, timed out, or not a node. */
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { notSent, unchanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { systemCode } from '../../files/fileError.ts';

/** `host:port`, with brackets around IPv6. */
export function authorityOf(address: NodeAddress): string {
  const host = address.host.replace(/^\[|\]$/g, '');
  return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** `cannot_connect` after a timeout: an immediate retry would only wait again. */
export class SlowToConnectError extends AppError {}

/** No node is connected. */
export function notConnected(): AppError {
  return new AppError('not_connected', say('Not connected.'), notSent(say('Connect first.')));
}

/** A newer attempt replaced this one. */
export function connectingCancelled(): AppError {
  return new AppError('cancelled', say('Connecting was cancelled.'), unchanged());
}

/** Nothing was sent. Uses only the cause's code: its message may quote its input. */
export function cannotConnect(address: NodeAddress, cause: unknown): AppError {
  const where = authorityOf(address);
  const code = systemCodeOf(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new AppError(
      'cannot_connect',
      say('Unknown host {host}.', { host: address.host }),
      say('Check name and network.'),
    );
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new AppError(
      'cannot_connect',
      say('Too many open files and connections.'),
      notSent(say('Close other programs and try again.')),
    );
  }
  if (address.tls && /CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code)) {
    return new AppError(
      'cannot_connect',
      say('No trusted TLS connection to {address} ({code}).', { address: where, code }),
      notSent(say('Bitcoin Core speaks plain HTTP; a proxy needs a trusted certificate.')),
    );
  }
  const kind = /TIMEOUT|ETIMEDOUT|UNREACH/.test(code) ? SlowToConnectError : AppError;
  return new kind(
    'cannot_connect',
    say('Nothing answers at {address} ({code}).', { address: where, code: code || say('unknown') }),
    say('Check host, port and -server=1; on another machine, -rpcbind and -rpcallowip.'),
  );
}

/** The listener changed during the connection attempt, so its owner is unknown. */
export function listenerChanged(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The program at {address} changed.', { address: authorityOf(address) }),
    notSent(say('Try again in a moment.')),
  );
}

/** Another user than before listens on this machine's port. */
export function listenerOfOtherUser(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('Another user’s program listens at {address}.', { address: authorityOf(address) }),
    notSent(say('If that is your node, connect by hand; if not, its port was taken.')),
  );
}

/** The system used to show who listens at the address, and no longer does. */
export function listenerHidden(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('It is unclear who listens at {address}.', { address: authorityOf(address) }),
    notSent(say('If the node moved, connect again.')),
  );
}

/** Calls that must share one connection cannot continue on another. */
export function connectionClosed(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The connection to {address} ended before the call was sent.', { address: authorityOf(address) }),
    say('No passphrase was sent and no wallet was changed.'),
  );
}

/** The connection was lost after the call was sent. `changes`: the method changes something. */
export function connectionLostError(method: string, changes: boolean): AppError {
  return new AppError(
    'connection_lost',
    say('The connection was lost.'),
    changes ? mayContinue(method) : unchanged(),
  );
}

export function timedOut(method: string, changes: boolean): AppError {
  return new AppError(
    'timed_out',
    say('No answer to {method} in time.', { method }),
    changes ? mayContinue(method) : unchanged(say('Try again in a moment.')),
  );
}

function mayContinue(method: string): string {
  return say('The node may continue with {method}. Wait for the outcome.', { method });
}

export function cancelled(changes: boolean): AppError {
  return new AppError(
    'cancelled',
    say('No longer waiting for the node.'),
    changes ? say('The node continues.') : unchanged(),
  );
}

/** More bytes or values than the limits that protect the app's memory. */
export function answerTooLarge(method: string): AppError {
  return new AppError(
    'answer_too_large',
    say('The answer to {method} is too large.', { method }),
    say('Check host and port: 8332, not 8333.'),
  );
}

/** `why` is a clause about what answers. It contains nothing that was sent. */
export function notANode(address: NodeAddress, why: string): AppError {
  return new AppError(
    'not_a_node',
    say('{address} does not seem to be a Bitcoin Core node: {why}.', { address: authorityOf(address), why }),
    say('Check host and port: 8332, not 8333.'),
  );
}

/** Empty if there is none. For several addresses each attempt has an error; the first one counts. */
export function systemCodeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return systemCodeOf(cause.errors[0]);
  return systemCode(cause) ?? '';
}
