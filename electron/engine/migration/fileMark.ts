/** By what a file or a folder is known again a moment later. */
import { lstatSync } from 'node:fs';

export interface FileMark {
  readonly dev: bigint;
  readonly ino: bigint;
  /** Bytes. */
  readonly size: bigint;
  /** Nanoseconds. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** Of what lies there itself, links not followed. Throws the system's error. */
export function markOf(path: string): FileMark {
  const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return { dev, ino, size, mtimeNs, ctimeNs };
}

/** Whether a regular file lies there, the same one, with nothing written to it since. */
export function isStill(path: string, mark: FileMark): boolean {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isFile()) return false;
  const keys = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return keys.every((key) => stats[key] === mark[key]);
}
