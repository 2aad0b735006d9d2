/** A list of which so many items are in the document as were asked for: hundreds of wallets stay quick. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { say } from '../../../shared/say.ts';
import { List } from '../../components/List.tsx';
import { counted } from '../../words/counted.ts';
import styles from './Many.module.css';

interface PagedListProps<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  row: (item: T) => ReactNode;
}

export function PagedList<T>({ label, items, keyOf, row }: PagedListProps<T>) {
  const [shown, setShown] = useState(PAGE);
  const left = items.length - shown;
  return (
    <>
      <List look="boxed" label={label} roomy>
        {items.slice(0, shown).map((item) => (
          <li key={keyOf(item)}>{row(item)}</li>
        ))}
      </List>
      {left > 0 && (
        <div className={styles.more}>
          <span className={styles.quiet}>{counted.moreWallets(left)}</span>
          <Button variant="default" size="compact-sm" onClick={() => setShown(shown + PAGE)}>
            {say('Show more')}
          </Button>
        </div>
      )}
    </>
  );
}

const PAGE = 50;
