/** Whether a path leads to another machine, or past the file system. */
import type { NameRules } from '../../shared/model/names/walletName.ts';

/**
 * On Windows a path that begins with two slashes is a share of another machine, to which Windows at once sends proof of
 * who the user is, or a device. A node could name one as the place of its log: such a path is never looked at.
 */
export function isNetworkPath(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/](?:[\\/]|\?\?[\\/])/.test(path);
}

/** Whose rules for file names hold on this machine. */
export function thisPlatform(): NameRules['platform'] {
  const { platform } = process;
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
