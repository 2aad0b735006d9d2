/** The session with the node that an operation was begun on. */
import { isKnownNode, type KnownNode } from '../node/knownNode.ts';
import type { Session } from '../node/session.ts';

/** Null while the app is connected to none or to another one. */
export function sessionOf(known: KnownNode, session: () => Session): Session | null {
  try {
    const current = session();
    const { client, status } = current;
    return isKnownNode(known, { ...status, address: client.address }) ? current : null;
  } catch {
    return null;
  }
}
