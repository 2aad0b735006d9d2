/** The settings of the app. */
import { z } from 'zod';

/** Columns of the table of wallets, in the order of the screen. */
export const COLUMNS = ['name', 'kind', 'encrypted', 'balance', 'size', 'backup'] as const;

export const settings = z.object({
  /** `system`: follows the computer's setting. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Whether the system notifies the user when a long job ends (desktop app). */
  notifications: z.boolean(),
  /** Whether the app reconnects at its start to the node that it used last. */
  reconnect: z.boolean(),
  /** The column that sorts the table of wallets; `down`: in descending order. */
  order: z.object({ by: z.enum(COLUMNS), down: z.boolean() }),
});
export type Settings = z.infer<typeof settings>;

export const USUAL_SETTINGS: Settings = {
  theme: 'system',
  notifications: true,
  reconnect: true,
  order: { by: 'name', down: false },
};
