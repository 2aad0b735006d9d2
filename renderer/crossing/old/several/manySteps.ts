/** The steps of the wizard for several wallets. The passphrases are passed over where none is needed. */
import { say } from '../../../../shared/text/say.ts';
import type { WizardStep } from '../WizardFrame.tsx';

export const MANY_TITLE = say('Migrate several wallets');

export const MANY_STEPS: readonly WizardStep[] = [
  { id: 'wallets', label: say('Wallets') },
  { id: 'checks', label: say('Checks') },
  { id: 'passphrases', label: say('Passphrases') },
  { id: 'review', label: say('Review') },
  { id: 'running', label: say('Running') },
  { id: 'results', label: say('Results') },
];
