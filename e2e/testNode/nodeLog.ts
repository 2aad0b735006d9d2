/** The growing `debug.log`. */
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';

export interface NodeLog {
  readonly path: string;
  /** A recorded line, its time stamp replaced by now. */
  write(line: string): void;
  /** As log rotation with a new file does: the old one is renamed, the next line begins a new one. */
  rotate(): void;
  /** As log rotation with `copytruncate` does. */
  truncate(): void;
  /** Its file is gone while the node has it open: what is written from now on is seen by nobody. */
  lose(inItsPlace: 'nothing' | 'folder'): void;
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
    lose(inItsPlace) {
      lost = true;
      rmSync(path);
      if (inItsPlace === 'folder') mkdirSync(path);
    },
  };
}

export function withoutStamp(line: string): string {
  return line.replace(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z /, '');
}

function stamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
