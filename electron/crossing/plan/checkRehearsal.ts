/** What a rehearsal means for the migration itself. */
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { fine, read } from './check.ts';

export interface Rehearsed {
  /** What would be lost, or why a node would refuse; null where all arrived. */
  readonly loss: AppErrorShape | null;
}

/** None where it was not rehearsed. */
export function checkRehearsal(rehearsed: Rehearsed | null): Check[] {
  if (rehearsed === null) return [];
  const { loss } = rehearsed;
  if (loss === null) return [fine('rehearsal', { title: say('Everything arrived in the rehearsal') })];
  return [read('rehearsal', { title: loss.message, text: [loss.hint] })];
}
