/** Says that nobody watched an operation to its end, and what that means for what is shown of it. */
import type { Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';

export function WasAway({ state }: Pick<Operation, 'state'>) {
  return (
    <Notice tone="info" title={say('The app was away while this ran')}>
      <p>{WORDS[state]}</p>
    </Notice>
  );
}

const WORDS: Readonly<Record<Operation['state'], string>> = {
  running: say('It found its way back and follows what the node does, from where it had stopped.'),
  done: say('It found out afterwards what came of it, from the node and its log.'),
  failed: say('It found out afterwards how it ended.'),
  unknown: say('It could not find out for certain how it ended.'),
};
