/** What can be done with a queue: ended while it runs, gone on with or left once it is over. */
import { Button } from '@mantine/core';
import { say } from '../../../../shared/text/say.ts';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { useApp } from '../../../state/appStore.ts';
import { hasWaiting, type Queue } from '../../../state/manyQueue.ts';
import { useMany } from '../../../state/manyStore.ts';

export function QueueButtons({ queue, over }: { queue: Queue; over: boolean }) {
  const go = useApp((state) => state.go);
  const { stopAfterThis, putAway } = useMany.getState();
  if (!over) {
    return (
      <ActionButton variant="default" blocked={!hasWaiting(queue)} onClick={stopAfterThis}>
        {say('Stop after this one')}
      </ActionButton>
    );
  }
  const left = queue.items
    .filter(({ standing }) => standing.state === 'not-begun')
    .map(({ wallet }) => wallet);
  return (
    <>
      {left.length > 0 && (
        <Button variant="default" onClick={() => putAway(left)}>
          {say('Migrate the rest…')}
        </Button>
      )}
      <Button onClick={() => go({ at: 'wallets' })}>{say('To the wallets')}</Button>
    </>
  );
}
