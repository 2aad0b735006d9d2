/** What kind a wallet is: as its file tells, where the node does not tell before the wallet is loaded. */
import type { Inspection } from '../../../../shared/inspection.ts';
import type { Wallet } from '../../../../shared/wallet.ts';

export function kindOf({ kind }: Pick<Wallet, 'kind'>, contents: Inspection | null): Wallet['kind'] {
  return kind === 'unknown' && contents ? contents.kind : kind;
}
