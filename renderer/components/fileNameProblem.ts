/** What is wrong with a name for a new file. */
import type { AppInfo } from '../../shared/model.ts';

/** Why no file can have this name, in a sentence; null when one can. */
export function fileNameProblem(name: string, platform: AppInfo['platform']): string | null {
  if (name.trim() === '') return 'Give the file a name.';
  if (name === '.' || name === '..') return 'This is a folder’s name.';
  if (name.includes('/') || (platform === 'win32' && name.includes('\\'))) {
    return 'A file’s name cannot hold a slash. Choose the folder in the list.';
  }
  if (/\p{Cc}/u.test(name)) return 'A file’s name cannot hold control characters.';
  if (platform === 'win32' && /[<>:"|?*]/.test(name)) {
    return 'On Windows a name cannot hold any of < > : " | ? *';
  }
  return new TextEncoder().encode(name).length > LONGEST_NAME ? 'The name is too long.' : null;
}

/** What the common file systems allow, in bytes. */
const LONGEST_NAME = 255;
