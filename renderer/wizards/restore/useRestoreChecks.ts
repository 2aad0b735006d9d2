/** The checks before a restore, made when they are asked for and again at the user's wish. */
import { useEffect, useState } from 'react';
import type { Input } from '../../../shared/contract.ts';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { NodeAddress } from '../../../shared/model.ts';
import type { RestoreChecks } from '../../../shared/safety.ts';
import { bridge } from '../../bridge.ts';
import { attempt } from '../../state/attempt.ts';

export type Checking =
  | { state: 'none' }
  /** `before` is what they told the last time. */
  | { state: 'looking'; before: RestoreChecks | null }
  | { state: 'known'; found: RestoreChecks }
  | { state: 'failed'; error: AppErrorShape };

export interface RestoreCheckRun {
  checking: Checking;
  lookAgain(): void;
}

interface Told {
  turn: string;
  checking: Extract<Checking, { state: 'known' | 'failed' }>;
}

/** Null asks for nothing, and forgets: the file, the node and its wallets may have changed when it is asked anew. */
export function useRestoreChecks(
  asked: Input<'restore.check'> | null,
  { host, port }: NodeAddress,
): RestoreCheckRun {
  const [round, setRound] = useState(0);
  const [told, setTold] = useState<Told | null>(null);
  const input = asked === null ? null : JSON.stringify(asked);
  const turn = `${round} ${host} ${port} ${input}`;
  useEffect(() => {
    if (input === null) return;
    const sent: Input<'restore.check'> = JSON.parse(input);
    let wanted = true;
    void attempt(() => bridge.call('restore.check', sent)).then((result) => {
      if (!wanted) return;
      const checking = result.ok
        ? ({ state: 'known', found: result.value } as const)
        : ({ state: 'failed', error: result.error } as const);
      setTold({ turn, checking });
    });
    return () => {
      wanted = false;
    };
  }, [input, turn]);
  if (input === null && told !== null) setTold(null);
  return { checking: checkingOf(input, turn, told), lookAgain: () => setRound(round + 1) };
}

/** What was found, also while it is looked at anew; null before, and where it could not be told. */
export function foundBy(checking: Checking): RestoreChecks | null {
  if (checking.state === 'known') return checking.found;
  return checking.state === 'looking' ? checking.before : null;
}

function checkingOf(input: string | null, turn: string, told: Told | null): Checking {
  if (input === null) return { state: 'none' };
  if (told?.turn === turn) return told.checking;
  // Only a round that was asked for by "Look again" has one before it: all else is forgotten in between.
  return { state: 'looking', before: told?.checking.state === 'known' ? told.checking.found : null };
}
