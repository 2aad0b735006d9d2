/** What was entered into the Restore wizard, kept for coming back to it. */
import type { FileFacts } from '../../../../shared/files.ts';

/** What is kept for going back after a restore that failed. */
export interface RestoreDraft {
  /** The backup's path as the node gets it. Empty while none is chosen. */
  path: string;
  /** Null for a file on the node's machine, which cannot be looked at from here. */
  facts: FileFacts | null;
  name: string;
  loadOnStartup: boolean | null;
}

/** What is kept while the file is looked into at the *Inspect* place, and when another file is chosen. */
export interface FileDraft {
  /** Null while the name is the suggested one. */
  name: string | null;
  loadOnStartup: boolean | null;
}

/** By the file's path; until its restore is started. */
const ofFiles = new Map<string, FileDraft>();

export function keepDraftOfFile(file: string, draft: FileDraft): void {
  ofFiles.set(file, draft);
}

export function draftOfFile(file: string | null): FileDraft | null {
  return file === null ? null : (ofFiles.get(file) ?? null);
}

/** By the id of the operation that was started with it; for as long as the page is open. */
const kept = new Map<string, RestoreDraft>();

export function keepDraft(operation: string, draft: RestoreDraft): void {
  kept.set(operation, draft);
  ofFiles.delete(draft.path);
}

export function keptDraft(operation: string | null): RestoreDraft | null {
  return operation === null ? null : (kept.get(operation) ?? null);
}
