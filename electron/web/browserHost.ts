/** The host of the browser entry and of the terminal without Electron: no dialogs, no keyring. */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import type { Host } from '../backend/host.ts';
import type { EngineProcess } from '../bitcoind/connection/offlineEngine.ts';

/** `engineProgram`: the path of the bundled offline engine. */
export function createBrowserHost(engineProgram: string): Host {
  return {
    entry: 'browser',
    // Without Electron there is no keyring to trust, so the app saves no secrets.
    secrets: {
      available: () => false,
      encrypt: () => Promise.reject(noPasswordsError()),
      decrypt: () => Promise.reject(noPasswordsError()),
    },
    canShowInFolder: () => showCommand('') !== null,
    async showInFolder(path) {
      const command = showCommand(path);
      if (!command) throw notAvailableError(say('No desktop here.'));
      const [program, ...args] = command;
      // Explorer parses its command line itself.
      spawn(program, args, { detached: true, stdio: 'ignore', windowsVerbatimArguments: true })
        .on('error', () => {})
        .unref();
    },
    pickFile: () => Promise.reject(notAvailableError(say('No system dialog here.'))),
    startEngine: (args) => spawnEngine(engineProgram, args),
  };
}

/** The command that shows a file in the system's file manager; null without a desktop. */
function showCommand(path: string): [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['open', '-R', path];
  if (process.platform === 'win32') return ['explorer.exe', `/select,"${path}"`];
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return desktop ? ['xdg-open', dirname(path)] : null;
}

function noPasswordsError(): AppError {
  return new AppError(
    'secrets_unavailable',
    say('No safe place for passwords here.'),
    say('The app asks again next time.'),
  );
}

function notAvailableError(message: string): AppError {
  return new AppError('not_available_here', message, say('Copy the path and open it by hand.'));
}

/** Starts the engine, which ends when its standard input closes: at the latest with this process. */
export function spawnEngine(program: string, args: readonly string[]): EngineProcess {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  // The engine may be gone when this process closes its input.
  child.stdin.on('error', () => {});
  return {
    output: child.stdout,
    errors: child.stderr,
    ended,
    end: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
  };
}
