/** For tests: a file system with one fault, to check what remains after a failed call or a crash. */
import type * as fs from 'node:fs';

/**
 * How one call fails. `crash`: a write stops half-way, and no later call happens. `error`: the call fails, and all others work.
 * `late`: the call works but reports an error. `read-only`: from this call on, nothing can be written.
 */
export const faults = ['crash', 'error', 'late', 'read-only'] as const;

export interface Fault {
  readonly kind: (typeof faults)[number];
  /** The number of the call, from 1 on. */
  readonly at: number;
  /** The system's code of an `error`. */
  readonly code?: string;
}

/** The current fault, and since it was set the calls and the files that are open. */
const disk: { fault: Fault | null; calls: string[]; open: Set<unknown> } = {
  fault: null,
  calls: [],
  open: new Set(),
};
/** The system's own. */
let closeSync: typeof fs.closeSync = () => undefined;

/** Runs work with a fault. Returns its result or the message of its error, and its calls. */
export async function under(fault: Fault, work: () => unknown) {
  const calls: string[] = [];
  Object.assign(disk, { fault, calls, open: new Set() });
  try {
    return { result: await work(), message: null, calls };
  } catch (error) {
    return { result: null, message: error instanceof Error ? error.message : String(error), calls };
  } finally {
    disk.fault = null;
    // The system closes the files of a process that crashed. Windows removes and renames no folder with an open file.
    for (const file of disk.open) if (typeof file === 'number') closeSync(file);
  }
}

/** Every fault of a kind that matters to work with these calls; the last fault comes after its end. */
export function faultsIn(calls: readonly string[], kind: Fault['kind']): Fault[] {
  const ends = calls.length + 1;
  // A call that changes nothing fails late as it fails.
  const matters = (name: string) => kind === 'error' || writing.has(name);
  const numbers = calls.flatMap((name, index) => (matters(name) ? [index + 1] : []));
  return [...numbers, ends].map((at) => ({ kind, at }));
}

/** `node:fs` whose synchronous calls meet the fault. */
export function faultyDisk(real: typeof fs): Record<string, unknown> {
  closeSync = real.closeSync;
  const wrapped = Object.fromEntries(
    Object.entries(real).map(([name, value]) =>
      // `realpathSync` has a function of its own, and changes nothing.
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
  const work = (args: unknown[]) => {
    // Skip flushes: they take most of the time, and nothing is lost here.
    const result = name === 'fsyncSync' ? undefined : call(args);
    if (name === 'openSync') disk.open.add(result);
    if (name === 'closeSync') disk.open.delete(args[0]);
    return result;
  };
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
        // `existsSync` has no error.
        if (name === 'existsSync') return false;
        // No system keeps a file open that it failed to close.
        if (name === 'closeSync') work(args);
        throw failure(fault.code ?? 'EIO');
      case 'late': {
        const result = work(args);
        if (!due || name === 'existsSync') return result;
        // No system keeps a file open that it failed to open.
        if (name === 'openSync' && typeof result === 'number') {
          disk.open.delete(result);
          closeSync(result);
        }
        throw failure('EIO');
      }
      case 'read-only':
        if (number < fault.at || !writing.has(name)) return work(args);
        if (name === 'openSync' && isToRead(args[1])) return work(args);
        throw failure('EROFS');
    }
  };
}

/** The lowest two bits of the flags are the access mode. Zero is for reading only. */
function isToRead(flags: unknown): boolean {
  return flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);
}

function halfWritten(name: string, [file, bytes]: unknown[], call: (args: unknown[]) => unknown): void {
  if (name === 'writeSync' && bytes instanceof Uint8Array) call([file, bytes.subarray(0, bytes.length >> 1)]);
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: the disk failed`), { code });
}
