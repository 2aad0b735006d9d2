/** Made-up jobs of earlier sessions, in the app's data folder. */
import { createJournal } from '../../electron/jobs/run/journal.ts';
import type { Job } from '../../shared/model/job.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';

/** So many jobs that ended, of all kinds of ends; the newest has a log of so many lines. */
export function writeSampleJournal(folder: string, jobs: number, logLines: number): void {
  const journal = createJournal(folder);
  for (let number = 0; number < jobs; number += 1) {
    const started = 1_700_000_000 + number * 600;
    const name = `wallet ${String(number).padStart(3, '0')}`;
    const backupFile = `/backups/${name}.dat`;
    journal.write({
      job: sampleJob({
        id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
        kind: 'restore',
        wallet: name,
        started,
        ended: started + 42,
        ...endOf(number),
        log: number === jobs - 1 ? Array.from({ length: logLines }, (_, at) => lineOf(at)) : [],
      }),
      checkpoint: { kind: 'restore', name, backupFile },
      sent: true,
      walletsFolder: null,
      offline: false,
      logMark: null,
    });
  }
}

function endOf(number: number): Pick<Job, 'state' | 'result' | 'error' | 'warnings'> {
  if (number % 3 === 0) {
    const error = {
      code: 'wallet_already_exists' as const,
      message: 'There is a wallet of this name already.',
      hint: 'Choose another name. Nothing was changed.',
    };
    return { state: 'failed', result: null, error, warnings: [] };
  }
  return {
    state: 'unknown',
    result: null,
    error: null,
    warnings: [`The rescan of ${number} was cut short.`],
  };
}

export function lineOf(at: number): string {
  return `2026-01-01T00:00:00Z [made] Still rescanning. At block ${at}. Progress=${(at / 10_000).toFixed(6)}`;
}
