/** The app's identity on Windows. The installer's shortcuts carry it too: see `appId` in `build/electron-builder.mjs`. */
export const APP_ID = 'org.walletferry.app';
