/** What the app finds when it looks at a wallet and its node before a migration, asked for anew at any time. */
import { useState } from 'react';
import type { MigrationChecks } from '../../../../shared/safety.ts';
import type { Look } from '../../../state/look.ts';
import { useLook } from '../../../state/useLook.ts';

export interface CheckRun {
  checking: Look<MigrationChecks>;
  lookAgain(): void;
}

/** Null looks at nothing. `zeroInPassphrase`: whether what was typed holds a zero byte. */
export function useMigrationChecks(name: string | null, zeroInPassphrase: boolean): CheckRun {
  const [turn, setTurn] = useState(0);
  const asked = name === null ? null : { name, ...(zeroInPassphrase ? { zeroInPassphrase } : {}) };
  const checking = useLook('migrate.check', asked, { of: name ?? '', turn });
  return { checking, lookAgain: () => setTurn(turn + 1) };
}
