/** Bundles the app's services as a program, and runs it on a folder of data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { answer as answerShape } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Job, job } from '../../shared/model/job.ts';
import { bundlePrograms } from '../app/bundlePrograms.ts';
import { type DiskFault, VARIABLE } from './diskFault.ts';

/** Gives the path of the program. */
export async function bundleApp(folder: string): Promise<string> {
  // Its CommonJS looks into a module of Node's own at each call, where a fault can be put in.
  await bundlePrograms(folder, { app: new URL('appProcess.ts', import.meta.url) });
  return join(folder, 'app.cjs');
}

export interface RunningApp {
  /** The answer's value. Throws AppError where it is an error, and rejects when the process ends before. */
  call(name: string, input: unknown): Promise<unknown>;
  /** Resolves with the first event of this name. */
  heard(event: string): Promise<unknown>;
  /** The first snapshot of a job that fits; null when the process ended before. */
  until(fits: (job: Job) => boolean): Promise<Job | null>;
  /** The signal that ended it, null where it ended by itself. */
  readonly exited: Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
}

export function launchApp(program: string, dataFolder: string, fault: DiskFault | null): RunningApp {
  const child = spawn(process.execPath, [program, dataFolder], {
    env: { ...process.env, ...(fault ? { [VARIABLE]: JSON.stringify(fault) } : {}) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const closed = once(child, 'close');
  const jobs: Job[] = [];
  const listeners = new Set<(line: z.infer<typeof lineShape>) => void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = lineShape.parse(JSON.parse(text));
    if ('event' in line && line.event === 'job') jobs.push(job.parse(line.value));
    for (const listen of [...listeners]) listen(line);
  });
  // What is said to a process that was killed goes nowhere.
  child.stdin.on('error', () => {});
  let asked = 0;

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
      asked += 1;
      const id = asked;
      const answered = first((line) => ('id' in line && line.id === id ? line.answer : undefined));
      child.stdin.write(`${JSON.stringify({ id, name, input })}\n`);
      const answer = await answered;
      if (answer === null) throw new Error('The process ended.');
      if (!answer.ok) throw AppError.fromShape(answer.error);
      return answer.value;
    },
    heard: (name) => first((line) => ('event' in line && line.event === name ? line : undefined)),
    until: async (fits) => jobs.find(fits) ?? first(() => jobs.find(fits)),
    exited,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

const lineShape = z.union([
  z.object({ id: z.number(), answer: answerShape }),
  z.object({ event: z.string(), value: z.unknown() }),
]);
