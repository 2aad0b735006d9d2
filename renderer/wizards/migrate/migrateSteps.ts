/** The steps of the Migrate wizard. */
export const MIGRATE_TITLE = 'Migrate a wallet';

const BEFORE = [
  { id: 'wallet', label: 'Wallet' },
  { id: 'check', label: 'What will happen' },
] as const;
const PASSPHRASE = { id: 'passphrase', label: 'Passphrase' } as const;
const AFTER = [
  { id: 'review', label: 'Review' },
  { id: 'running', label: 'Running' },
  { id: 'done', label: 'Done' },
  { id: 'new-backup', label: 'New backup' },
] as const;

/** The passphrase is left out only for a wallet that is known not to be encrypted. */
export function migrateSteps(encrypted: boolean | null) {
  return encrypted === false ? [...BEFORE, ...AFTER] : [...BEFORE, PASSPHRASE, ...AFTER];
}
