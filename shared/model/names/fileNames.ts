/** File names and paths that the page suggests. */
import type { NameRules } from './walletName.ts';

/** `<wallet> 2026-11-21.dat`, in local time. Bitcoin Core's dialog shows only files that end in `.dat`. */
export function suggestedBackup(wallet: string, now: Date): string {
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  return `${fileStem(wallet)} ${date}.dat`;
}

/**
 * The same for several wallets in one folder, each name unique. The time of day (`2026-11-21 140502`) avoids earlier names: on
 * another machine the app cannot see which file a node would overwrite.
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
 * A file name for every system: slashes, control characters and what Windows forbids become `-`. Long names are cut. The
 * unnamed wallet becomes `wallet`.
 */
export function fileStem(wallet: string): string {
  const safe = wallet.replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-').replace(/^[. -]+|[. ]+$/g, '');
  return [...safe].slice(0, LONGEST).join('').trim() || 'wallet';
}

/** Characters. With four bytes each and an ending, the name stays below 255 bytes. */
const LONGEST = 50;

/** The path of `name` in `folder`, an absolute path without links. */
export function joinPath(folder: string, name: string, platform: NameRules['platform']): string {
  const separator = platform === 'win32' ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
