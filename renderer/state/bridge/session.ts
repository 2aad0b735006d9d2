/** The session of this tab, which the browser entry's link has left here. */
import { parseJson } from '../../../shared/model/parseJson.ts';
import { SESSION_KEY, type SealedWith, sealedWithShape } from '../../../shared/model/seal.ts';

/** Null where the tab was not let in, or the browser keeps nothing for this page. */
export function readSession(): SealedWith | null {
  try {
    return sealedWithShape.safeParse(parseJson(sessionStorage.getItem(SESSION_KEY) ?? '')).data ?? null;
  } catch {
    return null;
  }
}
