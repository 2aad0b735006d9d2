/** Starts the engine as a process that tests can call and kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod/mini';
import { ON_WINDOWS } from '../../electron/files/testing/system.ts';
import { bundlePrograms } from './bundlePrograms.ts';
import type { EngineRelease } from './startEngine.ts';

/** Bundles the engine. Returns the path of its program. */
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
  readonly url: string;
  readonly cookieFile: string;
  call(method: string, params?: readonly unknown[], wallet?: string): Promise<Answer>;
  /** The exit code; null if a signal ended the engine. */
  readonly exited: Promise<number | null>;
  /** Ends the engine. Resolves with its exit code, or null if the signal ended it. Windows has no SIGTERM: `stop` is called there. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** The standard output and error so far. */
  output(): string;
}

/** `cut`: the engine ended without an answer. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'cut' };

export interface LaunchOptions {
  readonly program: string;
  readonly wallets: string;
  readonly release: EngineRelease;
  /** `regtest` by default. */
  readonly chain?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the engine on a folder of wallets. Throws its output if it does not start. */
export async function launchEngine({
  program,
  wallets,
  release,
  chain = 'regtest',
  env = {},
}: LaunchOptions): Promise<EngineProcess> {
  const options = ['--wallets', wallets, '--chain', chain, '--release', String(release)];
  options.push('--state', stateFolder(wallets));
  const child = spawn(process.execPath, [program, ...options], { env: { ...process.env, ...env } });
  const exited = once(child, 'exit').then(([code]) => z.nullable(z.number()).parse(code));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exited.then(() => null)]);
  if (first === null) throw new Error(`the engine did not start: ${output}`);
  const { url, cookie: cookieFile } = ready.parse(JSON.parse(String(first[0])));
  const login = readFileSync(cookieFile, 'utf8');
  const call: EngineProcess['call'] = (method, params = [], wallet) =>
    post(`${url}${wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`}`, login, {
      method,
      params,
      id: 1,
    });
  return {
    child,
    url,
    cookieFile,
    exited,
    call,
    async end(signal) {
      if (ON_WINDOWS && signal === 'SIGTERM') await call('stop');
      else child.kill(signal);
      return exited;
    },
    output: () => output,
  };
}

/** The engine's own folder, beside the chain folder with its wallets and log. */
export function stateFolder(wallets: string): string {
  return resolve(wallets, '..', '..', 'state');
}

const ready = z.object({ url: z.string(), cookie: z.string() });

const answerShape = z.object({
  result: z.unknown(),
  error: z.nullable(z.object({ code: z.number(), message: z.string() })),
});

/** Sends a call. It is written before this returns, so that a kill right afterwards meets the running call. */
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

/** The result of an answer. Throws its error. */
export function resultOf(answer: Answer): unknown {
  if (answer.kind === 'result') return answer.result;
  throw new Error(`the call failed: ${JSON.stringify(answer)}`);
}

function answerOf(text: string): Answer {
  const { result, error } = answerShape.parse(JSON.parse(text));
  return error ? { kind: 'error', ...error } : { kind: 'result', result };
}
