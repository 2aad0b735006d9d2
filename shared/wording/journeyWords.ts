/** Words for the stops of a job. */
import type { Job } from '../model/job.ts';
import type { Stop, StopId } from '../model/journey.ts';
import { formatShare } from './format/formatNumber.ts';
import { formatDayOrClock, formatElapsed } from './format/formatTime.ts';
import { listed } from './format/perRegion.ts';
import { isPartRescued } from './jobWords.ts';
import { say } from './say.ts';

export const STOP_NAMES: Readonly<Record<StopId, string>> = {
  file: say('Your file'),
  wallet: say('Your wallet'),
  copy: say('Safety copy'),
  repair: say('Repair'),
  restore: say('Restore'),
  migrate: say('Migrate'),
  rescan: say('Rescan'),
  proof: say('Proof'),
  backup: say('New backup'),
};

/** The state of a stop for screen readers. */
export const STOP_STATES: Readonly<Record<Stop['state'], string>> = {
  done: say('done'),
  active: say('now'),
  failed: say('stopped here'),
  partly: say('in part'),
  unknown: say('not known'),
  waiting: say('to come'),
  skipped: say('skipped'),
};

/** The note below the name of a stop: its time, or what will happen. `job`: null before it runs. */
export function stopNote({ id, state, time, seconds }: Stop, job: Job | null): string {
  if (state === 'skipped') return say('not needed');
  if (id === 'wallet') return '';
  if (id === 'file') return say('unchanged');
  if (state === 'waiting' || (job === null && state === 'active')) return COMING[id] ?? '';
  if (state === 'active' && job?.state === 'running') {
    const { progress } = job;
    return progress && progress.fraction < 1 ? formatShare(progress.fraction) : say('running');
  }
  if (state === 'active') return '';
  const moment = time === null ? null : formatDayOrClock(time);
  if (state === 'partly')
    return job && isPartRescued(job.result) ? say('not everything was saved') : say('partly compared');
  if (state === 'unknown') return job?.state === 'done' ? say('nothing was compared') : STOP_STATES.unknown;
  if (state === 'failed') return id === 'proof' ? say('something differs') : listed([say('stopped'), moment]);
  return listed([moment, seconds !== null && seconds >= 1 && formatElapsed(seconds)]);
}

const COMING: Readonly<Partial<Record<StopId, string>>> = { repair: say('in a copy') };
