/** Constants of the desktop entry. The preload, the first window and the packaging load them without the rest. */

/** The app's identity on Windows. The installer's shortcuts carry it too: see `appId` in `build/electron-builder.mjs`. */
export const APP_ID = 'org.walletferry.app';

/** The two IPC channels between the page and the main process. */
export const CALL_CHANNEL = 'ferry:call';
export const EVENT_CHANNEL = 'ferry:event';

export const SMALLEST_WINDOW = { width: 480, height: 400 } as const;
export const FIRST_WINDOW = { width: 1100, height: 760 } as const;
