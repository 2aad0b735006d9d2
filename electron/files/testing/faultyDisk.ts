/** The file system with one fault, for tests of what is left when a call fails or is the last there is. */
import type * as fs from 'node:fs';

/**
 * How the call of a number goes wrong. `crash`: it gets half-way where it writes, and all others after it never
 * happen. `error`: it fails and all others work. `late`: it says that it failed, and was done. `read-only`: from
 * there on nothing can be written.
 */
export const faults = ['crash', 'error', 'late', 'read-only'] as const;

export interface Fault {
  readonly kind: (typeof faults)[number];
  /** The number of the call, from 1 on. */
  readonly at: number;
  /** What the system calls an `error`. */
  readonly code?: string;
}

/** The fault there is, and the calls since it is there. */
const disk: { fault: Fault | null; calls: string[] } = { fault: null, calls: [] };

/** Runs work with a fault. Gives what came of it, a result or the message of its error, and the calls it made. */
export async function under(fault: Fault, work: () => unknown) {
  const calls: string[] = [];
  Object.assign(disk, { fault, calls });
  try {
    return { result: await work(), message: null, calls };
  } catch (error) {
    return { result: null, message: error instanceof Error ? error.message : String(error), calls };
  } finally {
    disk.fault = null;
  }
}

/** Every fault of a kind that makes a difference to work of these calls; the last of them comes after its end. */
export function faultsIn(calls: readonly string[], kind: Fault['kind']): Fault[] {
  const ends = calls.length + 1;
  const matters = (name: string) => kind === 'error' || kind === 'late' || writing.has(name);
  const numbers = calls.flatMap((name, index) => (matters(name) ? [index + 1] : []));
  return [...numbers, ends].map((at) => ({ kind, at }));
}

/** All calls of `node:fs` that wait, so that they meet the fault. */
export function faultyDisk(real: typeof fs): Record<string, unknown> {
  const wrapped = Object.fromEntries(
    Object.entries(real).map(([name, value]) =>
      // It has a call of its own in it, and changes nothing.
      typeof value === 'function' && name.endsWith('Sync') && name !== 'realpathSync'
        ? [name, guarded(name, (args) => Reflect.apply(value, real, args))]
        : [name, value],
    ),
  );
  return { ...wrapped, default: wrapped };
}

const writing = new Set([
  'openSync',
  'writeSync',
  'mkdirSync',
  'linkSync',
  'unlinkSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
]);

function guarded(name: string, call: (args: unknown[]) => unknown) {
  // Flushing takes most of the time, and what is not flushed is not lost here.
  const work = (args: unknown[]) => (name === 'fsyncSync' ? undefined : call(args));
  return (...args: unknown[]) => {
    const { fault } = disk;
    if (!fault) return call(args);
    const number = disk.calls.push(name);
    const due = number === fault.at;
    switch (fault.kind) {
      case 'crash':
        if (number < fault.at) return work(args);
        if (due) halfWritten(name, args, call);
        throw failure('crash');
      case 'error':
        if (!due) return work(args);
        // It has no error to tell.
        if (name === 'existsSync') return false;
        throw failure(fault.code ?? 'EIO');
      case 'late': {
        const result = work(args);
        if (due && name !== 'existsSync') throw failure('EIO');
        return result;
      }
      case 'read-only':
        if (number < fault.at || !writing.has(name)) return work(args);
        if (name === 'openSync' && isToRead(args[1])) return work(args);
        throw failure('EROFS');
    }
  };
}

/** The lowest two bits of the flags of an open file say what it is for; without any it is to be read. */
function isToRead(flags: unknown): boolean {
  return flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);
}

function halfWritten(name: string, [file, bytes]: unknown[], call: (args: unknown[]) => unknown): void {
  if (name === 'writeSync' && bytes instanceof Uint8Array) call([file, bytes.subarray(0, bytes.length >> 1)]);
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: the disk failed`), { code });
}
