/** Remembers where the window was when it was closed, in a small file. */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readWhole } from '../../disk/openFile.ts';

const far = z.int().min(-100_000).max(100_000);
const size = z.int().min(1).max(100_000);
const windowPlace = z.object({
  area: z.object({ x: far, y: far, width: size, height: size }),
  maximized: z.boolean(),
});
/** `area` is that of the window while it is not maximized. */
export type WindowPlace = z.infer<typeof windowPlace>;

/** Null when nothing is remembered, or nothing that makes sense. */
export function readWindowPlace(file: string): WindowPlace | null {
  try {
    return windowPlace.parse(JSON.parse(readWhole(file).toString('utf8')));
  } catch {
    return null;
  }
}

/** At once, as the window is about to be gone. A disk that cannot take it is no reason not to close. */
export function writeWindowPlace(file: string, place: WindowPlace): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Writing to a pipe would wait until somebody reads it.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return;
    writeFileSync(file, `${JSON.stringify(place)}\n`, { mode: 0o600 });
  } catch {
    // The window opens in its usual place next time.
  }
}
