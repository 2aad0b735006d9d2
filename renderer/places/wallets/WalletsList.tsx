/** A thousand wallets as one list that scrolls with the page; only the rows in sight are in the document. */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import type { Wallet } from '../../../shared/wallet.ts';
import styles from './Wallets.module.css';
import { WalletsRow } from './WalletsRow.tsx';

interface WalletsListProps {
  wallets: readonly Wallet[];
  node: NodeStatus;
  /** The node does not answer now: nothing can be done with its wallets. */
  lost: boolean;
}

const ROW_HEIGHT = 79;

export function WalletsList({ wallets, node, lost }: WalletsListProps) {
  const list = useRef<HTMLUListElement>(null);
  const scrollMargin = useTop(list);
  /** The row with the keyboard's focus stays in the document, however far the page is scrolled. */
  const [focused, setFocused] = useState<number | null>(null);
  /** Where the arrow keys go next: the row, and which of its buttons. */
  const wanted = useRef<{ row: number; button: number } | null>(null);

  const rows = useWindowVirtualizer({
    count: wallets.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => wallets[index]?.name ?? index,
    overscan: 6,
    scrollMargin,
    useFlushSync: false,
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused), [focused]),
  });

  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { row, button } = wanted.current;
    const buttons = buttonsOf(list.current, row);
    (buttons[button] ?? buttons.at(-1))?.focus();
    wanted.current = null;
  });

  function onFocus(event: FocusEvent) {
    setFocused(rowOf(event.target));
  }

  /** Up, down, Home and End go from row to row; Tab goes through everything as ever. */
  function onKeyDown(event: KeyboardEvent) {
    const row = rowOf(event.target);
    if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = wallets.length - 1;
    const target = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: last }[event.key];
    if (target === undefined || target < 0 || target > last) return;
    event.preventDefault();
    const buttons = buttonsOf(list.current, row);
    const button = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : 0;
    wanted.current = { row: target, button: Math.max(0, button) };
    setFocused(target);
    rows.scrollToIndex(target, { align: 'auto' });
  }

  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={say('Wallets')}
      style={{ height: rows.getTotalSize() }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      {rows.getVirtualItems().map(({ index, start, key }) => {
        const wallet = wallets[index];
        if (!wallet) return null;
        return (
          <WalletsRow
            key={key}
            measure={rows.measureElement}
            index={index}
            count={wallets.length}
            offset={start - scrollMargin}
            wallet={wallet}
            node={node}
            lost={lost}
          />
        );
      })}
    </ul>
  );
}

function withFocused(range: Range, focused: number | null): number[] {
  const inSight = defaultRangeExtractor(range);
  if (focused === null || focused >= range.count || inSight.includes(focused)) return inSight;
  return [...inSight, focused].sort((a, b) => a - b);
}

function rowOf(target: EventTarget): number | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest('[data-index]')?.getAttribute('data-index');
  return row ? Number(row) : null;
}

function buttonsOf(list: HTMLElement | null, row: number): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(`[data-index="${row}"] button`) ?? [])];
}

/** How far the list lies below the top of the page, also after what is above it has grown. */
function useTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
