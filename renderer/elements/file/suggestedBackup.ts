/** What new backups are called unless the user calls them otherwise. */
import { fileStem } from './fileStem.ts';

/** `<wallet>-<date>.bak`, the date as `2026-11-21` in local time. */
export function suggestedBackup(wallet: string, now: Date): string {
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  return `${fileStem(wallet)}-${date}.bak`;
}

/**
 * The same for several in one folder: each has a name of its own, whatever the wallets are called, and with the time of
 * day (`2026-11-21-140502`) none of an earlier hour. On another machine the app cannot see what a node would overwrite.
 */
export function suggestedBackups(wallets: readonly string[], now: Date): string[] {
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('');
  const taken = new Set<string>();
  return wallets.map((wallet) => {
    const stem = suggestedBackup(wallet, now).replace(/\.bak$/, `-${time}`);
    let name = stem;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${stem}-${count}`;
    taken.add(name.toLowerCase());
    return `${name}.bak`;
  });
}

function twoDigits(part: number): string {
  return part.toString().padStart(2, '0');
}
