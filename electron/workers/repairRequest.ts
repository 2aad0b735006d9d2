/** The input and output of a repair. Apart from the code that repairs, which only threads load. */
import type { Network } from '../../shared/model/network.ts';
import type { ExcludedRecords, RescueFacts } from '../../shared/model/safety.ts';

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
  readonly path: string;
  /** The SHA-256 that the file must have, in lower-case hex. */
  readonly sha256: string;
  /** For the new files. */
  readonly folder: string;
  readonly rescue: RescueRequest;
  readonly passphrase?: string | undefined;
}

export interface RepairedFile {
  readonly path: string;
  readonly sha256: string;
  readonly facts: RescueFacts;
  /** The app lists these records in `EXCLUDED_FILE`. */
  readonly excluded: ExcludedRecords;
}

/** The names of the repaired wallet, and of the list of what it lacks. */
export const REPAIRED_FILE = 'mended.dat';
export const EXCLUDED_FILE = 'set-aside.txt';
