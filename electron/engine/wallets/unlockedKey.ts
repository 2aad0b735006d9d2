/** Holds the master key of an unlocked wallet for as long as it may be used, and wipes it then. */

export interface UnlockedKey {
  /** Null while the wallet is locked. */
  masterKey(): Uint8Array | null;
  /** Unix seconds; 0 while it is locked. */
  until(): number;
  open(masterKey: Uint8Array, seconds: number): void;
  close(): void;
}

export function makeUnlockedKey(): UnlockedKey {
  let held: { masterKey: Uint8Array; until: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    held?.masterKey.fill(0);
    held = null;
  };
  return {
    masterKey: () => held?.masterKey ?? null,
    until: () => held?.until ?? 0,
    close,
    open: (masterKey, seconds) => {
      close();
      held = { masterKey, until: Math.floor(Date.now() / 1000) + seconds };
      timer = setTimeout(close, Math.min(seconds * 1000, LONGEST_TIMER));
      timer.unref();
    },
  };
}

/** What setTimeout can wait at most; who unlocks for longer than 24 days is locked then. */
const LONGEST_TIMER = 0x7fffffff;
