/** The steps of the Migrate wizard. The passphrase is passed over for a wallet that is known not to be encrypted. */
import type { Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import type { WizardStep } from '../WizardFrame.tsx';

export const MIGRATE_TITLE = say('Migrate a wallet');
export const RESTORE_MIGRATE_TITLE = say('Restore and migrate');

const RUN = [
  { id: 'passphrase', label: say('Passphrase') },
  { id: 'review', label: say('Review') },
  { id: 'running', label: say('Running') },
  { id: 'proof', label: say('Proof') },
  { id: 'new-backup', label: say('New backup') },
] as const;

const WALLET = [
  { id: 'wallet', label: say('Wallet') },
  { id: 'check', label: say('Check') },
] as const;

export const MIGRATE_STEPS: readonly WizardStep[] = [...WALLET, ...RUN];

/** The safe way for an unnamed wallet: a copy of it gets a name of its own. */
export const SAFE_WAY_STEPS: readonly WizardStep[] = [...WALLET, { id: 'name', label: say('Name') }, ...RUN];

/** A backup that is restored and migrated in one go: two wizards lead to it. */
export const RESTORE_MIGRATE_STEPS: readonly WizardStep[] = [
  { id: 'backup', label: say('Backup') },
  { id: 'name', label: say('Name') },
  ...RUN,
];

/** What a migration that runs or ran is shown in. */
export function runFrame(kind: Operation['kind']): { title: string; steps: readonly WizardStep[] } {
  return kind === 'restore-migrate'
    ? { title: RESTORE_MIGRATE_TITLE, steps: RESTORE_MIGRATE_STEPS }
    : { title: MIGRATE_TITLE, steps: MIGRATE_STEPS };
}
