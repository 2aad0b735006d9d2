/** The two channels that everything travels on between page and main process. */
export const CALL_CHANNEL = 'ferry:call';
export const EVENT_CHANNEL = 'ferry:event';
