/** What a wallet is mended from, and what comes of it: without the code that mends, which only threads load. */
import type { Network } from '../../shared/model/network.ts';
import type { RescueFacts, SetAside } from '../../shared/model/safety.ts';

export interface RescueRequest {
  /** The folder with the files `log.…`, or the one that it lies in. `beside`: where a node keeps it, if it is there. */
  readonly logs: { readonly in: string } | 'beside' | 'none';
  readonly network?: Network | undefined;
  /** Whether an encrypted wallet is left where it is, and only the keys that need no passphrase are taken. */
  readonly openOnly?: boolean | undefined;
  /** Of the node in use: where a descriptor wallet does not tell its own. */
  readonly usual?: Network | undefined;
}

export interface RepairRequest {
  /** The file, in lower-case hex what its SHA-256 has to be, and a folder for what comes of it. */
  readonly path: string;
  readonly sha256: string;
  readonly folder: string;
  readonly rescue: RescueRequest;
  readonly passphrase?: string | undefined;
}

export interface RepairedFile {
  readonly path: string;
  readonly sha256: string;
  readonly facts: RescueFacts;
  /** To be listed in a file beside it. */
  readonly setAside: SetAside;
}

/** What `repairInto` writes, and the list of what was left out. */
export const REPAIRED_FILE = 'mended.dat';
export const EXCLUDED_FILE = 'set-aside.txt';
