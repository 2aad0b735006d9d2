/** What stands between an operation and its node: the line is cut, or it stays up and nothing comes over it. */
import { Button } from '@mantine/core';
import type { Operation } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { Notice } from '../../elements/Notice.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { useElapsed } from '../../elements/useElapsed.ts';
import { useOperations } from '../../state/operationsStore.ts';
import { formatTime } from '../../words/format/formatTime.ts';

/** Renders nothing while the node is heard. */
export function LineTrouble({ operation: { id, line, silentSince } }: { operation: Operation }) {
  if (line === 'lost') {
    return (
      <Notice tone="read" title={say('The line to the node is lost')} role="status">
        {silentSince !== undefined && <HeardLast at={silentSince} />}
        <p>
          {say(
            'If the node still runs, it goes on with what it was asked to do; if it was stopped, start it again. The app keeps asking, and finds out what came of it as soon as the node answers. Below is what was last known.',
          )}
        </p>
        <StopWaiting id={id} />
      </Notice>
    );
  }
  if (line === 'another-node') {
    return (
      <Notice tone="read" title={say('Another node answers here')} role="status">
        <p>
          {say(
            'What answers at this address has another network, another data folder or another user than the node that this was begun on. The app believes nothing of what it says about this, and sends nothing more for it. Stop it, start the node that this was begun on, and connect to that one: the app then finds out what came of this.',
          )}
        </p>
        <StopWaiting id={id} />
      </Notice>
    );
  }
  if (silentSince === undefined) return null;
  return (
    <Notice tone="read" title={say('The node has not been heard for a while')} role="status">
      <HeardLast at={silentSince} />
      <p>
        {say(
          'The line to it stands, but no answer comes to what the app asks. The node may have much to do, its machine may be asleep, or the network between may hold everything back. There is nothing that you must do: the app goes on asking, on new connections too, and finds out what came of it. If the machine sleeps or was switched off, wake it or start it, and the node with it.',
        )}
      </p>
      <StopWaiting id={id} />
    </Notice>
  );
}

function HeardLast({ at }: { at: number }) {
  const elapsed = useElapsed(at);
  return (
    <p>
      <Say
        text="Nothing was heard from the node since {time}. {ago}"
        values={{
          time: formatTime(at),
          ago: <span aria-hidden>{say('That is {elapsed} ago.', { elapsed })}</span>,
        }}
      />
    </p>
  );
}

function StopWaiting({ id }: { id: string }) {
  return (
    <Button size="compact-sm" variant="default" onClick={() => useOperations.getState().stopWaiting(id)}>
      {say('Stop waiting')}
    </Button>
  );
}
