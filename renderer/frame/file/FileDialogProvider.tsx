/** Gives `useFilePicker` to everything inside it, and shows the app's own dialog when it is needed. */
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { FilePickerContext, type FilePickOptions } from '../../elements/file/useFilePicker.ts';
import { useApp } from '../../state/appStore.ts';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { FileDialog } from './FileDialog.tsx';

export function FileDialogProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<FilePickOptions | null>(null);
  const answer = useRef<(path: string | null) => void>(undefined);

  const close = useCallback((path: string | null) => {
    answer.current?.(path);
    answer.current = undefined;
    setAsked(null);
  }, []);

  const pick = useCallback(
    async (options: FilePickOptions): Promise<string | null> => {
      if (useApp.getState().info?.fileDialogs === 'native') {
        const picked = await attempt(() => bridge.call('files.pick', options));
        // Where the system's dialog fails, the app's own does.
        if (picked.ok) return picked.value.path;
      }
      // One dialog at a time: an earlier question is answered as if it had been closed.
      close(null);
      return new Promise((resolve) => {
        answer.current = resolve;
        setAsked(options);
      });
    },
    [close],
  );

  return (
    <FilePickerContext value={pick}>
      {children}
      {asked && <FileDialog key={JSON.stringify(asked)} {...asked} onClose={close} />}
    </FilePickerContext>
  );
}
