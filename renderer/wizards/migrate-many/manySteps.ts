/** The steps of the wizard for several wallets. The passphrases are passed over where none is needed. */
import type { WizardStep } from '../../components/WizardFrame.tsx';

export const MANY_TITLE = 'Migrate several wallets';

export const MANY_STEPS: readonly WizardStep[] = [
  { id: 'wallets', label: 'Wallets' },
  { id: 'checks', label: 'Checks' },
  { id: 'passphrases', label: 'Passphrases' },
  { id: 'review', label: 'Review' },
  { id: 'running', label: 'Running' },
  { id: 'results', label: 'Results' },
];
