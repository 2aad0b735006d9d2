/** Where the app may ask for new releases: what UPDATE_FEED named when the app was packed, out of its package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../../http/loopback.ts';
import { readBoundedJson } from '../../node/rpc/boundedJson.ts';

/** Null where there is none, or none that may be asked: another machine is asked by https alone. */
export function updateFeed(appFolder: string): URL | null {
  const read = readBoundedJson(manifestOf(appFolder));
  const manifest = withFeed.safeParse(read.is === 'json' ? read.value : null);
  if (!manifest.success || !URL.canParse(manifest.data.updateFeed)) return null;
  const url = new URL(manifest.data.updateFeed);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return safe ? url : null;
}

/** In the app's archive, of which Electron would write a copy for whoever opens a file to get a handle. */
function manifestOf(appFolder: string): string {
  try {
    return readFileSync(join(appFolder, 'package.json'), 'utf8');
  } catch {
    return '';
  }
}

const withFeed = z.object({ updateFeed: z.string() });
