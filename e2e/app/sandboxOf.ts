/** What Linux itself says of how a process is kept in. */
import { readFileSync } from 'node:fs';

export interface Kept {
  /** Only the calls of the system that a filter lets through. */
  filtered: boolean;
  /** No way to more rights. */
  noNewPrivileges: boolean;
  /** Sees no process but those of its own namespace. */
  seesOnlyItsOwn: boolean;
}

export function sandboxOf(pid: number): Kept {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const fact = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  return {
    // 2: with a filter (proc_pid_status(5)).
    filtered: fact('Seccomp') === '2',
    noNewPrivileges: fact('NoNewPrivs') === '1',
    // Its number in each namespace, from this one inwards.
    seesOnlyItsOwn: fact('NSpid').split(/\s+/).length > 1,
  };
}

export const KEPT: Kept = { filtered: true, noNewPrivileges: true, seesOnlyItsOwn: true };
