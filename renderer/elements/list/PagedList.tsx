/** A list of which so many items are in the document as were asked for: hundreds of them stay quick. */
import { type ReactNode, useState } from 'react';
import { List } from './List.tsx';
import { ShowMore } from './ShowMore.tsx';

interface PagedListProps<T> {
  label: string;
  look: 'boxed' | 'plain';
  items: readonly T[];
  /** What tells one from the others. */
  keyOf: (item: T, index: number) => string | number;
  row: (item: T) => ReactNode;
  /** How many come at a time. */
  page?: number;
}

export function PagedList<T>({ label, look, items, keyOf, row, page = 50 }: PagedListProps<T>) {
  const [shown, setShown] = useState(page);
  return (
    <>
      <List look={look} label={label} roomy={look === 'boxed'}>
        {items.slice(0, shown).map((item, index) => (
          <li key={keyOf(item, index)}>{row(item)}</li>
        ))}
      </List>
      <ShowMore shown={shown} all={items.length} page={page} onShow={setShown} />
    </>
  );
}
