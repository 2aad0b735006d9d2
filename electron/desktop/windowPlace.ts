/** Where the window was when it was closed, as a small file remembers it. */
import { z } from 'zod';

const far = z.int().min(-100_000).max(100_000);
const size = z.int().min(1).max(100_000);

/** `area` is that of the window while it is not maximized. */
export const windowPlace = z.object({
  area: z.object({ x: far, y: far, width: size, height: size }),
  maximized: z.boolean(),
});
export type WindowPlace = z.infer<typeof windowPlace>;
