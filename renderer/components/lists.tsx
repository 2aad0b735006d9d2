/** Lists: styled ones, of untrusted texts, paged ones, in a scrolling box, and of facts. */
import { Box, type BoxProps, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { TruncatedList } from '../../shared/model/shapes.ts';
import { andMore } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import { SmallButton } from './buttons.tsx';
import { Disclosure, Notice } from './parts.tsx';
import { type GlossaryTerm, SafeText, Term } from './texts.tsx';

interface ListProps {
  /** `bullets`: sentences. `lines`, `plain`: without marks, close together or apart. `boxed`: rows in one box. */
  look: 'bullets' | 'lines' | 'plain' | 'boxed';
  label?: string | undefined;
  children: ReactNode;
}

export function List({ look, label, children }: ListProps) {
  return (
    <ul className={`stack ${look}`} aria-label={label}>
      {children}
    </ul>
  );
}

interface ScrollBoxProps extends Pick<BoxProps, 'mah' | 'p' | 'fz' | 'display' | 'style'> {
  label: string;
  children: ReactNode;
}

/** A scrolling box with an accessible name, which the keyboard can reach. */
export function ScrollBox({ label, ...box }: ScrollBoxProps) {
  return <Box role="group" aria-label={label} tabIndex={0} className="scrolls" {...box} />;
}

interface TextListProps {
  texts: readonly string[];
  label?: string;
  look?: 'bullets' | 'lines';
  mono?: boolean;
  /** As for `SafeText`. */
  home?: boolean;
  /** The number of shown texts. A line below counts the others. */
  most?: number;
  /** The number of all texts, if `texts` are only the first. */
  total?: number;
}

/** A list of untrusted texts. */
export function TextList({
  texts,
  label,
  look = 'bullets',
  mono = false,
  home = false,
  most = texts.length,
  total = texts.length,
}: TextListProps) {
  // The same text may come twice.
  const items = texts.slice(0, most).map((text, at) => ({ at, text }));
  const more = total - items.length;
  return (
    <>
      <List look={look} label={label}>
        {items.map(({ at, text }) => (
          <li key={at}>
            <SafeText text={text} mono={mono} home={home} lines />
          </li>
        ))}
      </List>
      {more > 0 && <p>{andMore(more)}</p>}
    </>
  );
}

interface PagedListProps<T> {
  label: string;
  look: ListProps['look'];
  items: readonly T[];
  keyOf: (item: T, index: number) => string | number;
  row: (item: T) => ReactNode;
  page?: number;
}

/** A list of one page of items at first, and of twice as many with each press, but of at most a thousand more. */
export function PagedList<T>({ label, look, items, keyOf, row, page = 50 }: PagedListProps<T>) {
  const [shown, setShown] = useState(page);
  return (
    <>
      <List look={look} label={label}>
        {items.slice(0, shown).map((item, index) => (
          <li key={keyOf(item, index)}>{row(item)}</li>
        ))}
      </List>
      <ShowMore count={shown} all={items.length} page={Math.min(shown, 1000)} onShow={setShown} />
    </>
  );
}

interface ShowMoreProps {
  count: number;
  all: number;
  page: number;
  onShow: (count: number) => void;
}

/** The button that shows further items. Nothing once all are shown. */
export function ShowMore({ count, all, page, onShow }: ShowMoreProps) {
  const left = all - count;
  if (left <= 0) return null;
  return (
    <SmallButton onClick={() => onShow(count + page)}>
      {say('Show {count, number} more', { count: Math.min(page, left) })}
    </SmallButton>
  );
}

export type Fact = readonly [label: string, value: ReactNode, term?: GlossaryTerm];

/** Skips facts without a value. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== false);
  return (
    <dl className="facts">
      {known.map(([label, value, term]) => (
        <div key={label} className="fact">
          <dt className="dim">{term ? <Term word={term}>{label}</Term> : label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LongListProps<T> {
  items: TruncatedList<T>;
  what: keyof typeof NAMES;
  row: (item: T) => ReactNode;
  /** The text that the search field searches. */
  textOf: (item: T) => string;
  /** Not folded, however long it is. */
  isOpen?: boolean;
}

/** A list of a file's contents with possibly thousands of items. Shows a few at once, more on demand. */
export function LongList<T>(props: LongListProps<T>) {
  const { items, what, row } = props;
  if (items.total === 0) return null;
  if (items.total <= FEW && items.shown.length === items.total) {
    return <PagedList look="boxed" label={NAMES[what]} items={items.shown} keyOf={(_, at) => at} row={row} />;
  }
  if (props.isOpen) return <OpenList {...props} />;
  return (
    <Disclosure summary={say('{label} ({count, number})', { label: NAMES[what], count: items.total })}>
      <OpenList {...props} />
    </Disclosure>
  );
}

function OpenList<T>({ items, what, row, textOf, isOpen }: LongListProps<T>) {
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query).trim().toLowerCase();
  const found = useMemo(
    () =>
      wanted === '' ? items.shown : items.shown.filter((item) => textOf(item).toLowerCase().includes(wanted)),
    [items, wanted, textOf],
  );
  return (
    <>
      <div className="row">
        <TextInput
          w={260}
          type="search"
          size="xs"
          aria-label={say('Find in {list}', { list: NAMES[what] })}
          placeholder={say('Find')}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <span role="status" className="small">
          {wanted === ''
            ? isOpen && say('{count, number} in all', { count: items.total })
            : say('{found, number} of {all, number}', { found: found.length, all: items.shown.length })}
        </span>
      </div>
      {items.shown.length < items.total && (
        <p className="small">
          {say('The first {shown, number} of {total, number}.', {
            total: items.total,
            shown: items.shown.length,
          })}
        </p>
      )}
      {found.length === 0 ? (
        <p className="small">{say('Nothing found.')}</p>
      ) : (
        <PagedList
          key={wanted}
          look="boxed"
          label={NAMES[what]}
          items={found}
          keyOf={(_, at) => at}
          row={row}
        />
      )}
    </>
  );
}

/** Lists up to this length are open from the start. */
const FEW = 8;

const NAMES = {
  chains: say('Chains'),
  descriptors: say('Descriptors'),
  scripts: say('Scripts'),
  transactions: say('Transactions'),
  labels: say('Labels'),
  lockedCoins: say('Locked coins'),
} as const;

interface NodeWarningsProps {
  warnings: readonly string[];
  offline?: boolean | undefined;
}

/** All warnings of the node or the offline engine, verbatim. */
export function NodeWarnings({ warnings, offline = false }: NodeWarningsProps) {
  if (warnings.length === 0) return null;
  const title = offline ? say('Offline engine warnings') : say('Node warnings');
  return (
    <Notice tone="info" title={title}>
      <TextList label={title} texts={[...new Set(warnings)]} mono />
    </Notice>
  );
}
