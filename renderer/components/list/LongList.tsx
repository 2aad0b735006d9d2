/** A list of a file's contents that may have thousands of items: a few are shown as they are, many on demand. */
import { TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import type { Listed } from '../../../shared/model/shapes.ts';
import { say } from '../../../shared/wording/say.ts';
import { SmallButton } from '../input/ActionButton.tsx';
import layout from '../layout.module.css';
import { List } from './List.tsx';
import styles from './LongList.module.css';
import { ScrollBox } from './ScrollBox.tsx';

interface LongListProps<T> {
  items: Listed<T>;
  what: keyof typeof NAMES;
  row: (item: T) => ReactNode;
  /** What is looked through by the search field: without it there is none. */
  textOf: (item: T) => string;
}

export function LongList<T>(props: LongListProps<T>) {
  const { items, what, row } = props;
  const id = useId();
  const [open, setOpen] = useState(false);
  if (items.total === 0) return null;
  if (items.total <= FEW && items.shown.length === items.total) {
    return (
      <List look="boxed" label={NAMES[what]}>
        {items.shown
          .map((item, at) => ({ item, at }))
          .map(({ item, at }) => (
            <li key={at}>{row(item)}</li>
          ))}
      </List>
    );
  }
  return (
    <div className={layout.stack}>
      <SmallButton
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        rightSection={
          open ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />
        }
        onClick={() => setOpen(!open)}
      >
        {open
          ? say('{list}: hide', { list: NAMES[what] })
          : say('{list}: show all {total, number}', { list: NAMES[what], total: items.total })}
      </SmallButton>
      {open && (
        <div id={id} className={layout.stack}>
          <Opened {...props} />
        </div>
      )}
    </div>
  );
}

function Opened<T>({ items, what, row, textOf }: LongListProps<T>) {
  const [sought, setSought] = useState('');
  const wanted = useDeferredValue(sought).trim().toLowerCase();
  const found = useMemo(
    () =>
      wanted === '' ? items.shown : items.shown.filter((item) => textOf(item).toLowerCase().includes(wanted)),
    [items, wanted, textOf],
  );
  return (
    <>
      <div className={layout.row}>
        <TextInput
          w={260}
          type="search"
          size="xs"
          aria-label={say('Find in {list}', { list: NAMES[what] })}
          placeholder={say('Find')}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <span role="status" className={layout.small}>
          {wanted !== '' &&
            say('{found, number} of {all, number} found', { found: found.length, all: items.shown.length })}
        </span>
      </div>
      {items.shown.length < items.total && (
        <p className={layout.small}>
          {say('The first {shown, number} of {total, number}.', {
            total: items.total,
            shown: items.shown.length,
          })}
        </p>
      )}
      <Rows key={wanted} found={found} name={NAMES[what]} row={row} />
    </>
  );
}

function Rows<T>({ found, name, row }: { found: readonly T[]; name: string; row: (item: T) => ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    useFlushSync: false,
  });
  if (found.length === 0) return <p className={layout.small}>{say('None found.')}</p>;
  return (
    <ScrollBox
      ref={box}
      label={say('All: {list}', { list: name })}
      mah="min(420px, 65dvh)"
      className={layout.box}
    >
      <ul style={{ position: 'relative', height: rows.getTotalSize() }} aria-label={name}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const item = found[index];
          if (item === undefined) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={found.length}
              aria-posinset={index + 1}
            >
              {row(item)}
            </li>
          );
        })}
      </ul>
    </ScrollBox>
  );
}

/** So many are shown without asking. */
const FEW = 8;
const ROW_HEIGHT = 54;

const NAMES = {
  chains: say('Chains'),
  descriptors: say('Descriptors'),
  scripts: say('Scripts'),
  transactions: say('Transactions'),
  labels: say('Labels'),
  lockedCoins: say('Locked coins'),
} as const;
