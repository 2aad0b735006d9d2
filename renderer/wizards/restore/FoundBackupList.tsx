/** Backups of legacy wallets that lie beside the node's wallets, to take one of. */
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { SafeText } from '../../components/SafeText.tsx';
import { formatSize } from '../../words/formatSize.ts';
import { formatTime } from '../../words/formatTime.ts';
import { useFoundBackups } from '../useFoundBackups.ts';
import styles from './FoundBackupList.module.css';

interface FoundBackupListProps {
  loadsLegacy: boolean;
  onUse: (path: string) => void;
}

export function FoundBackupList({ loadsLegacy, onUse }: FoundBackupListProps) {
  const id = useId();
  const backups = useFoundBackups();
  const [all, setAll] = useState(false);
  if (backups.length === 0) return null;
  const shown = all ? backups : backups.slice(0, FIRST);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        Backups found beside the wallets
      </h3>
      <p className={styles.note}>
        Migrations made them of the legacy wallets.
        {!loadsLegacy &&
          ' This node cannot load them as they are, so one is restored and migrated in one go.'}
      </p>
      <ul className={styles.backups} aria-labelledby={id}>
        {shown.map(({ path, name, size, modified }, index) => (
          <li key={path} className={styles.backup}>
            <div className={styles.words} id={`${id}-${index}`}>
              <div className={styles.name} title={path}>
                <SafeText text={name} />
              </div>
              <div className={styles.facts}>
                {formatTime(modified)}, {formatSize(size)}
              </div>
            </div>
            <Button
              size="compact-sm"
              variant="default"
              aria-describedby={`${id}-${index}`}
              onClick={() => onUse(path)}
            >
              Use this one
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < backups.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setAll(true)}>
          Show all {backups.length}
        </Button>
      )}
    </section>
  );
}

const FIRST = 5;
