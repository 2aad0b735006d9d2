/** The steps of the Restore wizard, for both ways of bringing a backup back. */
import type { WizardStep } from '../../components/WizardFrame.tsx';
import { RESTORE_MIGRATE_STEPS, RESTORE_MIGRATE_TITLE } from '../migrate/migrateSteps.ts';
import type { RestoreWay } from './restoreWay.ts';

export const RESTORE_TITLE = 'Restore a backup';

export const RESTORE_STEPS: readonly WizardStep[] = [
  { id: 'backup', label: 'Backup' },
  { id: 'name', label: 'Name and options' },
  { id: 'review', label: 'Review' },
  { id: 'running', label: 'Running' },
  { id: 'done', label: 'Done' },
];

export const WAY_FRAMES: Readonly<Record<RestoreWay, { title: string; steps: readonly WizardStep[] }>> = {
  restore: { title: RESTORE_TITLE, steps: RESTORE_STEPS },
  'restore-migrate': { title: RESTORE_MIGRATE_TITLE, steps: RESTORE_MIGRATE_STEPS },
};
