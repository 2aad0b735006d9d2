/** The offline engine as the app ships it: started as a process of its own, asked to migrate one wallet, ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Part } from '../testNode/walletFixture.ts';

/** What came of a wallet under the names of `migratewallet`, as files. */
export interface EngineMigration {
  readonly wallets: ReadonlyMap<Part, string>;
  /** The `.legacy.bak` that the engine wrote. */
  readonly backup: string;
}

/** Migrates a copy of `file` below `folder`, as a node of release 30 on regtest. Throws with the engine's words. */
export async function migrateInEngine(
  folder: string,
  file: string,
  passphrase: string | null,
): Promise<EngineMigration> {
  const walletsFolder = join(folder, 'regtest', 'wallets');
  mkdirSync(join(walletsFolder, NAME), { recursive: true });
  copyFileSync(file, fileOf(walletsFolder, NAME));
  const engine = spawn(
    process.execPath,
    [
      program,
      '--wallets',
      walletsFolder,
      '--chain',
      'regtest',
      '--release',
      '30',
      '--state',
      join(folder, 'state'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const { url, cookie } = await readyLine(engine);
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Basic ${readFileSync(cookie).toString('base64')}` },
      body: JSON.stringify({
        method: 'migratewallet',
        params: passphrase === null ? [NAME] : [NAME, passphrase],
      }),
    });
    const { result, error } = answer.parse(await response.json());
    if (!result) throw new Error(error?.message ?? 'The engine answered nothing.');
    const { backup_path: backup, ...names } = result;
    const wallets = parts.flatMap((part) => {
      const name = names[part];
      return name === undefined ? [] : [[part, fileOf(walletsFolder, name)] as const];
    });
    return { wallets: new Map(wallets), backup };
  } finally {
    await end(engine);
  }
}

const NAME = 'old';
export const parts = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
const program = fileURLToPath(new URL('../../out/main/engine.cjs', import.meta.url));

const ready = z.object({ url: z.string(), cookie: z.string() });
const answer = z.object({
  result: z
    .object({
      wallet_name: z.string(),
      watchonly_name: z.string().optional(),
      solvables_name: z.string().optional(),
      backup_path: z.string(),
    })
    .nullish(),
  error: z.object({ message: z.string() }).nullish(),
});

function fileOf(walletsFolder: string, name: string): string {
  return join(walletsFolder, name, 'wallet.dat');
}

async function readyLine(engine: ChildProcess & { stdout: NodeJS.ReadableStream }) {
  const lines = createInterface({ input: engine.stdout });
  const ended = once(engine, 'exit').then(([code]) => {
    throw new Error(`The engine ended at once (${code}).`);
  });
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  // Its end is awaited by whoever asks it to end.
  ended.catch(() => undefined);
  return ready.parse(JSON.parse(String(line)));
}

async function end(engine: ChildProcess): Promise<void> {
  if (engine.exitCode !== null || engine.signalCode !== null) return;
  const ended = once(engine, 'exit');
  engine.kill('SIGTERM');
  await ended;
}
