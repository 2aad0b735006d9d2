/** The program that started the engine: whether it is still there, and whether it wants the engine to end. */

/** The word that ends an engine that runs as a utility process of Electron, which has no standard input. */
const END = 'end';

/** Whether Electron runs this as a utility process, which ends only by `process.exit`. */
const isUtilityProcess = 'parentPort' in process && Boolean(process.parentPort);

interface ParentProcess {
  /** Lets go of it, so that the engine's process can end. */
  leave(): void;
}

/**
 * Calls `onGone` when the standard input closes, as it does however the program that holds its other end comes to its
 * own. A utility process is told by its port instead; should Electron die, Chromium kills the process by itself.
 */
export function watchParent(onGone: () => void): ParentProcess {
  if (isUtilityProcess) {
    process.parentPort.on('message', ({ data }) => {
      if (data === END) onGone();
    });
    return { leave: () => process.exit() };
  }
  process.stdin.once('close', onGone);
  process.stdin.once('error', onGone);
  process.stdin.resume();
  return { leave: () => process.stdin.destroy() };
}
