/** Bundles the app's services as a program, and runs it on a data folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod/mini';
import { ON_WINDOWS } from '../../electron/files/testing/system.ts';
import { replyShape as answerShape } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Job, job } from '../../shared/model/job.ts';
import { bundlePrograms } from '../app/bundlePrograms.ts';
import { type DiskFault, VARIABLE } from './diskFault.ts';

/** Bundles the program, and returns its path. */
export async function bundleApp(folder: string): Promise<string> {
  // CommonJS looks up Node's functions at each call, so that `breakDisk` can replace them.
  await bundlePrograms(folder, { app: new URL('appProcess.ts', import.meta.url) });
  return join(folder, 'app.cjs');
}

export interface RunningApp {
  /** Makes a request. Returns its value. Throws its error as AppError, or an Error if the process ends first. */
  call(name: string, input: unknown): Promise<unknown>;
  /** Resolves with the first event of this name. */
  nextEvent(event: string): Promise<unknown>;
  /** The first snapshot of a job that fits; null if the process ends first. */
  until(fits: (job: Job) => boolean): Promise<Job | null>;
  /** Whether it was killed, by itself or by `kill`. */
  readonly killed: Promise<boolean>;
  kill(): Promise<void>;
}

/** Starts the program. `fault` breaks its disk. */
export function launchApp(program: string, dataFolder: string, fault: DiskFault | null): RunningApp {
  const child = spawn(process.execPath, [program, dataFolder], {
    env: { ...process.env, ...(fault ? { [VARIABLE]: JSON.stringify(fault) } : {}) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const killed = once(child, 'exit').then(([code, signal]) =>
    ON_WINDOWS ? code === KILLED : signal === 'SIGKILL',
  );
  const closed = once(child, 'close');
  const jobs: Job[] = [];
  const listeners = new Set<(line: z.infer<typeof lineShape>) => void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = lineShape.parse(JSON.parse(text));
    if ('event' in line && line.event === 'job') jobs.push(job.parse(line.value));
    for (const listen of [...listeners]) listen(line);
  });
  // Requests to a killed process fail.
  child.stdin.on('error', () => {});
  let lastId = 0;

  function first<T>(take: (line: z.infer<typeof lineShape>) => T | undefined): Promise<T | null> {
    return new Promise((resolve) => {
      const listen = (line: z.infer<typeof lineShape>) => {
        const taken = take(line);
        if (taken !== undefined) end(taken);
      };
      const end = (taken: T | null) => {
        listeners.delete(listen);
        resolve(taken);
      };
      listeners.add(listen);
      void closed.then(() => end(null));
    });
  }

  return {
    async call(name, input) {
      lastId += 1;
      const id = lastId;
      const answered = first((line) => ('id' in line && line.id === id ? line.answer : undefined));
      child.stdin.write(`${JSON.stringify({ id, name, input })}\n`);
      const answer = await answered;
      if (answer === null) throw new Error('The process ended.');
      if (!answer.ok) throw AppError.fromShape(answer.error);
      return answer.value;
    },
    nextEvent: (name) => first((line) => ('event' in line && line.event === name ? line : undefined)),
    until: async (fits) => jobs.find(fits) ?? first(() => jobs.find(fits)),
    killed,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await killed;
    },
  };
}

/** The exit code of a program that kills itself on Windows, which has no signals. A program that fails has it too. */
const KILLED = 1;

const lineShape = z.union([
  z.object({ id: z.number(), answer: answerShape }),
  z.object({ event: z.string(), value: z.unknown() }),
]);
