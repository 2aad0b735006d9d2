/** The engine as a process of its own, bundled as it is in the app: to be called, and to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { bundlePrograms } from '../app/bundlePrograms.ts';

/** Bundles the engine into a folder. Gives the path of its program. */
export async function bundleEngine(folder: string): Promise<string> {
  const source = (name: string) => new URL(`../../electron/engine/${name}`, import.meta.url);
  await bundlePrograms(folder, {
    engine: source('main.ts'),
    engineThread: source('threads/engineThread.ts'),
  });
  return join(folder, 'engine.cjs');
}

export interface EngineProcess {
  readonly child: ChildProcess;
  call(method: string, params?: readonly unknown[], wallet?: string): Promise<Answer>;
  /** Its exit code; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Ends it by a signal; its exit code, null where the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** All that it wrote to its standard output and error so far. */
  told(): string;
}

/** `cut`: the engine went away without an answer. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'cut' };

export interface LaunchOptions {
  readonly program: string;
  readonly wallets: string;
  readonly release: 23 | 25 | 28 | 30;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it on a folder of regtest wallets. Throws with its own words when it does not start. */
export async function launchEngine({
  program,
  wallets,
  release,
  env = {},
}: LaunchOptions): Promise<EngineProcess> {
  const options = ['--wallets', wallets, '--chain', 'regtest', '--release', String(release)];
  options.push('--state', stateFolder(wallets));
  const child = spawn(process.execPath, [program, ...options], { env: { ...process.env, ...env } });
  const exited = once(child, 'exit').then(([code]) => z.number().nullable().parse(code));
  let told = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
  }
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exited.then(() => null)]);
  if (first === null) throw new Error(`the engine did not start: ${told}`);
  const { url, cookie } = ready.parse(JSON.parse(String(first[0])));
  const login = readFileSync(cookie, 'utf8');
  return {
    child,
    exited,
    call: (method, params = [], wallet) =>
      post(`${url}${wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`}`, login, {
        method,
        params,
        id: 1,
      }),
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
    told: () => told,
  };
}

/** The engine's own folder: beside the folder in which its wallets folder and its log lie. */
export function stateFolder(wallets: string): string {
  return resolve(wallets, '..', '..', 'state');
}

const ready = z.object({ url: z.string(), cookie: z.string() });

const answerShape = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullable(),
});

/** Written out before this returns, so that a kill soon after it meets the call under way. */
function post(url: string, login: string, body: unknown): Promise<Answer> {
  return new Promise((resolve) => {
    const cut = () => resolve({ kind: 'cut' });
    const sent = request(url, { method: 'POST', auth: login, agent: false }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('error', cut)
        .on('aborted', cut)
        .on('end', () => resolve(answerOf(text)));
    });
    sent.on('error', cut).end(JSON.stringify(body));
  });
}

function answerOf(text: string): Answer {
  const { result, error } = answerShape.parse(JSON.parse(text));
  return error ? { kind: 'error', ...error } : { kind: 'result', result };
}
