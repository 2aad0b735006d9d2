/** What the app finds when it looks at a wallet and its node before a migration, asked for anew at any time. */
import { useEffect, useState } from 'react';
import { bridge } from '../../bridge.ts';
import { attempt } from '../../state/attempt.ts';
import type { Checking } from './checking.ts';

export interface CheckRun {
  checking: Checking;
  again(): void;
}

interface Told {
  of: string;
  name: string;
  checking: Extract<Checking, { state: 'known' | 'failed' }>;
}

/** Null looks at nothing. `zeroInPassphrase`: whether what was typed holds a zero byte. */
export function useMigrationChecks(name: string | null, zeroInPassphrase: boolean): CheckRun {
  const [turn, setTurn] = useState(0);
  const [told, setTold] = useState<Told | null>(null);
  const key = `${turn} ${zeroInPassphrase} ${name}`;
  useEffect(() => {
    if (name === null) return;
    let wanted = true;
    const asked = { name, ...(zeroInPassphrase ? { zeroInPassphrase } : {}) };
    void attempt(() => bridge.call('migrate.check', asked)).then((result) => {
      if (!wanted) return;
      const checking = result.ok
        ? ({ state: 'known', found: result.value } as const)
        : ({ state: 'failed', error: result.error } as const);
      setTold({ of: key, name, checking });
    });
    return () => {
      wanted = false;
    };
  }, [key, name, zeroInPassphrase]);
  return { checking: checkingOf(name, key, told), again: () => setTurn(turn + 1) };
}

function checkingOf(name: string | null, key: string, told: Told | null): Checking {
  if (name === null) return { state: 'none' };
  if (told?.of === key) return told.checking;
  const before = told?.name === name && told.checking.state === 'known' ? told.checking.found : null;
  return { state: 'looking', before };
}
