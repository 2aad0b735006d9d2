/** The task that the menu of the app's icon in the taskbar of Windows offers: the jump list. */
import type { Task } from 'electron';
import { CHOOSE_FILE } from './fileArgument.ts';

interface Program {
  readonly platform: NodeJS.Platform;
  readonly packaged: boolean;
  /** The portable app's own file, if this is it. */
  readonly portable: string | undefined;
  /** The path of the running program. */
  readonly path: string;
}

/**
 * The task to choose a wallet file; null where there is none. The portable app of Windows is unpacked to another place at each start,
 * where a task would find nothing later.
 */
export function iconTask(title: string, { platform, packaged, portable, path }: Program): Task | null {
  if (platform !== 'win32' || !packaged || portable) return null;
  return { program: path, arguments: CHOOSE_FILE, title, description: '', iconPath: path, iconIndex: 0 };
}
