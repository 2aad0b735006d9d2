/** The folders that the app and its engine keep in the folder of what the app remembers. */
import { join } from 'node:path';

export const APP_FOLDERS = {
  journal: 'journal',
  safetyCopies: 'safety copies',
  /** Copies of wallets while they are read, and while new ones are compared. */
  reading: 'reading',
  comparing: 'comparing',
  offline: 'offline',
  /** The engine's journals. */
  engineState: join('offline', 'state'),
} as const;
