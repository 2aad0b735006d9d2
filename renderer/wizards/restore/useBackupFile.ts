/** The chosen file on this machine, looked at from its head to its end. */
import type { Inspection } from '../../../shared/inspection.ts';
import type { FileFacts } from '../../../shared/model.ts';
import { type FileLook, useFileFacts } from '../../state/useFileFacts.ts';
import { type Inspecting, useInspection } from '../../state/useInspection.ts';
import { type Hashing, useFileHash } from '../useFileHash.ts';

export interface BackupFile {
  /** What its head tells. */
  look: FileLook;
  /** What the whole file tells, which can take a while longer. */
  inspecting: Inspecting;
  hashing: Hashing;
  /** Null while it is not known. */
  facts: FileFacts | null;
  inspection: Inspection | null;
}

/** `path` is null where none is chosen; `known` is what its head told before. */
export function useBackupFile(path: string | null, known: FileFacts | null): BackupFile {
  const look = useFileFacts(path, known);
  const facts = look.state === 'known' ? look.facts : null;
  const wallet = facts?.kind === 'other' ? null : facts;
  const inspecting = useInspection(wallet ? { by: 'file', path: wallet.path } : null);
  const hashing = useFileHash(wallet);
  const inspection = inspecting.state === 'known' ? inspecting.inspection : null;
  return { look, inspecting, hashing, facts, inspection };
}
