/** The steps of the Migrate wizard. The passphrase is passed over for a wallet that is known not to be encrypted. */
import type { Operation } from '../../../shared/model.ts';
import type { WizardStep } from '../../components/WizardFrame.tsx';

export const MIGRATE_TITLE = 'Migrate a wallet';
export const RESTORE_MIGRATE_TITLE = 'Restore and migrate';

const RUN = [
  { id: 'passphrase', label: 'Passphrase' },
  { id: 'review', label: 'Review' },
  { id: 'running', label: 'Running' },
  { id: 'proof', label: 'Proof' },
  { id: 'new-backup', label: 'New backup' },
] as const;

const WALLET = [
  { id: 'wallet', label: 'Wallet' },
  { id: 'check', label: 'Check' },
] as const;

export const MIGRATE_STEPS: readonly WizardStep[] = [...WALLET, ...RUN];

/** The safe way for an unnamed wallet: a copy of it gets a name of its own. */
export const SAFE_WAY_STEPS: readonly WizardStep[] = [...WALLET, { id: 'name', label: 'Name' }, ...RUN];

/** A backup that is restored and migrated in one go: two wizards lead to it. */
export const RESTORE_MIGRATE_STEPS: readonly WizardStep[] = [
  { id: 'backup', label: 'Backup' },
  { id: 'name', label: 'Name' },
  ...RUN,
];

/** What a migration that runs or ran is shown in. */
export function runFrame(kind: Operation['kind']): { title: string; steps: readonly WizardStep[] } {
  return kind === 'restore-migrate'
    ? { title: RESTORE_MIGRATE_TITLE, steps: RESTORE_MIGRATE_STEPS }
    : { title: MIGRATE_TITLE, steps: MIGRATE_STEPS };
}
