/** What new backups are called unless the user calls them otherwise. */
import { fileStem } from './fileStem.ts';

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
