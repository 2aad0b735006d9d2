/** Starts the offline engine of the built app without the app, imitating a release. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';
import { launchEngine, resultOf } from './engineProcess.ts';

export type EngineRelease = 23 | 25 | 28 | 30 | 32;

export interface TestEngine {
  readonly port: number;
  readonly cookieFile: string;
  readonly walletsFolder: string;
  walletFile(name: string): string;
  /** Calls a method. Throws the engine's error. */
  call(method: string, params?: readonly unknown[], wallet?: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** The engine's program in `out`. */
export const builtEngine = fileURLToPath(new URL('../../out/main/engine.cjs', import.meta.url));

/** Starts the engine on regtest, below `folder`, with these wallets by name. */
export async function startEngine(
  release: EngineRelease,
  folder: string,
  wallets: Readonly<Record<string, FixtureName>> = {},
): Promise<TestEngine> {
  const walletsFolder = join(folder, 'regtest', 'wallets');
  const walletFile = (name: string) => join(walletsFolder, name, 'wallet.dat');
  mkdirSync(walletsFolder, { recursive: true });
  for (const [name, fixture] of Object.entries(wallets)) {
    mkdirSync(dirname(walletFile(name)));
    copyFileSync(fixtureFile(fixture), walletFile(name));
  }
  const engine = await launchEngine({ program: builtEngine, wallets: walletsFolder, release });
  return {
    port: Number(new URL(engine.url).port),
    cookieFile: engine.cookieFile,
    walletsFolder,
    walletFile,
    call: async (...args) => resultOf(await engine.call(...args)),
    stop: async () => void (await engine.end('SIGTERM')),
  };
}
