/** Since when a node looked for a wallet's payments, and whether it found any: a late date of its keys hides the older ones. */
import { walletInfo } from '../bitcoind/calls/walletCalls.ts';
import type { Session } from '../bitcoind/rpc/session.ts';

interface PaymentsFound {
  /** Unix seconds. */
  since?: number;
  transactions?: number;
}

/** `birth`: what the file told, for releases before 26, which do not. Without a chain nothing is looked for. Never throws. */
export async function paymentsFound(
  { client, status }: Session,
  wallet: string,
  birth?: number,
): Promise<PaymentsFound> {
  if (status.offline) return {};
  const info = await walletInfo(client, wallet).catch(() => null);
  if (info === null) return {};
  const since = info.birthTime ?? birth;
  return { ...(since === undefined ? {} : { since }), transactions: info.txcount };
}
