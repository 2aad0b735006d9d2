/** The chosen file on this machine, looked at from its head to its end. */
import { useState } from 'react';
import type { FileFacts } from '../../../../shared/files.ts';
import type { Inspection } from '../../../../shared/inspection.ts';
import { foundBy, type Look } from '../../../state/look.ts';
import { useInspection } from '../../../state/useInspection.ts';
import { useLook } from '../../../state/useLook.ts';
import { type Hashing, useFileHash } from '../useFileHash.ts';

export interface BackupFile {
  /** What its head tells. */
  look: Look<FileFacts>;
  /** What the whole file tells, which can take a while longer. */
  inspecting: Look<Inspection>;
  hashing: Hashing;
  /** Null while it is not known. */
  facts: FileFacts | null;
  inspection: Inspection | null;
  /** It is another file by now than the one that was seen. */
  lookAgain(): void;
}

/** `path` is null where none is chosen; `known` is what its head told before, and is not asked for again unasked. */
export function useBackupFile(path: string | null, known: FileFacts | null): BackupFile {
  const [turn, setTurn] = useState(0);
  const isKnown = known !== null && turn === 0;
  const asked = path ?? known?.path ?? null;
  const looking = useLook('files.inspect', asked === null || isKnown ? null : { path: asked }, { turn });
  const look = isKnown ? ({ state: 'known', found: known } as const) : looking;
  // What was seen of it stays until it is seen anew.
  const facts = look.state === 'looking' ? (look.before ?? known) : foundBy(look);
  const wallet = facts?.kind === 'other' ? null : facts;
  const inspecting = useInspection(wallet ? { by: 'file', path: wallet.path } : null, null, turn);
  const hashing = useFileHash(wallet);
  const inspection = inspecting.state === 'known' ? inspecting.found : null;
  return { look, inspecting, hashing, facts, inspection, lookAgain: () => setTurn(turn + 1) };
}
