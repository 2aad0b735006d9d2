/** Keeps the offline engine away from the wallets of a node that runs: two programs on one wallet file can break it. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { FoundNode } from '../../../shared/model/node.ts';
import { guessedWalletsFolder } from '../calls/walletsFolder.ts';
import { chainFolder } from './dataFolders.ts';

/**
 * The first of these nodes that runs and has its wallets in this folder, above it or below it; null when there is none.
 * The folder need not exist.
 */
export async function overlappingNode(
  walletsFolder: string,
  nodes: readonly FoundNode[],
): Promise<FoundNode | null> {
  const chosen = await resolved(walletsFolder);
  for (const node of nodes) {
    if (doesNotRun(node)) continue;
    const folder = await resolved(await walletsFolderOf(node));
    if (holds(folder, chosen) || holds(chosen, folder)) return node;
  }
  return null;
}

/** One that is only too busy to answer in time does. */
function doesNotRun({ state }: FoundNode): boolean {
  return state.state === 'failed' && state.error.code !== 'timed_out';
}

async function walletsFolderOf({ state, dataFolder, network }: FoundNode): Promise<string> {
  const known = state.state === 'ready' ? state.node.walletsFolder : null;
  return known ?? guessedWalletsFolder(chainFolder(dataFolder, network));
}

/** Links resolved, as far as the path exists. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await resolved(above), basename(path));
  }
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  // On Windows the way to another drive is an absolute path.
  return way === '' || !(way === '..' || /^\.\.[/\\]/.test(way) || /^([a-z]:|[/\\])/i.test(way));
}
