/** The shape of the file that keeps the window's bounds. */
import { z } from 'zod';

const coordinate = z.int().min(-100_000).max(100_000);
const size = z.int().min(1).max(100_000);

/** `area`: the bounds while the window is not maximized. */
export const windowBounds = z.object({
  area: z.object({ x: coordinate, y: coordinate, width: size, height: size }),
  maximized: z.boolean(),
});
export type WindowBounds = z.infer<typeof windowBounds>;
