/** The chosen file on this machine, looked at from its head to its end. */
import type { FileFacts } from '../../../shared/files.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { Look } from '../../state/look.ts';
import { useInspection } from '../../state/useInspection.ts';
import { useLook } from '../../state/useLook.ts';
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
}

/** `path` is null where none is chosen; `known` is what its head told before, and is not asked for again. */
export function useBackupFile(path: string | null, known: FileFacts | null): BackupFile {
  const looking = useLook('files.inspect', path === null || known ? null : { path });
  const look = known ? ({ state: 'known', found: known } as const) : looking;
  const facts = look.state === 'known' ? look.found : null;
  const wallet = facts?.kind === 'other' ? null : facts;
  const inspecting = useInspection(wallet ? { by: 'file', path: wallet.path } : null);
  const hashing = useFileHash(wallet);
  const inspection = inspecting.state === 'known' ? inspecting.found : null;
  return { look, inspecting, hashing, facts, inspection };
}
