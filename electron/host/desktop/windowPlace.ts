/** Remembers where the window was when it was closed, in a small file. */
import { z } from 'zod';
import { readJsonFile, tryToWriteJsonFile } from '../../disk/jsonFile.ts';

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
  return readJsonFile(file, windowPlace);
}

/** At once, as the window is about to be gone. A disk that cannot take it is no reason not to close. */
export function writeWindowPlace(file: string, place: WindowPlace): void {
  tryToWriteJsonFile(file, place);
}
