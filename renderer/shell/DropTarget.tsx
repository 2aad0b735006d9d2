/** Lets a wallet file be dropped anywhere on the window, to be looked into. */
import { Box } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { say } from '../../shared/wording/say.ts';
import layout from '../components/layout.module.css';
import { Notice } from '../components/Notice.tsx';
import { openFile, type Place, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { pickFile } from '../state/filePicker.ts';
import styles from './DropTarget.module.css';

export function DropTarget() {
  const [over, setOver] = useState(false);
  // Somewhere else, it is no longer about what the user does.
  const [refusal, setRefusal] = useState<{ why: keyof typeof REFUSALS; at: Place } | null>(null);
  const place = useApp((state) => state.place);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;

    async function take(files: FileList) {
      const [file, another] = files;
      if (!file) return;
      const refuse = (why: keyof typeof REFUSALS) => setRefusal({ why, at: useApp.getState().place });
      if (another) return refuse('several');
      setRefusal(null);
      const known = bridge.pathOf(file);
      if (known === null && useApp.getState().info?.entry === 'electron') return refuse('not-on-disk');
      const path = known ?? (await pickFile({ purpose: 'wallet', dropped: file.name }));
      if (path !== null) openFile(path);
    }

    function onDragOver(event: DragEvent) {
      // Text that is dragged within the page is none of ours.
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Else the window would go to the file.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    }

    function onDragLeave(event: DragEvent) {
      // It goes to another element as long as it stays in the window.
      if (event.relatedTarget === null) setOver(false);
    }

    function onDrop(event: DragEvent) {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      void take(event.dataTransfer.files);
    }

    window.addEventListener('dragover', onDragOver, { signal });
    window.addEventListener('dragleave', onDragLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    return () => listening.abort();
  }, []);

  return (
    <>
      {refusal?.at === place && (
        <Box mb={20}>
          <Notice tone="read" role="alert" title={REFUSALS[refusal.why].title}>
            {REFUSALS[refusal.why].text}
          </Notice>
        </Box>
      )}
      {over && (
        <div className={styles.over} aria-hidden>
          <div className={`${layout.drop} ${styles.words}`}>
            <IconFileImport size={34} stroke={1.5} />
            <strong>{say('Drop the file here')}</strong>
            <span className={layout.dim}>{say('Nothing in it is changed.')}</span>
          </div>
        </div>
      )}
    </>
  );
}

/** Why nothing came of a drop. */
const REFUSALS = {
  several: { title: say('One file at a time'), text: say('Drop one of them.') },
  'not-on-disk': { title: say('Not a file on this computer'), text: say('Save it to a folder first.') },
} as const;
