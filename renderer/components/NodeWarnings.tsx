/** Warnings of the node, word for word and all of them. */
import { Notice } from './Notice.tsx';
import { TextList } from './TextList.tsx';

export function NodeWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="read" title="Warnings from the node">
      <TextList label="Warnings from the node" texts={warnings} mono />
    </Notice>
  );
}
