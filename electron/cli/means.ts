/** What every verb is given. */
import type { Client } from './client.ts';
import type { Terminal } from './terminal.ts';

export interface Means {
  readonly client: Client;
  readonly terminal: Terminal;
  /** Aborted when the program is leaving. */
  readonly signal: AbortSignal;
}
