/** A list of which so many items are in the document as were asked for: hundreds of them stay quick. */
import { type ReactNode, useState } from 'react';
import { say } from '../../../shared/wording/say.ts';
import { SmallButton } from '../input/ActionButton.tsx';
import { List } from './List.tsx';

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

interface ShowMoreProps {
  /** How many may be in the page now, and how many there are. */
  shown: number;
  all: number;
  /** How many come at a time. */
  page: number;
  onShow: (shown: number) => void;
}

/** The button that brings further items into the page. Nothing once all are shown. */
export function ShowMore({ shown, all, page, onShow }: ShowMoreProps) {
  const left = all - shown;
  if (left <= 0) return null;
  return (
    <SmallButton onClick={() => onShow(shown + page)}>
      {say('Show {count, number} more of {left, number}', { count: Math.min(page, left), left })}
    </SmallButton>
  );
}
