/** Which release BITCOIND is, by asking it. */
import { rmSync } from 'node:fs';
import { startRealNode } from '../live/realNode.ts';

export async function nodeVersion(folder: string): Promise<number> {
  const node = await startRealNode(folder, {}, { chain: 'none' });
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
  return node.version;
}
