/** Text that others chose (names, paths, words of the node), shown so that it cannot deceive or break the page. */

import { visibleParts, visibleText } from '../../../shared/text/visibleText.ts';
import styles from './SafeText.module.css';

interface SafeTextProps {
  text: string;
  mono?: boolean;
  /** One line that ends in an ellipsis, whole in its title: for labels. */
  truncate?: boolean;
  /** Line ends are kept, else they are shown as escapes: for words of the node, not for names and paths. */
  lines?: boolean;
}

export function SafeText({ text, mono = false, truncate = false, lines = false }: SafeTextProps) {
  const kept = lines && !truncate;
  const className = [styles.text, mono && styles.mono, truncate && styles.truncate].filter(Boolean).join(' ');
  return (
    <bdi className={className} title={truncate ? visibleText(text) : undefined}>
      {visibleParts(text, { lines: kept }).map((part) =>
        part.escaped ? (
          <span key={part.at} className={styles.escape}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
