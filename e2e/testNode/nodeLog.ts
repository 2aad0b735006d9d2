/** The `debug.log` of a test node. */
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';

export interface NodeLog {
  readonly path: string;
  /** Writes a recorded line with the current time. */
  write(line: string): void;
  /** Renames the log and begins a new one, as log rotation does by default. */
  rotate(): void;
  /** Empties the log, as log rotation with `copytruncate` does. */
  truncate(): void;
  /** Removes the file while the node has it open: nobody sees what the node writes from now on. */
  lose(replacement: 'nothing' | 'folder'): void;
}

export function openNodeLog(path: string): NodeLog {
  appendFileSync(path, '');
  let lost = false;
  return {
    path,
    write(line) {
      if (!lost) appendFileSync(path, `${stamp()} ${withoutStamp(line)}\n`);
    },
    rotate() {
      renameSync(path, `${path}.1`);
      writeFileSync(path, '');
    },
    truncate: () => truncateSync(path),
    lose(replacement) {
      lost = true;
      rmSync(path);
      if (replacement === 'folder') mkdirSync(path);
    },
  };
}

export function withoutStamp(line: string): string {
  return line.replace(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z /, '');
}

function stamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
