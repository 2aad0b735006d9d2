/** The session with the node that a crossing was begun on. */
import { identityOf, type NodeIdentity } from '../../../shared/node.ts';
import { isSameNode } from '../../../shared/nodeIdentity.ts';
import type { Session } from '../../node/rpc/session.ts';

/** Null while the app is connected to none or to another one. */
export function sessionOf(known: NodeIdentity, session: () => Session): Session | null {
  try {
    const current = session();
    return isSameNode(known, identityOf(current.status)) ? current : null;
  } catch {
    return null;
  }
}
