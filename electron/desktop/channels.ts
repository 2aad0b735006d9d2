/** The two IPC channels between the page and the main process. */
export const CALL_CHANNEL = 'ferry:call';
export const EVENT_CHANNEL = 'ferry:event';
