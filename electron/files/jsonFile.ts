/** Small files of JSON that the app keeps for itself. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../../shared/model/parseJson.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { replaceFile } from './durableFile.ts';
import { readTextOrNull } from './openFile.ts';

/** Null where there is none, none that can be read, as one of more than `most` bytes, and none of this shape. */
export function readJsonFile<T>(path: string, shape: z.ZodType<T>, most?: number): T | null {
  return shape.safeParse(parseJson(readTextOrNull(path, most) ?? '')).data ?? null;
}

/** Whole, or as it was before; its folder is made where there is none. Throws the system's error. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, Buffer.from(`${JSON.stringify(value)}\n`));
}

/** The same for what may be lost: never throws. */
export function tryToWriteJsonFile(path: string, value: unknown): void {
  orNull(() => writeJsonFile(path, value));
}
