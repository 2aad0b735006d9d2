/** The steps of the Restore wizard. */
export const RESTORE_TITLE = 'Restore a backup';

export const RESTORE_STEPS = [
  { id: 'backup', label: 'Backup' },
  { id: 'name', label: 'Name and options' },
  { id: 'review', label: 'Review' },
  { id: 'running', label: 'Running' },
  { id: 'done', label: 'Done' },
] as const;
