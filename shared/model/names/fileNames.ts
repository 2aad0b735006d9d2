/** Names and paths of files that the page suggests. */
import type { NameRules } from './walletName.ts';

/** `<wallet> 2026-11-21.dat`, in local time: Bitcoin Core's own dialog shows files of this ending. */
export function suggestedBackup(wallet: string, now: Date): string {
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  return `${fileStem(wallet)} ${date}.dat`;
}

/**
 * The same for several in one folder: each has a name of its own, whatever the wallets are called, and with the time of
 * day (`2026-11-21 140502`) none of an earlier hour. On another machine the app cannot see what a node would overwrite.
 */
export function suggestedBackups(wallets: readonly string[], now: Date): string[] {
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('');
  const taken = new Set<string>();
  return wallets.map((wallet) => {
    const stem = suggestedBackup(wallet, now).replace(/\.dat$/, ` ${time}`);
    let name = stem;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${stem} ${count}`;
    taken.add(name.toLowerCase());
    return `${name}.dat`;
  });
}

function twoDigits(part: number): string {
  return part.toString().padStart(2, '0');
}

/**
 * What a file name cannot hold everywhere (slashes, control characters, what Windows forbids) becomes `-`; a long name
 * is cut. The unnamed wallet is `wallet`.
 */
export function fileStem(wallet: string): string {
  const safe = wallet.replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-').replace(/^[. -]+|[. ]+$/g, '');
  return [...safe].slice(0, LONGEST).join('').trim() || 'wallet';
}

/** Characters: with four bytes each and an ending behind, still below the 255 bytes of a file name. */
const LONGEST = 50;

/** The path of `name` in `folder`, which is absolute and has its links resolved. */
export function joinPath(folder: string, name: string, platform: NameRules['platform']): string {
  const separator = platform === 'win32' ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
