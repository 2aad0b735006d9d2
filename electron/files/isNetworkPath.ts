/** Detects paths to other machines or devices, and the platform. */
import type { NameRules } from '../../shared/model/names/walletName.ts';

/**
 * On Windows a path with two leading slashes is a device, or a share of another machine, to which Windows at once
 * sends proof of the user's identity. A node could name one as its log, so the app never opens such a path.
 */
export function isNetworkPath(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/](?:[\\/]|\?\?[\\/])/.test(path);
}

/** The platform whose rules for file names apply. */
export function thisPlatform(): NameRules['platform'] {
  const { platform } = process;
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
