/**
 * Finds the drives of Windows. If the server of a mapped network drive is off, every access to the drive blocks one of
 * Node's four file threads for up to a minute.
 */
import { inTime } from '../files/concurrency.ts';
import { existsAs } from '../files/openFile.ts';

export type Drives = ReturnType<typeof createDrives>;

interface DrivesOptions {
  /** Such as `C:\`. */
  readonly roots?: readonly string[];
  /** Whether a drive is there. May take a minute. Never rejects. */
  readonly look?: (root: string) => Promise<boolean>;
  /** Milliseconds that a list waits for a drive, and that one which the user opens may take to wake up. */
  readonly limits?: { readonly listMs?: number; readonly openMs?: number };
}

/** A drive and whether it answers. */
interface Drive {
  readonly root: string;
  readonly answers: boolean;
}

export function createDrives({
  roots = [...'CDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`),
  look = (root) => existsAs(root, 'folder'),
  limits: { listMs = 1000, openMs = 30_000 } = {},
}: DrivesOptions = {}) {
  const present = new Set<string>();
  /** Drives that did not answer in time. They are looked at again only when the user opens them. */
  const silent = new Set<string>();
  const looks = new Map<string, Promise<boolean>>();

  /** Resolves with true once the look has ended. */
  function lookAt(root: string): Promise<boolean> {
    const known = looks.get(root);
    if (known !== undefined) return known;
    const ended = look(root).then((isPresent) => {
      looks.delete(root);
      if (isPresent) silent.delete(root);
      if (isPresent) present.add(root);
      else present.delete(root);
      return true;
    });
    looks.set(root, ended);
    return ended;
  }

  return {
    /** The drives that are there, and those that do not answer. */
    async list(): Promise<Drive[]> {
      const left = roots.filter((root) => !silent.has(root)).values();
      const worker = async () => {
        for (const root of left) {
          if (await inTime(lookAt(root), listMs)) continue;
          silent.add(root);
          // The access still blocks its thread.
          return;
        }
      };
      const held = [...looks.keys()].filter((root) => silent.has(root)).length;
      await Promise.all(Array.from({ length: Math.max(0, AT_ONCE - held) }, worker));
      return roots
        .filter((root) => present.has(root) || silent.has(root))
        .map((root) => ({ root, answers: !silent.has(root) }));
    },

    /** Whether the drive of this path answers. True for a path without one. */
    async answers(path: string): Promise<boolean> {
      const letter = /^([A-Za-z]):/.exec(path)?.[1];
      return letter === undefined || (await inTime(lookAt(`${letter.toUpperCase()}:\\`), openMs)) !== null;
    },
  };
}

/** Leaves two threads for other files. */
const AT_ONCE = 2;
