/** A path as the user's system writes it. */
import type { AppInfo } from '../../../shared/contract.ts';

/** The path of `name` in `folder`, which is absolute and has its links resolved. */
export function joinPath(folder: string, name: string, platform: AppInfo['platform']): string {
  const separator = platform === 'win32' ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
