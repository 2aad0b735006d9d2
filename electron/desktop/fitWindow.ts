/** Computes the window's opening bounds: where it last closed, if a display is still there. */
import { z } from 'zod/mini';
import { FIRST_WINDOW, SMALLEST_WINDOW } from './constants.ts';

/** In Electron's desktop pixels (DIP). */
type Area = Readonly<WindowBounds['area']>;

type OpeningArea = Area | { readonly width: number; readonly height: number };

/**
 * Moves and shrinks the saved area so that it fits the display that it overlaps most. Returns only a size, for a centred
 * window, at the first start and if that display is gone.
 * @param displays the work area of each display, the main one first
 */
export function fitWindow(saved: Area | null, displays: readonly Area[]): OpeningArea {
  const home = saved && nearest(saved, displays);
  const size = fitSize(saved ?? FIRST_WINDOW, home ?? displays[0]);
  if (!saved || !home) return size;
  return {
    x: within(saved.x, home.x, home.x + home.width - size.width),
    y: within(saved.y, home.y, home.y + home.height - size.height),
    ...size,
  };
}

/** Null if the area touches no display. */
function nearest(area: Area, displays: readonly Area[]): Area | null {
  const byOverlap = displays.toSorted((a, b) => overlap(area, b) - overlap(area, a));
  return byOverlap.find((display) => overlap(area, display) > 0) ?? null;
}

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

function fitSize({ width, height }: { width: number; height: number }, display: Area | undefined) {
  if (display === undefined) return { width, height };
  return {
    width: Math.min(Math.max(width, SMALLEST_WINDOW.width), display.width),
    height: Math.min(Math.max(height, SMALLEST_WINDOW.height), display.height),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

const coordinate = z.int().check(z.gte(-100_000), z.lte(100_000));
const size = z.int().check(z.gte(1), z.lte(100_000));

/** The shape of the file that keeps the window's bounds. `area`: the bounds while the window is not maximized. */
export const windowBounds = z.object({
  area: z.object({ x: coordinate, y: coordinate, width: size, height: size }),
  maximized: z.boolean(),
});
type WindowBounds = z.infer<typeof windowBounds>;
