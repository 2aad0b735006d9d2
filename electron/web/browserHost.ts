/** What the browser entry can do of what a desktop app can. */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import type { Host } from '../backend/host.ts';
import type { EngineProcess } from '../bitcoind/connection/engineProcess.ts';

/** `engineProgram` is the bundled offline engine. */
export function createBrowserHost(engineProgram: string): Host {
  return {
    entry: 'browser',
    // A process of its own has no keyring to trust: nothing is saved.
    secrets: {
      available: () => false,
      encrypt: () => Promise.reject(noSecrets()),
      decrypt: () => Promise.reject(noSecrets()),
    },
    canShowInFolder: () => opener('') !== null,
    async showInFolder(path) {
      const command = opener(path);
      if (!command) throw notHere(say('This computer has no desktop.'));
      const [program, ...args] = command;
      spawn(program, args, { detached: true, stdio: 'ignore' })
        .on('error', () => {})
        .unref();
    },
    pickFile: () => Promise.reject(notHere(say('There is no system dialog here.'))),
    startEngine: (args) => spawnEngine(engineProgram, args),
  };
}

/** The command that shows a file in the system's file manager; null where there is no desktop. */
function opener(path: string): [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['open', '-R', path];
  if (process.platform === 'win32') return ['explorer.exe', `/select,${path}`];
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return desktop ? ['xdg-open', dirname(path)] : null;
}

function noSecrets(): AppError {
  return new AppError(
    'secrets_unavailable',
    say('Passwords cannot be stored safely here.'),
    say('The app will ask again at the next start.'),
  );
}

function notHere(message: string): AppError {
  return new AppError('not_available_here', message, say('Copy the path and open it by hand.'));
}

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
