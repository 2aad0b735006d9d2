/** What a person can set in the app. */
import { z } from 'zod';

export const settings = z.object({
  /** `system`: as the computer has it. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Whether the end of long work is told by the system (desktop app). */
  notifications: z.boolean(),
  /** Whether the app goes back to the node that it was connected to when it was closed. */
  reconnect: z.boolean(),
});
export type Settings = z.infer<typeof settings>;

export const USUAL_SETTINGS: Settings = { theme: 'system', notifications: true, reconnect: true };
