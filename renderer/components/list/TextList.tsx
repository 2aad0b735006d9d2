/** A list of texts that others chose, as they are. */
import { say } from '../../../shared/wording/say.ts';
import { SafeText } from '../text/texts.tsx';
import { List } from './List.tsx';

interface TextListProps {
  texts: readonly string[];
  /** Its name for screen readers. */
  label?: string;
  look?: 'bullets' | 'lines';
  mono?: boolean;
  /** So many are shown; how many more there are is said below. */
  most?: number;
  /** How many there are, where `texts` are the first of them. */
  total?: number;
}

export function TextList({
  texts,
  label,
  look = 'bullets',
  mono = false,
  most = texts.length,
  total = texts.length,
}: TextListProps) {
  // The same text may come twice.
  const shown = texts.slice(0, most).map((text, at) => ({ at, text }));
  const more = total - shown.length;
  return (
    <>
      <List look={look} label={label}>
        {shown.map(({ at, text }) => (
          <li key={at}>
            <SafeText text={text} mono={mono} lines />
          </li>
        ))}
      </List>
      {more > 0 && <p>{say('And {count, number} more.', { count: more })}</p>}
    </>
  );
}
