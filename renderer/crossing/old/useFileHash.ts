/** The SHA-256 of a file while and after it is made; given up when the file changes or the page is left. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { FileFacts } from '../../../shared/files.ts';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { cancelJob } from '../../state/useFileJob.ts';

export type Hashing =
  | { state: 'none' }
  /** `fraction` is 0 to 1. */
  | { state: 'running'; fraction: number; cancel: () => void }
  | { state: 'done'; sha256: string }
  | { state: 'failed'; error: AppErrorShape };

/** Null hashes nothing. */
export function useFileHash(facts: FileFacts | null): Hashing {
  const running = useRef<string | null>(null);
  const cancel = useCallback(() => {
    if (running.current !== null) cancelJob(running.current);
  }, []);
  const [hashed, setHashed] = useState<{ of: FileFacts; hashing: Hashing } | null>(null);
  useEffect(() => {
    if (!facts) return;
    const job = crypto.randomUUID();
    running.current = job;
    let wanted = true;
    let ended = false;
    const stop = bridge.on('hash', (event) => {
      if (event.job !== job || ended) return;
      setHashed({
        of: facts,
        hashing: { state: 'running', fraction: shareOf(event.done, event.total), cancel },
      });
    });
    void attempt(() => bridge.call('files.hash', { path: facts.path, job })).then((result) => {
      ended = true;
      if (!wanted) return;
      const hashing: Hashing = result.ok
        ? { state: 'done', sha256: result.value.sha256 }
        : { state: 'failed', error: result.error };
      setHashed({ of: facts, hashing });
    });
    return () => {
      wanted = false;
      stop();
      if (!ended) cancelJob(job);
    };
  }, [facts, cancel]);
  if (!facts) return { state: 'none' };
  return hashed?.of === facts ? hashed.hashing : { state: 'running', fraction: 0, cancel };
}

function shareOf(done: number, total: number): number {
  return total > 0 ? Math.min(1, done / total) : 0;
}
