/** The steps of the Migrate wizard. The passphrase is passed over for a wallet that is known not to be encrypted. */
export const MIGRATE_TITLE = 'Migrate a wallet';

export const MIGRATE_STEPS = [
  { id: 'wallet', label: 'Wallet' },
  { id: 'check', label: 'What will happen' },
  { id: 'passphrase', label: 'Passphrase' },
  { id: 'review', label: 'Review' },
  { id: 'running', label: 'Running' },
  { id: 'done', label: 'Done' },
  { id: 'new-backup', label: 'New backup' },
] as const;
