/** Whose rules for file names hold on this machine. */
import type { NameRules } from '../../shared/walletName.ts';

export function thisPlatform(): NameRules['platform'] {
  const { platform } = process;
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
