/** The input and output of a repair. Separate from the code that repairs, which only threads load. */
import type { Network } from '../../shared/model/network.ts';
import type { ExcludedRecords, RescueFacts } from '../../shared/model/safety.ts';

export interface RescueRequest {
  /** The folder of the files `log.…`, or its parent. `beside`: where a node keeps the log, if there is one. */
  readonly logs: { readonly in: string } | 'beside' | 'none';
  readonly network?: Network | undefined;
  /** Whether to take only the keys that need no passphrase. */
  readonly openOnly?: boolean | undefined;
  /** The network of the node in use, for a descriptor wallet that does not show its own. */
  readonly nodeNetwork?: Network | undefined;
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

/** The file name of the repaired wallet. Older versions wrote it too. */
export const REPAIRED_FILE = 'mended.dat';
/** The file name of the list of excluded records, and the one that older versions gave it. */
export const EXCLUDED_FILE = 'left-out.txt';
export const EARLIER_EXCLUDED_FILE = 'set-aside.txt';
