/** Drops what lies at these paths on the window of the desktop entry, as the system does: a folder, or several files. */
import type { App } from './app.ts';

export async function dropPaths({ page }: App, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await session.detach();
}
