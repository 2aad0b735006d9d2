/** Says that nobody watched an operation to its end, and what that means for what is shown of it. */
import type { Operation } from '../../../shared/model.ts';
import { Notice } from '../../components/Notice.tsx';

export function WasAway({ state }: Pick<Operation, 'state'>) {
  return (
    <Notice tone="info" title="The app was away while this ran">
      <p>{WORDS[state]}</p>
    </Notice>
  );
}

const WORDS: Readonly<Record<Operation['state'], string>> = {
  running: 'It found its way back and follows what the node does, from where it had stopped.',
  done: 'It found out afterwards what came of it, from the node and its log.',
  failed: 'It found out afterwards how it ended.',
  unknown: 'It could not find out for certain how it ended.',
};
