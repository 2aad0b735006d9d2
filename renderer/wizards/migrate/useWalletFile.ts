/** What is in the file of a wallet of the node, looked at as soon as the wallet is chosen. */
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { NodeStatus } from '../../../shared/model.ts';
import { type Inspecting, useInspection } from '../../state/useInspection.ts';

export type WalletFile =
  | { state: 'none' }
  /** It cannot be looked at from here: the node is on another machine, or its folder is not known for certain. */
  | { state: 'unseen'; why: 'remote' | 'folder' }
  | { state: 'looking' }
  | { state: 'known'; found: Inspection }
  | { state: 'failed'; error: AppErrorShape };

type Seeing = Pick<NodeStatus, 'local' | 'walletsFolder' | 'network'>;

/** Null looks at nothing. */
export function useWalletFile(name: string | null, { local, walletsFolder, network }: Seeing): WalletFile {
  const seen = local && walletsFolder !== null;
  const inspecting = useInspection(seen && name !== null ? { by: 'wallet', name } : null, network);
  if (name === null) return { state: 'none' };
  if (!seen) return { state: 'unseen', why: local ? 'folder' : 'remote' };
  return walletFileOf(inspecting);
}

/** The same of a file that is looked at by its path. */
export function walletFileOf(inspecting: Inspecting): WalletFile {
  switch (inspecting.state) {
    case 'known':
      return { state: 'known', found: inspecting.inspection };
    case 'failed':
      return inspecting;
    default:
      return { state: 'looking' };
  }
}

/** Whether the passphrase can be tried and a rehearsal made. */
export function canBeSeen({ state }: WalletFile): boolean {
  return state === 'known' || state === 'looking' || state === 'failed';
}

/** What was found in it; null as long as that is not known. */
export function foundIn(file: WalletFile): Inspection | null {
  return file.state === 'known' ? file.found : null;
}
