/** The offline engine as a utility process of Electron. */
import { PassThrough } from 'node:stream';
import { utilityProcess } from 'electron';
import type { EngineProcess } from '../../node/stay/engineProcess.ts';

/** Chromium ends it with the app, however the app ends. */
export function forkEngine(program: string, args: readonly string[]): EngineProcess {
  const child = utilityProcess.fork(program, [...args], {
    stdio: 'pipe',
    serviceName: 'Wallet Ferry engine',
  });
  const [output, errors] = [new PassThrough(), new PassThrough()];
  child.stdout?.pipe(output);
  child.stderr?.pipe(errors);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output,
    errors,
    ended,
    end: () => child.postMessage('end'),
    kill: () => {
      const { pid } = child;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
  };
}
