/** The steps of the Restore wizard, for both ways of bringing a backup back. */
import { say } from '../../../../shared/text/say.ts';
import { RESTORE_MIGRATE_STEPS, RESTORE_MIGRATE_TITLE } from '../migrate/migrateSteps.ts';
import type { WizardStep } from '../WizardFrame.tsx';
import type { RestoreWay } from './restoreWay.ts';

export const RESTORE_TITLE = say('Restore a backup');

export const RESTORE_STEPS: readonly WizardStep[] = [
  { id: 'backup', label: say('Backup') },
  { id: 'name', label: say('Name and options') },
  { id: 'review', label: say('Review') },
  { id: 'running', label: say('Running') },
  { id: 'done', label: say('Done') },
];

export const WAY_FRAMES: Readonly<Record<RestoreWay, { title: string; steps: readonly WizardStep[] }>> = {
  restore: { title: RESTORE_TITLE, steps: RESTORE_STEPS },
  'restore-migrate': { title: RESTORE_MIGRATE_TITLE, steps: RESTORE_MIGRATE_STEPS },
};
