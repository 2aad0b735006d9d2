/** Opens files that are dropped on the window, and searches dropped folders. */
import { Box, Overlay } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { say } from '../../shared/wording/say.ts';
import { Notice } from '../components/parts.tsx';
import { go, openFile, type Route, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge.ts';
import { pickFile } from '../state/filePicker.ts';
import { rememberFile } from '../state/openedStore.ts';
import { dropFolders, startSearch, stopSearch } from '../state/searchStore.ts';

export function DropTarget() {
  const [over, setOver] = useState(false);
  /** The route of a refused drop: its notice disappears with the page. */
  const [refusedAt, setRefusedAt] = useState<Route | null>(null);
  const route = useApp((state) => state.route);

  const accept = (event: DragEvent) => {
    const isTaken = takes(event);
    if (isTaken) event.dataTransfer.dropEffect = 'copy';
    setOver(isTaken);
  };
  // A drop follows a `dragenter` at once if an element has just appeared under the pointer.
  useWindowEvent('dragenter', accept);
  useWindowEvent('dragover', accept);
  useWindowEvent('dragleave', (event) => {
    // A move within the window only enters another element.
    if (event.relatedTarget === null) setOver(false);
  });
  useWindowEvent('drop', async (event) => {
    setOver(false);
    if (!takes(event)) return;
    const isOpened = open(droppedOf(event.dataTransfer));
    setRefusedAt((await isOpened) ? null : useApp.getState().route);
  });

  return (
    <>
      {refusedAt === route && (
        <Box mb={20}>
          <Notice tone="read" role="alert" title={say('Not a file on this computer')}>
            {say('Save it as a file first.')}
          </Notice>
        </Box>
      )}
      {over && (
        <Overlay
          fixed
          backgroundOpacity={0.85}
          color="var(--mantine-color-body)"
          zIndex={500}
          center
          style={{ pointerEvents: 'none' }}
          aria-hidden
        >
          <div className="card">
            <strong>{say('Drop it here')}</strong>
            <p>{say('Nothing is changed.')}</p>
          </div>
        </Overlay>
      )}
    </>
  );
}

/** Ignores dragged text. For files it stops the window from loading them. */
function takes(event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } {
  const isFile = event.dataTransfer?.types.includes('Files') ?? false;
  if (isFile) event.preventDefault();
  return isFile;
}

interface Dropped {
  name: string;
  /** Null if the browser hides it. */
  path: string | null;
  isFolder: boolean;
}

/** Reads everything during the event, because the browser empties it afterwards. */
function droppedOf({ files, items }: DataTransfer): Dropped[] {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  const isFolder = (name: string) => entries.some((entry) => entry?.isDirectory && entry.name === name);
  return [...files].map((file) => ({
    name: file.name,
    path: bridge.pathOf(file),
    isFolder: isFolder(file.name),
  }));
}

/** False if nothing is a file on this computer. */
async function open(dropped: readonly Dropped[]): Promise<boolean> {
  const [first] = dropped;
  if (first === undefined) return true;
  const isDesktop = useApp.getState().info?.entry === 'electron';
  const folders = dropped.flatMap(({ isFolder, path }) => (isFolder && path ? [path] : []));
  if (isDesktop && dropped.some(({ path }) => path === null)) return false;
  // The sidebar lists all files, also those beside folders.
  for (const { path, name, isFolder } of dropped.toReversed())
    if (path !== null && !isFolder) rememberFile({ path, title: name, inspection: null });
  if (folders.length > 0) search(folders);
  else if (first.path === null) await find(first);
  else openFile(first.path);
  return true;
}

/** Asks the user for the path of a dropped file, which a browser hides. */
async function find({ name, isFolder }: Dropped): Promise<void> {
  const path = await pickFile(isFolder ? { purpose: 'search-folder' } : { purpose: 'wallet', dropped: name });
  if (path === null) return;
  if (isFolder) search([path]);
  else openFile(path);
}

function search(folders: readonly string[]): void {
  stopSearch();
  dropFolders(folders);
  void startSearch(folders);
  go({ at: 'home' });
}
