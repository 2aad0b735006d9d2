/** Names that programs outside this one know too. */

/** The app's identity on Windows. The installer's shortcuts carry it too: see `appId` in `build/electron-builder.mjs`. */
export const APP_ID = 'org.walletferry.app';

/** The two IPC channels between the page and the main process. */
export const CALL_CHANNEL = 'ferry:call';
export const EVENT_CHANNEL = 'ferry:event';
