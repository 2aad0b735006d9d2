/** Warnings of the node, word for word and all of them. */
import { say } from '../../shared/say.ts';
import { Notice } from './Notice.tsx';
import { TextList } from './TextList.tsx';

export function NodeWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="read" title={say('Warnings from the node')}>
      <TextList label={say('Warnings from the node')} texts={warnings} mono />
    </Notice>
  );
}
