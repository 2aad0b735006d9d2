/** Where the app may ask for new releases: what UPDATE_FEED named when the app was packed, out of its package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../http/loopback.ts';

const withFeed = z.object({ updateFeed: z.string() });

/** Null where there is none, or none that may be asked: another machine is asked by https alone. */
export function updateFeed(appFolder: string): URL | null {
  try {
    // In the app's archive, of which Electron would write a copy for whoever opens a file to get a handle.
    const manifest = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8'));
    const url = new URL(withFeed.parse(manifest).updateFeed);
    const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    return safe ? url : null;
  } catch {
    return null;
  }
}
