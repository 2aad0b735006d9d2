/** What a wallet file tells, asked for as soon as it is known which file. */
import type { WalletSource } from '../../shared/contract.ts';
import type { Inspection } from '../../shared/inspection.ts';
import type { Network } from '../../shared/network.ts';
import type { Look } from './look.ts';
import { useLook } from './useLook.ts';

/**
 * Null looks at nothing. `network` is the one to expect where the file does not tell; what the same file told when
 * another one was expected stays in sight. The file is looked at anew each time, and at another `turn`: it may have
 * changed since.
 */
export function useInspection(
  source: WalletSource | null,
  network: Network | null = null,
  turn = 0,
): Look<Inspection> {
  return useLook('wallet.inspect', source && { source, ...(network === null ? {} : { network }) }, {
    of: JSON.stringify(source),
    turn,
  });
}
