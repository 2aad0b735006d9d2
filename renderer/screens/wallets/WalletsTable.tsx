/** A thousand wallets as one table that scrolls with the page, sorted by a column; only the rows in sight are in the document. */
import { Checkbox, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Settings, WALLET_COLUMNS } from '../../../shared/contract.ts';
import { mainAmount } from '../../../shared/model/money.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import {
  type BackupsByName,
  backupsOfWallet,
  type WalletBackups,
} from '../../../shared/model/walletBackups.ts';
import { KIND_NAMES, UNNAMED } from '../../../shared/wording/format/names.ts';
import { perRegion } from '../../../shared/wording/format/perRegion.ts';
import { say } from '../../../shared/wording/say.ts';
import { setSettings, useApp } from '../../state/appStore.ts';
import styles from './Wallets.module.css';
import { WalletsRow } from './WalletsRow.tsx';

interface WalletsTableProps {
  wallets: readonly Wallet[];
  backups: BackupsByName;
  node: NodeStatus;
  /** The names of the ticked wallets, perhaps of ones that are not shown. */
  selected: ReadonlySet<string>;
  onSelect: (names: readonly string[], isOn: boolean) => void;
}

const ROW_HEIGHT = 65;
/** Of the head, which stays in sight and would cover a row that is scrolled to. */
const HEAD_HEIGHT = 40;

