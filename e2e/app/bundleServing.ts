/**
 * Bundles `serveHere.ts` before the specs. Otherwise Playwright would transform each of the back end's five hundred files, in each
 * of its workers.
 */
import { cpSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundlePrograms.ts';

/** As deep as `serveHere.ts` itself, which finds the built app from its own place. */
function placeIn(folder: string): string {
  return fileURLToPath(new URL(`../../test-results/${folder}/serveHere.cjs`, import.meta.url));
}

export const SERVING = placeIn('serving');
/** The same for another language, because its constants keep the language in which it was loaded. */
export const TRANSLATED_SERVING = placeIn('translated-serving');

export default async function bundleServing(): Promise<void> {
  await bundlePrograms(dirname(SERVING), { serveHere: new URL('serveHere.ts', import.meta.url) });
  cpSync(dirname(SERVING), dirname(TRANSLATED_SERVING), { recursive: true });
}
