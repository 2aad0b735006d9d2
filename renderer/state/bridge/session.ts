/** The session that the browser entry point's link stored in this tab. */
import { SESSION_KEY, type SealedWith, sealedWithShape } from '../../../shared/model/seal.ts';
import { parseJson } from '../../../shared/model/shapes.ts';

/** Null if the tab has no access, or the browser blocks its storage. */
export function readSession(): SealedWith | null {
  try {
    return sealedWithShape.safeParse(parseJson(sessionStorage.getItem(SESSION_KEY) ?? '')).data ?? null;
  } catch {
    return null;
  }
}
