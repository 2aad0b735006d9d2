/** Where the window opens: where it was closed, as far as there is still a display there. */

/** In pixels of the desktop, as Electron gives them. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type OpeningArea = Area | { readonly width: number; readonly height: number };

export const SMALLEST_WINDOW = { width: 480, height: 400 } as const;
export const FIRST_WINDOW = { width: 1100, height: 760 } as const;

/**
 * The remembered area, moved and made smaller until it lies whole on the display that it overlaps most. Without
 * a place, Electron centres the window: at first, and where the display is gone.
 * @param displays what of each display is free for windows, the main one first
 */
export function fitWindow(saved: Area | null, displays: readonly Area[]): OpeningArea {
  const wanted = saved ?? FIRST_WINDOW;
  const [main] = displays;
  if (!main) return { width: wanted.width, height: wanted.height };
  const home = saved && nearest(saved, displays);
  if (!saved || !home) return fitSize(wanted, main);
  const { width, height } = fitSize(saved, home);
  return {
    x: within(saved.x, home.x, home.x + home.width - width),
    y: within(saved.y, home.y, home.y + home.height - height),
    width,
    height,
  };
}

/** Null when the area touches no display. */
function nearest(area: Area, displays: readonly Area[]): Area | null {
  let best: Area | null = null;
  for (const display of displays) {
    if (overlap(area, display) > (best ? overlap(area, best) : 0)) best = display;
  }
  return best;
}

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

function fitSize(wanted: { width: number; height: number }, display: Area) {
  const { width, height } = SMALLEST_WINDOW;
  return {
    width: Math.min(Math.max(wanted.width, width), display.width),
    height: Math.min(Math.max(wanted.height, height), display.height),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
