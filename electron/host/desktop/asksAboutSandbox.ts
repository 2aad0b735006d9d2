/** Whether to ask before the app runs without Chromium's sandbox. */

interface Start {
  packaged: boolean;
  /** `--no-sandbox` is among the words of the command line. */
  noSandbox: boolean;
  /** Root has no sandbox in any case; undefined on Windows. */
  user: number | undefined;
}

/**
 * An AppImage starts its app with `--no-sandbox` by itself where the system lets it have no user namespaces (AppRun of
 * electron-builder). Whoever runs as root, or the app from its sources, gave the word knowingly.
 */
export function asksAboutSandbox({ packaged, noSandbox, user }: Start): boolean {
  return packaged && noSandbox && user !== 0;
}
