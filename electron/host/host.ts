/** What differs between the two entries, as the services see it. */

import type { AppInfo } from '../../shared/appInfo.ts';
import type { Input } from '../../shared/contract.ts';
import type { SecretStore } from '../node/find/profiles.ts';
import type { StartEngineProcess } from '../node/stay/engineProcess.ts';

export type PickOptions = Input<'files.pick'>;

export interface Host {
  readonly entry: AppInfo['entry'];
  readonly fileDialogs: AppInfo['fileDialogs'];
  readonly secrets: SecretStore;
  canShowInFolder(): boolean;
  /** Opens the file manager with the file selected. Throws AppError `not_available_here`. */
  showInFolder(path: string): Promise<void>;
  /** The system's own dialog; null when the user closed it. Throws `not_available_here` where there is none. */
  pickFile(options: PickOptions): Promise<string | null>;
  /** Starts the offline engine's program as a process of its own, which ends with the app. */
  readonly startEngine: StartEngineProcess;
}
