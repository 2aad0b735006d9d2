/** The offline engine as it is bundled in the app, run by itself in the dialect of a release. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';

export type EngineRelease = 23 | 25 | 28 | 30 | 32;

export interface TestEngine {
  readonly port: number;
  readonly cookieFile: string;
  readonly walletsFolder: string;
  walletFile(name: string): string;
  /** Calls a method at once; for what the app is not asked to do. Throws with the engine's words. */
  call(method: string, params?: readonly unknown[], wallet?: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** On regtest, in `<folder>/wallets`, with these wallets by their names. */
export async function startEngine(
  release: EngineRelease,
  folder: string,
  wallets: Readonly<Record<string, FixtureName>> = {},
): Promise<TestEngine> {
  const walletsFolder = join(folder, 'wallets');
  const walletFile = (name: string) => join(walletsFolder, name, 'wallet.dat');
  mkdirSync(walletsFolder, { recursive: true });
  for (const [name, fixture] of Object.entries(wallets)) {
    mkdirSync(join(walletsFolder, name));
    copyFileSync(fixtureFile(fixture), walletFile(name));
  }
  const program = fileURLToPath(new URL('../../out/main/engine.cjs', import.meta.url));
  const options = ['--wallets', walletsFolder, '--chain', 'regtest', '--release', String(release)];
  options.push('--state', join(folder, 'state'));
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error('The engine ended while it was starting.')));
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  ended.catch(() => undefined);
  const { url, cookie } = readyShape.parse(JSON.parse(String(line[0])));

  return {
    port: Number(new URL(url).port),
    cookieFile: cookie,
    walletsFolder,
    walletFile,
    async call(method, params = [], wallet) {
      const path = wallet === undefined ? '' : `/wallet/${encodeURIComponent(wallet)}`;
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${readFileSync(cookie).toString('base64')}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { result, error } = answerShape.parse(await response.json());
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const readyShape = z.object({ url: z.string(), cookie: z.string() });
const answerShape = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish(),
});
