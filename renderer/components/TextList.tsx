/** A list of texts that others chose, as they are. */
import { List } from './List.tsx';
import { SafeText } from './SafeText.tsx';

interface TextListProps {
  texts: readonly string[];
  /** Its name for screen readers. */
  label?: string;
  look?: 'bullets' | 'lines';
  mono?: boolean;
}

export function TextList({ texts, label, look = 'bullets', mono = false }: TextListProps) {
  return (
    <List look={look} label={label}>
      {numbered(texts).map(({ at, text }) => (
        <li key={at}>
          <SafeText text={text} mono={mono} lines />
        </li>
      ))}
    </List>
  );
}

/** The same text may come twice. */
function numbered(texts: readonly string[]) {
  return texts.map((text, at) => ({ at, text }));
}
