/** The entries of a folder as a list box: arrows, Home, End and typing move, Enter opens, Backspace goes up. */
import { Box } from '@mantine/core';
import { IconFile, IconFolder, IconQuestionMark } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { FolderEntry } from '../../../shared/model/files.ts';
import { formatSize } from '../../../shared/wording/format/formatSize.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { say } from '../../../shared/wording/say.ts';
import layout from '../../components/layout.module.css';
import { SafeText } from '../../components/text/texts.tsx';
import styles from './FolderList.module.css';

interface FolderListProps {
  /** Of one folder: another folder is another list, by its `key`. */
  entries: FolderEntry[];
  chosen: FolderEntry | null;
  /** Files are there only to show what the folder holds. */
  filesAreFaint: boolean;
  onSelect: (entry: FolderEntry) => void;
  onOpen: (entry: FolderEntry) => void;
  onParent: () => void;
}

const ROW_HEIGHT = 34;
const PAGE = 8;
/** A key that comes later than this begins a new word to look for. */
const TYPING_PAUSE_MS = 800;
const ICONS = { folder: IconFolder, file: IconFile, special: IconQuestionMark } as const;

export function FolderList({ entries, chosen, filesAreFaint, onSelect, onOpen, onParent }: FolderListProps) {
  const idBase = useId();
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const active = Math.max(0, chosen ? entries.indexOf(chosen) : 0);
  const first = useRef(active);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: PAGE,
  });

  useEffect(() => {
    rows.scrollToIndex(first.current);
    box.current?.focus();
  }, [rows]);

  function move(to: number) {
    const index = Math.min(entries.length - 1, Math.max(0, to));
    const entry = entries[index];
    if (!entry) return;
    onSelect(entry);
    rows.scrollToIndex(index);
  }

  function moveToTyped(key: string, now: number) {
    const { text, at } = typed.current;
    typed.current = { text: (now - at > TYPING_PAUSE_MS ? '' : text) + key.toLowerCase(), at: now };
    const found = entries.findIndex((entry) => entry.name.toLowerCase().startsWith(typed.current.text));
    if (found >= 0) move(found);
  }

  /** True when the key means something here. */
  function press(key: string, now: number): boolean {
    const entry = entries[active];
    const to = {
      ...{ ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + PAGE, PageUp: active - PAGE },
      ...{ Home: 0, End: entries.length - 1 },
    }[key];
    if (to !== undefined) move(to);
    else if (key === 'Backspace') onParent();
    else if (key === 'Enter' && entry) onOpen(entry);
    else if (key.length === 1) moveToTyped(key, now);
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event.key, event.timeStamp)) event.preventDefault();
  }

  return (
    <div
      ref={box}
      className={styles.box}
      role="listbox"
      aria-label={say('Files and folders')}
      aria-activedescendant={entries.length > 0 ? `${idBase}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {entries.length === 0 && (
        <Box component="p" p="md" className={layout.dim}>
          {say('This folder is empty.')}
        </Box>
      )}
      <div style={{ position: 'relative', height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          const Icon = ICONS[entry.kind];
          return (
            <button
              key={entry.path}
              id={`${idBase}-${index}`}
              className={styles.entry}
              style={{ transform: `translateY(${start}px)` }}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={entry === chosen}
              aria-disabled={entry.kind === 'special' || undefined}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              data-active={index === active}
              data-faint={entry.kind === 'special' || (entry.kind === 'file' && filesAreFaint)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => (entry.kind === 'folder' ? onOpen(entry) : move(index))}
              onDoubleClick={() => entry.kind === 'file' && onOpen(entry)}
            >
              <Icon size={17} stroke={1.6} aria-hidden />
              <span className={styles.entryName}>
                <SafeText text={entry.name} truncate />
              </span>
              <span className={`${layout.small} ${layout.numbers} ${styles.size}`}>
                {entry.size === null ? '' : formatSize(entry.size)}
              </span>
              <span className={`${layout.small} ${layout.numbers} ${styles.time}`}>
                {entry.modified === null ? '' : formatTime(entry.modified)}
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}
