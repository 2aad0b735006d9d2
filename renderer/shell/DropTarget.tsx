/** Opens what is dropped anywhere on the window: a file, several files, or a folder, which is searched. */
import { Box, Overlay } from '@mantine/core';
import { useEffect, useState } from 'react';
import { say } from '../../shared/wording/say.ts';
import layout from '../components/layout.module.css';
import { Notice } from '../components/Notice.tsx';
import { go, openFile, type Route, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { pickFile } from '../state/filePicker.ts';
import { useOpened } from '../state/openedStore.ts';
import { useSearch } from '../state/searchStore.ts';

export function DropTarget() {
  const [over, setOver] = useState(false);
  /** Where a drop was refused: the notice goes with the page. */
  const [refusedAt, setRefusedAt] = useState<Route | null>(null);
  const route = useApp((state) => state.route);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;

    async function open(files: readonly Dropped[]) {
      setRefusedAt(null);
      const [first, ...others] = files;
      if (first === undefined) return;
      const isDesktop = useApp.getState().info?.entry === 'electron';
      if (isDesktop && files.some(({ path }) => path === null)) {
        return setRefusedAt(useApp.getState().route);
      }
      const folders = files.flatMap(({ isFolder, path }) => (isFolder && path !== null ? [path] : []));
      if (folders.length > 0) return search(folders);
      if (first.path === null) return find(first);
      // The others wait in the sidebar.
      for (const { path, name } of others.toReversed())
        if (path !== null) useOpened.getState().note({ path, title: name, inspection: null });
      openFile(first.path);
    }

    /** A browser does not say where a dropped file lies, so the user shows it. */
    async function find({ name, isFolder }: Dropped) {
      const path = await pickFile(
        isFolder ? { purpose: 'search-folder' } : { purpose: 'wallet', dropped: name },
      );
      if (path === null) return;
      if (isFolder) search([path]);
      else openFile(path);
    }

    function search(folders: readonly string[]) {
      useSearch.getState().stop();
      void useSearch.getState().start(folders);
      go({ at: 'home' });
    }

    function onDragOver(event: DragEvent) {
      // Text that is dragged within the page does not concern the app.
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Otherwise the window would load the file.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    }

    function onDragLeave(event: DragEvent) {
      // Within the window it only enters another element.
      if (event.relatedTarget === null) setOver(false);
    }

    function onDrop(event: DragEvent) {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      void open(droppedOf(event.dataTransfer));
    }

    window.addEventListener('dragover', onDragOver, { signal });
    window.addEventListener('dragleave', onDragLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    return () => listening.abort();
  }, []);

  return (
    <>
      {refusedAt === route && (
        <Box mb={20}>
          <Notice tone="read" role="alert" title={say('Not a file on this computer')}>
            {say('Save it to a folder first.')}
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
          <div className={layout.card}>
            <strong>{say('Drop it here')}</strong>
            <p>{say('Nothing in it is changed.')}</p>
          </div>
        </Overlay>
      )}
    </>
  );
}

interface Dropped {
  name: string;
  /** Null if the browser does not tell. */
  path: string | null;
  isFolder: boolean;
}

/** Reads everything at once: after the event the browser empties it. */
function droppedOf({ files, items }: DataTransfer): Dropped[] {
  const folders = new Set(
    [...items].flatMap((item) => {
      const entry = item.webkitGetAsEntry();
      return entry?.isDirectory ? [entry.name] : [];
    }),
  );
  return [...files].map((file) => ({
    name: file.name,
    path: bridge.pathOf(file),
    isFolder: folders.has(file.name),
  }));
}
