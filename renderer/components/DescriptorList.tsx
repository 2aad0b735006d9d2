/** Public descriptors of a wallet, each whole and with what it is for. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { InspectedDescriptor, Listed } from '../../shared/inspection.ts';
import { say } from '../../shared/say.ts';
import styles from './DescriptorList.module.css';
import { descriptorWords } from './descriptorWords.ts';
import { List } from './List.tsx';
import { SafeText } from './SafeText.tsx';

interface DescriptorListProps {
  descriptors: Listed<InspectedDescriptor>;
  /** The list's name for screen readers. */
  label?: string;
}

export function DescriptorList({
  descriptors: { total, shown },
  label = say('Descriptors'),
}: DescriptorListProps) {
  const [most, setMost] = useState(AT_ONCE);
  const inSight = shown.slice(0, most).map((descriptor, at) => ({ at, descriptor }));
  const more = Math.min(AT_ONCE, shown.length - inSight.length);
  const untold = total - shown.length;
  return (
    <>
      <List look="plain" label={label}>
        {inSight.map(({ at, descriptor }) => (
          <li key={at} className={styles.item}>
            {descriptor.text === null ? (
              <span>{say('It cannot be shown without a private key.')}</span>
            ) : (
              <code className={styles.text}>
                <SafeText text={descriptor.text} mono />
              </code>
            )}
            <span className={styles.words}>{descriptorWords(descriptor)}</span>
          </li>
        ))}
      </List>
      {more > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => setMost(most + AT_ONCE)}>
          {say('Show {count, number} more', { count: more })}
        </Button>
      )}
      {more === 0 && untold > 0 && (
        <p className={styles.words}>
          {say(
            '{count, plural, one {# more descriptor is not shown here.} other {# more descriptors are not shown here.}}',
            { count: untold },
          )}
        </p>
      )}
    </>
  );
}

/** More would make the page slow. */
const AT_ONCE = 100;
