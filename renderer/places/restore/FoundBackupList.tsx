/** Backups of legacy wallets that lie beside the node's wallets, to take one of. */
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { say } from '../../../shared/text/say.ts';
import { formatSize } from '../../../shared/words/format/formatSize.ts';
import { formatTime } from '../../../shared/words/format/formatTime.ts';
import { listed } from '../../../shared/words/format/listed.ts';
import { List } from '../../elements/list/List.tsx';
import { Section } from '../../elements/Section.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { foundBy } from '../../state/look.ts';
import { useLook } from '../../state/useLook.ts';
import styles from './Restore.module.css';

interface FoundBackupListProps {
  onUse: (path: string) => void;
}

export function FoundBackupList({ onUse }: FoundBackupListProps) {
  const id = useId();
  const backups = foundBy(useLook('files.backups', {}))?.backups ?? [];
  const [all, setAll] = useState(false);
  if (backups.length === 0) return null;
  const shown = all ? backups : backups.slice(0, FIRST);
  return (
    <Section title={say('Backups found beside the wallets')}>
      <List look="boxed" label={say('Backups found beside the wallets')}>
        {shown.map(({ path, name, size, modified }, index) => (
          <li key={path}>
            <div className={styles.backup}>
              <div className={styles.words} id={`${id}-${index}`}>
                <div className={styles.name} title={path}>
                  <SafeText text={name} />
                </div>
                <div className={styles.facts}>{listed([formatTime(modified), formatSize(size)])}</div>
              </div>
              <Button
                size="compact-sm"
                variant="default"
                aria-describedby={`${id}-${index}`}
                onClick={() => onUse(path)}
              >
                {say('Use this one')}
              </Button>
            </div>
          </li>
        ))}
      </List>
      {shown.length < backups.length && (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
            {say('Show all {count, number}', { count: backups.length })}
          </Button>
        </div>
      )}
    </Section>
  );
}

const FIRST = 5;
