/** How encoded values travel between the page and the app. */
export interface Line {
  call(name: string, input: unknown): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): () => void;
  /** Where a dropped file lies; null where the browser does not tell. */
  pathOf(file: File): string | null;
  /** Tells whether the app behind the page can be reached. Never, where the page lives and ends with it. */
  watch?(listener: (reachable: boolean) => void): void;
}

declare global {
  interface Window {
    /** What the preload exposes; absent in the browser entry. */
    ferry?: Omit<Line, 'watch'>;
  }
}
