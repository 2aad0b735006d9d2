/** What is in the file of a wallet of the node, looked at as soon as the wallet is chosen. */
import type { Inspection } from '../../../../shared/inspection.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import type { Look } from '../../../state/look.ts';
import { useInspection } from '../../../state/useInspection.ts';

export type WalletFile =
  | Look<Inspection>
  /** It cannot be looked at from here: the node is on another machine, or its folder is not known for certain. */
  | { state: 'unseen'; why: 'remote' | 'folder' };

type Seeing = Pick<NodeStatus, 'local' | 'walletsFolder' | 'network'>;

/** Null looks at nothing. */
export function useWalletFile(name: string | null, { local, walletsFolder, network }: Seeing): WalletFile {
  const seen = local && walletsFolder !== null;
  const inspecting = useInspection(seen && name !== null ? { by: 'wallet', name } : null, network);
  return name === null || seen ? inspecting : { state: 'unseen', why: local ? 'folder' : 'remote' };
}

/** Whether the passphrase can be tried and a rehearsal made. */
export function canBeSeen({ state }: WalletFile): boolean {
  return state === 'known' || state === 'looking' || state === 'failed';
}

/** What was found in it; null as long as that is not known. */
export function foundIn(file: WalletFile): Inspection | null {
  return file.state === 'known' ? file.found : null;
}
