/** Takes what was entered along to another file, wherever that is chosen: here, by a drop, or opened with the app. */
import { useEffect } from 'react';
import { useApp } from '../../../state/appStore.ts';
import { draftOfFile, type FileDraft, keepDraftOfFile } from './restoreDraft.ts';

/** A name that was typed for the other file before comes first only where none was typed here. */
export function useKeptChoices({ name, loadOnStartup }: FileDraft): void {
  useEffect(
    () =>
      useApp.subscribe(({ place }, before) => {
        if (place === before.place || place.at !== 'restore' || place.file === null) return;
        if (name === null && loadOnStartup === null) return;
        const typed = name ?? draftOfFile(place.file)?.name ?? null;
        keepDraftOfFile(place.file, { name: typed, loadOnStartup });
      }),
    [name, loadOnStartup],
  );
}
