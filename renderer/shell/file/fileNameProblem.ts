/** What is wrong with a name for a new file or folder. */
import type { AppInfo } from '../../../shared/contract.ts';
import { say } from '../../../shared/wording/say.ts';

/** Why no file (or folder, if `asks` says so) can have this name, in a sentence; null when one can. */
export function fileNameProblem(
  name: string,
  platform: AppInfo['platform'],
  asks: 'folder' | 'new-file' = 'new-file',
): string | null {
  const folder = asks === 'folder';
  if (name.trim() === '') return folder ? say('Name the folder.') : say('Name the file.');
  if (name === '.' || name === '..') return say('This folder exists.');
  if (name.includes('/') || (platform === 'win32' && name.includes('\\'))) {
    return say('No slashes. Open the folder first.');
  }
  if (/\p{Cc}/u.test(name)) return say('A name cannot contain control characters.');
  if (platform === 'win32' && /[<>:"|?*]/.test(name)) {
    return say('Windows names cannot contain < > : " | ? *');
  }
  return new TextEncoder().encode(name).length > LONGEST_NAME ? say('The name is too long.') : null;
}

/** What the common file systems allow, in bytes. */
const LONGEST_NAME = 255;
