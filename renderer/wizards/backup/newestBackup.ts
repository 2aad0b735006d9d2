/** The backup of a wallet that counts: the newest one that was begun after a given moment. */
import type { Operation } from '../../../shared/model.ts';

/** `operations` are newest first; `since` is in unix seconds. Null when there is none. */
export function newestBackup(
  operations: readonly Operation[],
  wallet: string,
  since: number,
): Operation | null {
  return (
    operations.find((one) => one.kind === 'backup' && one.wallet === wallet && one.started >= since) ?? null
  );
}
