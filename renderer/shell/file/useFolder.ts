/** The folder that the app's own file dialog shows. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import type { FolderListing } from '../../../shared/model/files.ts';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';

/** Where the dialog was last, so that it opens there again. */
let last: string | null = null;

export function useFolder() {
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [error, setError] = useState<AppErrorShape | null>(null);
  const [looking, setLooking] = useState(false);
  const asked = useRef(0);

  const look = useCallback(async (path: string | null): Promise<boolean> => {
    asked.current += 1;
    const mine = asked.current;
    setLooking(true);
    const result = await attempt(() => bridge.call('files.browse', { path }));
    // Only the folder asked for last is shown, whichever answers first.
    if (mine !== asked.current) return true;
    setLooking(false);
    setError(result.ok ? null : result.error);
    if (!result.ok) return false;
    setListing(result.value);
    last = result.value.path;
    return true;
  }, []);

  useEffect(() => {
    void (async () => {
      // The last folder may be gone with its stick.
      if (!(await look(last)) && last !== null) await look(null);
    })();
  }, [look]);

  return {
    /** The last one that could be read; stays when another one cannot. */
    listing,
    error,
    looking,
    open: (path: string | null) => void look(path),
  };
}
