/** Warnings of the node, or of the offline engine in its place, word for word and all of them. */
import { say } from '../../shared/wording/say.ts';
import { TextList } from './list/TextList.tsx';
import { Notice } from './Notice.tsx';

interface NodeWarningsProps {
  warnings: readonly string[];
  /** They are the offline engine's. */
  offline?: boolean | undefined;
}

export function NodeWarnings({ warnings, offline = false }: NodeWarningsProps) {
  if (warnings.length === 0) return null;
  const title = offline ? say('Offline engine warnings') : say('Node warnings');
  return (
    <Notice tone="info" title={title}>
      <TextList label={title} texts={[...new Set(warnings)]} mono />
    </Notice>
  );
}
