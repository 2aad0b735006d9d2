/** What a person can set in the app. */
import { z } from 'zod';

/** Columns of the table of wallets, in the order in which they stand. */
export const COLUMNS = ['name', 'kind', 'balance', 'size', 'backup'] as const;

export const settings = z.object({
  /** `system`: as the computer has it. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Whether the end of long work is told by the system (desktop app). */
  notifications: z.boolean(),
  /** Whether the app goes back to the node that it was connected to when it was closed. */
  reconnect: z.boolean(),
  /** By which column the table of wallets is sorted, and whether the last comes first. */
  order: z.object({ by: z.enum(COLUMNS), down: z.boolean() }),
});
export type Settings = z.infer<typeof settings>;

export const USUAL_SETTINGS: Settings = {
  theme: 'system',
  notifications: true,
  reconnect: true,
  order: { by: 'name', down: false },
};
