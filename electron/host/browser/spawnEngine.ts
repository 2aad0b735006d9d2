/** The offline engine as a child of plain Node. */
import { spawn } from 'node:child_process';
import type { EngineProcess } from '../../node/stay/engineProcess.ts';

/** Its standard input stays open as long as this process lives: the engine ends when it closes. */
export function spawnEngine(program: string, args: readonly string[]): EngineProcess {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  // It may be gone when its input is closed.
  child.stdin.on('error', () => {});
  return {
    output: child.stdout,
    errors: child.stderr,
    ended,
    end: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
  };
}
