/** What went wrong on the way to the node: no connection, a cut one, no answer in time, or not a node at all. */
import { AppError } from '../../../shared/errors.ts';
import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { systemCode } from '../../disk/systemCode.ts';

/** `host:port` as people write it, IPv6 in brackets. */
export function authorityOf(address: NodeAddress): string {
  const host = address.host.replace(/^\[|\]$/g, '');
  return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** `cannot_connect` of a machine that did not even refuse: asking it at once again would only wait again. */
export class SlowToConnectError extends AppError {}

/** Nothing was sent. Only the cause's code is looked at: its text may quote what it was given. */
export function cannotConnect(address: NodeAddress, cause: unknown): AppError {
  const where = authorityOf(address);
  const code = systemCodeOf(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new AppError(
      'cannot_connect',
      say('There is no machine known as {host}.', { host: address.host }),
      say('Nothing was sent. Check the name and the network connection.'),
    );
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new AppError(
      'cannot_connect',
      say(
        'No connection to {address} can be made just now: too many files and connections are open on this computer.',
        { address: where },
      ),
      say('Nothing was sent. End programs that you do not need, wait a moment, and try again.'),
    );
  }
  if (address.tls && /CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code)) {
    return new AppError(
      'cannot_connect',
      say('No trusted encrypted connection to {address} could be made ({code}).', { address: where, code }),
      say(
        'Nothing was sent, no login either. Bitcoin Core itself speaks plain HTTP. For a proxy with TLS, check that its certificate is valid and trusted by this system.',
      ),
    );
  }
  const kind = /TIMEOUT|ETIMEDOUT|UNREACH/.test(code) ? SlowToConnectError : AppError;
  return new kind(
    'cannot_connect',
    code === ''
      ? say('Nothing answers at {address}.', { address: where })
      : say('Nothing answers at {address} ({code}).', { address: where, code }),
    say(
      'Nothing was sent. Check that the node runs with its RPC server on (-server=1) and that host and port are right. A node on another machine must allow this one (-rpcbind, -rpcallowip).',
    ),
  );
}

/** Who listens there changed while the connection was made: nobody can tell whose it is. */
export function changedHands(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The program that listens at {address} changed in this very moment.', {
      address: authorityOf(address),
    }),
    say('Nothing was sent, no login either. If the node was just started or stopped, try again in a moment.'),
  );
}

/** A port of this machine that is another user's than before. */
export function takenOver(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('A program of another user of this computer listens at {address} now.', {
      address: authorityOf(address),
    }),
    say(
      'Nothing was sent to it, no login either. If the node now runs as that user, connect to it again. If not, another user has taken its port: see that the node runs, and what its log says of its port.',
    ),
  );
}

/** Where it was told who listens at an address, and is told no longer. */
export function nobodyKnown(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('This computer no longer tells whose program listens at {address}.', {
      address: authorityOf(address),
    }),
    say(
      'Nothing was sent to it, no login either. See that the node runs. If it was moved, into a container for example, connect to it again.',
    ),
  );
}

/** What is to go over one connection cannot go over a second one. */
export function lineClosed(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The connection to {address} ended before the call could be sent over it.', {
      address: authorityOf(address),
    }),
    say(
      'Nothing was sent that changes a wallet, and no passphrase. See whether the node was stopped, and try again.',
    ),
  );
}

/** The line was cut after the call had gone out. `changes` when the method changes something. */
export function connectionLost(method: string, changes: boolean): AppError {
  return new AppError(
    'connection_lost',
    say('The line to the node was lost before it answered.'),
    changes
      ? say(
          'The node goes on with {method} all the same. Do not send it again before you know how it ended.',
          { method },
        )
      : say('Nothing was changed. Check that the node still runs.'),
  );
}

export function timedOut(method: string, changes: boolean): AppError {
  return new AppError(
    'timed_out',
    say('The node did not answer {method} in time.', { method }),
    changes
      ? say('It may go on with {method} all the same. Do not send it again before you know how it ended.', {
          method,
        })
      : say('Nothing was changed. It may be busy, for example with a rescan. Try again in a moment.'),
  );
}

export function cancelled(method: string, changes: boolean): AppError {
  return new AppError(
    'cancelled',
    say('The app no longer waits for {method}.', { method }),
    changes ? say('What the node has begun it goes on doing.') : say('Nothing was changed.'),
  );
}

export function answerTooLarge(method: string, limit: number): AppError {
  return new AppError(
    'answer_too_large',
    say('The answer to {method} is larger than {megabytes, number} MB.', {
      method,
      megabytes: Math.floor(limit / 1_000_000),
    }),
    say(
      'It was not read to the end, and the app touched no wallet. No node answers this call like that: check that host and port are those of your node.',
    ),
  );
}

/** So many values would take more memory than the app can have, however few bytes they are. */
export function tooManyValues(method: string): AppError {
  return new AppError(
    'answer_too_large',
    say('The answer to {method} has more values in it than the app can hold.', { method }),
    say(
      'It was not taken apart, and the app touched no wallet. No node answers this call like that: check that host and port are those of your node.',
    ),
  );
}

/** `why` is a clause of its own, about what answers, and holds nothing of what was sent. */
export function notANode(address: NodeAddress, why: string): AppError {
  return new AppError(
    'not_a_node',
    say('What answers at {address} does not seem to be a Bitcoin Core node: {why}.', {
      address: authorityOf(address),
      why,
    }),
    say(
      'The app touched no wallet. Check host and port. The RPC port of a node is 8332 on the main network, and not the 8333 of its peers.',
    ),
  );
}

/** Empty where there is none. Each attempt to connect to one of several addresses has an error; the first one tells. */
export function systemCodeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return systemCodeOf(cause.errors[0]);
  return systemCode(cause) ?? '';
}
