/** The checks before a restore, made when they are asked for and again at the user's wish. */
import { useState } from 'react';
import type { Input } from '../../../../shared/contract.ts';
import type { NodeAddress } from '../../../../shared/node.ts';
import type { RestoreChecks } from '../../../../shared/safety.ts';
import type { Look } from '../../../state/look.ts';
import { useLook } from '../../../state/useLook.ts';

export interface RestoreCheckRun {
  checking: Look<RestoreChecks>;
  lookAgain(): void;
}

/** Null asks for nothing, and forgets: the file, the node and its wallets may have changed when it is asked anew. */
export function useRestoreChecks(
  asked: Input<'restore.check'> | null,
  { host, port }: NodeAddress,
): RestoreCheckRun {
  const [turn, setTurn] = useState(0);
  const checking = useLook('restore.check', asked, { of: JSON.stringify([host, port, asked]), turn });
  return { checking, lookAgain: () => setTurn(turn + 1) };
}
