/** What a file is by its head, looked at as soon as its path is known. */
import { useEffect, useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { FileFacts } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { attempt } from './attempt.ts';

export type FileLook =
  | { state: 'none' }
  | { state: 'looking' }
  | { state: 'known'; facts: FileFacts }
  | { state: 'failed'; error: AppErrorShape };

/** Null looks at nothing. `known` are facts from before, which are not asked for again. */
export function useFileFacts(path: string | null, known: FileFacts | null): FileLook {
  const [looked, setLooked] = useState<{ of: string; look: FileLook } | null>(null);
  useEffect(() => {
    if (path === null || known) return;
    let wanted = true;
    void attempt(() => bridge.call('files.inspect', { path })).then((result) => {
      if (!wanted) return;
      const look: FileLook = result.ok
        ? { state: 'known', facts: result.value }
        : { state: 'failed', error: result.error };
      setLooked({ of: path, look });
    });
    return () => {
      wanted = false;
    };
  }, [path, known]);
  if (known) return { state: 'known', facts: known };
  if (path === null) return { state: 'none' };
  return looked?.of === path ? looked.look : { state: 'looking' };
}
