/** What was entered into the Restore wizard, kept for going back after a restore that failed. */
import type { FileFacts } from '../../../shared/model.ts';

export interface RestoreDraft {
  /** The backup's path as the node gets it. Empty while none is chosen. */
  path: string;
  /** Null for a file on the node's machine, which cannot be looked at from here. */
  facts: FileFacts | null;
  name: string;
  loadOnStartup: boolean | null;
}

/** By the id of the operation that was started with it; for as long as the page is open. */
const kept = new Map<string, RestoreDraft>();

export function keepDraft(operation: string, draft: RestoreDraft): void {
  kept.set(operation, draft);
}

export function keptDraft(operation: string | null): RestoreDraft | null {
  return operation === null ? null : (kept.get(operation) ?? null);
}
