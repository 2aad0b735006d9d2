/** Whether a process that left its number in a file is still the one that runs under it. */
import { readFileSync, readlinkSync } from 'node:fs';
import { orNull } from '../../walletfile/bytes/once.ts';
import { systemCode } from '../systemCode.ts';

/** What tells a process apart from a later one of the same number. Null where the system does not tell. */
export function birthMarkOf(pid: number): string | null {
  return orNull(() => {
    const boot = bootId();
    // The command's name stands in brackets and may hold spaces; the start time is the 20th field behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return `${boot}:${fields?.[19] ?? ''}`;
  });
}

/**
 * Within what a number names one process, on Linux: this start of the computer and this container (PID namespace). Another
 * one on the same disk has its own numbers. Null where this process does not see by which number it goes itself;
 * undefined on other systems.
 */
export function processSpace(): string | null | undefined {
  if (process.platform !== 'linux') return undefined;
  return orNull(() => {
    // A container may see the numbers of the computer around it.
    if (readlinkSync('/proc/self') !== String(process.pid)) return null;
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  });
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
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
