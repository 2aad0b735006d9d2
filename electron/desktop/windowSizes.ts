/** The sizes of a window, apart from what computes with them, because the window opens with them. */
export const SMALLEST_WINDOW = { width: 480, height: 400 } as const;
export const FIRST_WINDOW = { width: 1100, height: 760 } as const;
