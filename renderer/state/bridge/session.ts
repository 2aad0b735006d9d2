/** The session that the browser entry point's link stored in this tab. */
import { parseSealedWith, SESSION_KEY, type SealedWith } from '../../../shared/model/seal.ts';

/** Null if the tab has no access, or the browser blocks its storage. */
export function readSession(): SealedWith | null {
  try {
    return parseSealedWith(sessionStorage.getItem(SESSION_KEY) ?? '');
  } catch {
    return null;
  }
}
