/** Whether a process that left its number in a file is still the one that runs under it. */
import { readFileSync } from 'node:fs';
import { systemCode } from './systemCode.ts';

/** What tells a process apart from a later one of the same number. Null where the system does not tell. */
export function birthMarkOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The command's name stands in brackets and may hold spaces; the start time is the 20th field behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return `${boot}:${fields?.[19] ?? ''}`;
  } catch {
    return null;
  }
}

/** `mark` is the process's `birthMarkOf` when it left its number, or null when it is not known. */
export function isLiving(pid: number, mark: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: there is one, of another user.
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = birthMarkOf(pid);
  return mark === null || now === null || now === mark;
}
