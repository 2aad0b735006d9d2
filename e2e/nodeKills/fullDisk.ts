/** A small disk for a node's wallets that can be filled to its last byte. Only root can mount it, on Linux. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MEGABYTES = 48;

export function canMount(folder: string): boolean {
  const place = join(folder, 'mount');
  try {
    mountDisk(place);
    unmountDisk(place);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

export function mountDisk(place: string): void {
  mkdirSync(place, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=700`, 'tmpfs', place], {
    stdio: 'ignore',
  });
}

export function unmountDisk(place: string): void {
  execFileSync('umount', ['-l', place], { stdio: 'ignore' });
}

/** Fills the disk. The returned function makes room again. */
export function fillDisk(place: string): () => void {
  const path = join(place, '.filler');
  const file = openSync(path, 'w');
  try {
    for (let size = 1 << 20; size >= 1; size = size >> 4) {
      const bytes = Buffer.alloc(size);
      // Each pass ends when a block of this size no longer fits.
      for (let isFull = false; !isFull; ) isFull = !wrote(file, bytes);
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(path, { force: true });
}

function wrote(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch {
    return false;
  }
}
