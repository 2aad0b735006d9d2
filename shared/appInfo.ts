/** The app itself. */
import { z } from 'zod';

/** What the page must know of where it runs. */
export const appInfo = z.object({
  version: z.string(),
  entry: z.enum(['electron', 'browser']),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  /** `native`: the system's dialogs; `own`: the app's own, over `files.browse`. */
  fileDialogs: z.enum(['native', 'own']),
  canShowInFolder: z.boolean(),
  /** True only when the system truly encrypts what is saved. */
  canSaveSecrets: z.boolean(),
});
export type AppInfo = z.infer<typeof appInfo>;