export function WalletsTable({ wallets: unsorted, backups, node, selected, onSelect }: WalletsTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useTop(body);
  const order = useApp(({ settings }) => settings.order);
  const wallets = useMemo(() => sortWallets(unsorted, order, backups), [unsorted, order, backups]);
  /** The row with the keyboard's focus stays in the document, however far the page is scrolled. */
  const [focused, setFocused] = useState<number | null>(null);
  /** Where the arrow keys go next: the row, and which of its controls. */
  const wanted = useRef<{ row: number; control: number } | null>(null);
  const ticked = wallets.filter(({ name }) => selected.has(name)).length;

  const rows = useWindowVirtualizer({
    count: wallets.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => wallets[index]?.name ?? index,
    overscan: 6,
    scrollMargin,
    scrollPaddingStart: HEAD_HEIGHT,
    useFlushSync: false,
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused), [focused]),
  });

  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { row, control } = wanted.current;
    const controls = controlsOf(body.current, row);
    (controls[control] ?? controls.at(-1))?.focus();
    wanted.current = null;
  });

  /** Up, Down, Home and End move between rows. Tab visits every control. */
  function onKeyDown(event: KeyboardEvent) {
    // An open menu has the arrow keys for itself.
    const row = rowOf(event.target);
    if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = wallets.length - 1;
    const target = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: last }[event.key];
    if (target === undefined || target < 0 || target > last) return;
    event.preventDefault();
    const controls = controlsOf(body.current, row);
    const control = event.target instanceof HTMLElement ? controls.indexOf(event.target) : 0;
    wanted.current = { row: target, control: Math.max(0, control) };
    setFocused(target);
    rows.scrollToIndex(target, { align: 'auto' });
  }

  return (
    <div className={styles.frame}>
      <table className={`box ${styles.table}`} aria-label={say('Wallets')} aria-rowcount={wallets.length + 1}>
        <thead className={styles.head}>
          <tr className={styles.titles} aria-rowindex={1}>
            <td className={styles.select}>
              <Checkbox
                size="xs"
                aria-label={say('Select all')}
                checked={ticked === wallets.length}
                indeterminate={ticked > 0 && ticked < wallets.length}
                onChange={() =>
                  onSelect(
                    wallets.map(({ name }) => name),
                    ticked < wallets.length,
                  )
                }
              />
            </td>
            {WALLET_COLUMNS.map((column) => (
              <ColumnTitle key={column} column={column} />
            ))}
            <td />
          </tr>
        </thead>
        <tbody
          ref={body}
          className={styles.body}
          style={{ height: rows.getTotalSize() }}
          onFocus={({ target }) => setFocused((before) => rowOf(target) ?? before)}
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
                offset={start - scrollMargin}
                wallet={wallet}
                backups={backupsOfWallet(backups, wallet)}
                node={node}
                isSelected={selected.has(wallet.name)}
                onSelect={onSelect}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function ColumnTitle({ column }: { column: Column }) {
  const settings = useApp((state) => state.settings);
  const { order } = settings;
  const sorted = order.by === column;
  const Arrow = order.down ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      className={styles[column]}
      aria-sort={sorted ? (order.down ? 'descending' : 'ascending') : undefined}
    >
      {column === 'name' && (
        <span className={`small ${styles.label}`} aria-hidden>
          {say('Sort by:')}
        </span>
      )}
      <UnstyledButton
        className={`line small ${styles.sort}`}
        mih={38}
        fw={600}
        onClick={() => void setSettings({ ...settings, order: ordered(order, column) })}
      >
        {TITLES[column]}
        {sorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

const TITLES: Readonly<Record<Column, string>> = {
  name: say('Name'),
  kind: say('Kind'),
  encrypted: say('Encrypted'),
  balance: say('Balance'),
  size: say('Size'),
  backup: say('Last backup'),
};

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

function controlsOf(body: HTMLElement | null, row: number): HTMLElement[] {
  return [...(body?.querySelectorAll<HTMLElement>(`[data-index="${row}"] :is(button, input)`) ?? [])];
}

/** How far the rows lie below the top of the page, also after what is above it has grown. */
function useTop(body: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = body.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  return top;
}

type Order = Settings['order'];
export type Column = Order['by'];

const DOWN_FIRST: ReadonlySet<Column> = new Set(['encrypted', 'balance', 'size']);

/** The order after a press on a column's heading: by that column, or reversed if it was sorted by it. */
export function ordered(now: Order, by: Column): Order {
  // People look for the largest balances and files, for encrypted wallets, and for missing backups.
  return now.by === by ? { by, down: !now.down } : { by, down: DOWN_FIRST.has(by) };
}

/**
 * Sorts a copy. Unknown values come last in both directions. By backup, wallets that need a new one count as the oldest, then those
 * without one. Ties are in the order of their names, with 2 before 10.
 */
export function sortWallets(
  wallets: readonly Wallet[],
  { by, down }: Order,
  backups: BackupsByName,
): readonly Wallet[] {
  const names = COLLATOR();
  const byName = (a: Wallet, b: Wallet) => names.compare(a.name || UNNAMED, b.name || UNNAMED);
  if (by === 'name') return [...wallets].sort((a, b) => (down ? byName(b, a) : byName(a, b)));
  const keys = new Map(
    wallets.map((wallet) => [wallet, keyOf(wallet, by, backupsOfWallet(backups, wallet))]),
  );
  return [...wallets].sort((a, b) => {
    const [one, other] = [keys.get(a) ?? null, keys.get(b) ?? null];
    if (one === other) return byName(a, b);
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other === down ? 1 : -1;
  });
}

const COLLATOR = perRegion((region) => new Intl.Collator(region, { numeric: true }));

function keyOf(
  { kind, encrypted, balance, watchOnly, size }: Wallet,
  by: Exclude<Column, 'name'>,
  { lastFinished, isNeeded }: WalletBackups,
): bigint | number | string | null {
  switch (by) {
    case 'kind':
      return KIND_NAMES[kind];
    case 'encrypted':
      return encrypted === null ? null : Number(encrypted);
    case 'balance':
      return balance && mainAmount(balance, watchOnly === true);
    case 'size':
      return size;
    case 'backup':
      if (lastFinished) return lastFinished.started;
      return kind !== 'legacy' && isNeeded ? -2 : -1;
  }
}

/** Upper and lower case and accents written in one or two characters are the same; the order stays. */
export function findWallets(wallets: readonly Wallet[], query: string): readonly Wallet[] {
  const wanted = folded(query.trim());
  if (wanted === '') return wallets;
  return wallets.filter(({ name }) => folded(name === '' ? UNNAMED : name).includes(wanted));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
