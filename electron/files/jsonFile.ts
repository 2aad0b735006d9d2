/** Small JSON files of the app's own. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../../shared/model/parseJson.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { replaceFile } from './durableFile.ts';
import { readTextOrNull } from './openFile.ts';

/** Null if the file is missing, unreadable, larger than `most` bytes, or of another shape. */
export function readJsonFile<T>(path: string, shape: z.ZodType<T>, most?: number): T | null {
  return shape.safeParse(parseJson(readTextOrNull(path, most) ?? '')).data ?? null;
}

/** Writes the file atomically, and creates its folder if needed. Throws the system's error. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, Buffer.from(`${JSON.stringify(value)}\n`));
}

/** Writes a file whose loss does not matter. Never throws. */
export function tryToWriteJsonFile(path: string, value: unknown): void {
  orNull(() => writeJsonFile(path, value));
}
