/** Whether the node in use is the one that an operation was begun on. */
import { sameNode } from '../../shared/model.ts';
import type { Session } from '../node/session.ts';
import type { JournalEntry } from './journal.ts';

/**
 * By its address, or by its wallets folder: a node that is started anew may listen at another port, as the offline
 * engine always does. Another network is always another node.
 */
export function isSameNode(
  { operation, walletsFolder }: Pick<JournalEntry, 'operation' | 'walletsFolder'>,
  { client, status }: Session,
): boolean {
  if (status.network !== operation.node.network) return false;
  return (
    sameNode(operation.node.address, client.address) ||
    (walletsFolder !== null && walletsFolder === status.walletsFolder)
  );
}

/** The session with that node; null while the app is connected to none or to another one. */
export function sessionOf(
  entry: Pick<JournalEntry, 'operation' | 'walletsFolder'>,
  session: () => Session,
): Session | null {
  try {
    const current = session();
    return isSameNode(entry, current) ? current : null;
  } catch {
    return null;
  }
}
