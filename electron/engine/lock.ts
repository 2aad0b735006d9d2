/** Keeps a second engine, and an engine beside a running node, away from a folder of wallets. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile, writeNewFile } from './durableFile.ts';
import { EngineError } from './engineError.ts';
import { isLocked } from './fileInUse.ts';
import { birthMarkOf, isLiving } from './livingProcess.ts';

export interface FolderLock {
  release(): void;
}

export const LOCK_NAME = '.wallet-ferry-engine.lock';

/**
 * Takes the folder. Throws EngineError while another engine holds it, or a node runs on `chainFolder`. What a
 * process left that is gone is taken over.
 */
export function lockFolder(walletsFolder: string, chainFolder: string): FolderLock {
  refuseBesideNode(walletsFolder, chainFolder);
  const path = join(walletsFolder, LOCK_NAME);
  const own = JSON.stringify({ pid: process.pid, mark: birthMarkOf(process.pid) });
  const bytes = new TextEncoder().encode(`${own}\n`);
  if (!made(path, bytes)) takeOver(path, bytes);
  return {
    release: () => {
      if (readText(path)?.trim() === own) rmSync(path, { force: true });
    },
  };
}

/** Two engines that find the same stale lock go through one gate, so that only the first takes it. */
function takeOver(path: string, bytes: Uint8Array): void {
  refuseIfHeld(path);
  const gate = `${path}.gate`;
  if (!made(gate, bytes)) {
    if (Date.now() - modifiedAt(gate) < GATE_MILLISECONDS) throw held(null);
    rmSync(gate, { force: true });
    if (!made(gate, bytes)) throw held(null);
  }
  try {
    refuseIfHeld(path);
    replaceFile(path, bytes);
  } finally {
    rmSync(gate, { force: true });
  }
}

/** Far longer than taking a lock over takes; one older than this was left by a process that was killed. */
const GATE_MILLISECONDS = 10_000;

const holder = z.object({ pid: z.number().int().positive(), mark: z.string().nullable() });

function refuseIfHeld(path: string): void {
  const text = readText(path);
  if (text === null) return;
  const parsed = holder.safeParse(parseJson(text));
  if (!parsed.success) return;
  const { pid, mark } = parsed.data;
  // One's own number from before: an engine in a container is often process 1 each time.
  if (pid === process.pid && mark !== birthMarkOf(pid)) return;
  if (isLiving(pid, mark)) throw held(pid);
}

function held(pid: number | null): EngineError {
  const who = pid === null ? 'Another engine' : `Another engine (process ${pid})`;
  return new EngineError(`${who} already uses this wallets folder. Stop it first, or use that one.`);
}

/**
 * A node leaves its number in a file (its window version does not), and locks `.lock` in its chain's folder, and
 * `.walletlock` beside a legacy wallet: `LockDirectory` of `src/init.cpp`.
 */
function refuseBesideNode(walletsFolder: string, chainFolder: string): void {
  const pid = Number.parseInt(readText(join(chainFolder, 'bitcoind.pid')) ?? '', 10);
  const number = Number.isInteger(pid) && pid > 0 && isLiving(pid, null) ? ` (process ${pid})` : null;
  if (number === null && !isLocked(join(chainFolder, '.lock'), join(walletsFolder, '.walletlock'))) return;
  throw new EngineError(
    `A Bitcoin node${number ?? ''} runs on this folder. Stop it first, or use the node itself.`,
  );
}

function made(path: string, bytes: Uint8Array): boolean {
  try {
    writeNewFile(path, bytes);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
