/** Injects the disk fault that the environment names into this process. Imported before anything else. */
import fs, { realpathSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type DiskFault, diskFault, VARIABLE } from './diskFault.ts';

const fault = process.env[VARIABLE];
if (fault !== undefined) breakDisk(diskFault.parse(JSON.parse(fault)));

function breakDisk(fault: DiskFault): void {
  const isBelow = (path: unknown) =>
    typeof path === 'string' &&
    'folder' in fault &&
    realPath(path).startsWith(`${realPath(fault.folder)}${sep}`);
  switch (fault.call) {
    case 'rename': {
      const { renameSync } = fs;
      let count = 0;
      fs.renameSync = (from, to) => {
        if (!isBelow(to)) return renameSync(from, to);
        count += 1;
        if (fault.does === 'fill' && count >= fault.number) throw failure('ENOSPC');
        if (fault.does === 'kill before' && count === fault.number) end();
        renameSync(from, to);
        if (fault.does === 'kill after' && count === fault.number) end();
      };
      return;
    }
    case 'write': {
      const { open } = promises;
      promises.open = async (path, ...options) => {
        const handle = await open(path, ...options);
        if (isBelow(path) && options[0] === 'wx+') breakWriting(handle, fault.does);
        return handle;
      };
      return;
    }
    case 'file': {
      const { openSync, writeSync } = fs;
      let broken: number | null = null;
      const opening: typeof openSync = (path, ...options) => {
        const file = openSync(path, ...options);
        if (isBelow(path) && String(path).endsWith(fault.ends)) broken = file;
        return file;
      };
      const writing = (file: number, bytes: Uint8Array, from: number, length: number) => {
        if (file !== broken) return writeSync(file, bytes, from, length);
        broken = null;
        writeSync(file, bytes, from, length >> 1);
        if (fault.does === 'kill') end();
        throw failure('ENOSPC');
      };
      Object.assign(fs, { openSync: opening, writeSync: writing });
      const { open } = promises;
      promises.open = async (path, ...options) => {
        const handle = await open(path, ...options);
        if (!isBelow(path) || !String(path).endsWith(fault.ends)) return handle;
        const { write } = handle;
        const half = async (bytes: Uint8Array, from: number, length: number, at: number) => {
          await Reflect.apply(write, handle, [bytes, from, length >> 1, at]);
          if (fault.does === 'kill') end();
          throw failure('ENOSPC');
        };
        return Object.assign(handle, { write: half });
      };
      return;
    }
    case 'read': {
      const { open } = promises;
      let isDone = false;
      promises.open = async (path, ...options) => {
        const handle = await open(path, ...options);
        if (String(path) !== fault.path) return handle;
        const { read } = handle;
        const reading = async (...args: Parameters<typeof read>) => {
          const result = await read.apply(handle, args);
          if (!isDone && fault.does === 'grow') fs.appendFileSync(fault.path, Buffer.alloc(512));
          if (!isDone && fault.does === 'remove') fs.renameSync(fault.path, `${fault.path}.away`);
          isDone = true;
          return result;
        };
        return Object.assign(handle, { read: reading });
      };
      return;
    }
    case 'mkdir': {
      const { mkdir } = promises;
      const replaced = async (path: Parameters<typeof mkdir>[0], options: Parameters<typeof mkdir>[1]) => {
        if (!isBelow(path)) return mkdir(path, options);
        if (fault.does === 'refuse') throw failure('EROFS');
        await mkdir(path, options);
        return end();
      };
      Object.assign(promises, { mkdir: replaced });
    }
  }
}

/** Resolves the folder, which the app may name by its file descriptor. */
function realPath(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function breakWriting(handle: FileHandle, does: 'kill' | 'fill'): void {
  const { writeFile } = handle;
  handle.writeFile = async (bytes) => {
    if (!Buffer.isBuffer(bytes)) throw new Error('Copies are written as buffers.');
    await writeFile.call(handle, bytes.subarray(0, bytes.length >> 1));
    if (does === 'kill') end();
    throw failure('ENOSPC');
  };
}

function failure(code: 'ENOSPC' | 'EROFS'): Error {
  return Object.assign(new Error(code), { code });
}

/** Kills this process at once, as a kill from outside does. */
function end(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process goes on.');
}
