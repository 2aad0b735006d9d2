/** Warnings of the node, word for word and all of them. */

import styles from './NodeWarnings.module.css';
import { Notice } from './Notice.tsx';
import { SafeText } from './SafeText.tsx';

export function NodeWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="read" title="Warnings from the node">
      <ul className={styles.warnings} aria-label="Warnings from the node">
        {numbered(warnings).map(({ at, warning }) => (
          <li key={at}>
            <SafeText text={warning} mono lines />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The same warning may come twice. */
function numbered(warnings: readonly string[]) {
  return warnings.map((warning, at) => ({ at, warning }));
}
