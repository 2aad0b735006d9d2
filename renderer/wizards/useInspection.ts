/** What a file is, looked at as soon as its path is known. */
import { useEffect, useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { FileFacts } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { attempt } from '../state/attempt.ts';

export type Inspection =
  | { state: 'none' }
  | { state: 'looking' }
  | { state: 'known'; facts: FileFacts }
  | { state: 'failed'; error: AppErrorShape };

/** Null looks at nothing. `known` are facts from before, which are not asked for again. */
export function useInspection(path: string | null, known: FileFacts | null): Inspection {
  const [inspected, setInspected] = useState<{ of: string; inspection: Inspection } | null>(null);
  useEffect(() => {
    if (path === null || known) return;
    let wanted = true;
    void attempt(() => bridge.call('files.inspect', { path })).then((result) => {
      if (!wanted) return;
      const inspection: Inspection = result.ok
        ? { state: 'known', facts: result.value }
        : { state: 'failed', error: result.error };
      setInspected({ of: path, inspection });
    });
    return () => {
      wanted = false;
    };
  }, [path, known]);
  if (known) return { state: 'known', facts: known };
  if (path === null) return { state: 'none' };
  return inspected?.of === path ? inspected.inspection : { state: 'looking' };
}
