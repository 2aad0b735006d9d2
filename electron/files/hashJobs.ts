/** Hashes that the page asks for: each with its progress, and cancelled by the job's name. */
import { hashFile } from './hash.ts';

interface HashJobs {
  /** SHA-256 of a file. A newer one of the same job ends the older. Throws what `hashFile` throws. */
  hash(path: string, job: string): Promise<string>;
  cancel(job: string): void;
}

/** `done` and `total` are bytes. */
export function createHashJobs(
  onProgress: (progress: { job: string; done: number; total: number }) => void,
): HashJobs {
  const running = new Map<string, AbortController>();
  return {
    async hash(path, job) {
      const controller = new AbortController();
      running.get(job)?.abort();
      running.set(job, controller);
      try {
        const { sha256 } = await hashFile(path, {
          onProgress: (done, total) => onProgress({ job, done, total }),
          signal: controller.signal,
        });
        return sha256;
      } finally {
        if (running.get(job) === controller) running.delete(job);
      }
    },
    cancel: (job) => running.get(job)?.abort(),
  };
}
