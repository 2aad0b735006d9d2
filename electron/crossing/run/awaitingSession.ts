/** The session that a crossing's own work before its long call is done with: no call of it waits unwatched. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import type { NodeClient, Session } from '../../node/rpc/session.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import type { RunContext } from './runContext.ts';

/**
 * The session that `context` has now. While a call of it is out, the node is asked about it as about the long call
 * (see `awaitAnswer`): its silence is told, and a call whose answer is lost throws AppError `connection_lost`.
 */
export function awaitingSession(context: RunContext): Session {
  const { client, status } = context.session();
  return { status, client: awaiting(client, context) };
}

function awaiting(client: NodeClient, context: RunContext): NodeClient {
  return {
    ...client,
    async call(method, params, options = {}) {
      let given: AbortSignal | null = null;
      try {
        return await awaitAnswer(
          (silence) => {
            given = silence;
            const signal = options.signal ? AbortSignal.any([options.signal, silence]) : silence;
            return client.call(method, params, { ...options, signal });
          },
          { method },
          context,
        );
      } catch (thrown) {
        throw isGivenUp(given, context.signal) && !options.signal?.aborted ? answerLost() : thrown;
      }
    },
    overOneLine: (work) => client.overOneLine((single) => work(awaiting(single, context))),
  };
}

function isGivenUp(given: AbortSignal | null, stopped: AbortSignal): boolean {
  return given?.aborted === true && !stopped.aborted;
}

function answerLost(): AppError {
  return new AppError(
    'connection_lost',
    say('The node’s answer was lost while this was prepared.'),
    say('The crossing was not sent. Check the connection, then try again.'),
  );
}
