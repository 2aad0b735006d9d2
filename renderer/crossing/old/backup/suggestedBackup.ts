/** What a new backup is called unless the user calls it otherwise. */
import { fileStem } from '../../../elements/file/fileStem.ts';

/** `<wallet>-<date>.bak`, the date as `2026-11-21` in local time. */
export function suggestedBackup(wallet: string, now: Date): string {
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  return `${fileStem(wallet)}-${date}.bak`;
}

function pad(part: number): string {
  return part.toString().padStart(2, '0');
}
