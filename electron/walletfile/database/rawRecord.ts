/** The entries of a wallet file's database, before anything is known of them. Both kinds of file hold the same. */
import type { FileProblem, InspectedFile } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';

export interface RawRecord {
  key: Uint8Array;
  value: Uint8Array;
}

/** All of a file's, and what the file is. */
export interface Entries {
  /** Mostly views of the file's bytes, so keep those unchanged. */
  records: RawRecord[];
  /** How many of them, the first ones, its own tree reaches: the others stood on pages that a broken tree does not reach. */
  reached: number;
  format: InspectedFile['format'];
  /** As a descriptor wallet's head says; null where it does not, and for legacy wallets. */
  network: Network | null;
  problems: readonly FileProblem[];
}

/**
 * What to do about damage. `refuse` throws at the first, for work that needs the whole wallet. `salvage` reads all that
 * can be read, and tells in `problems` what could not.
 */
export type OnDamage = 'refuse' | 'salvage';
