/**
 * Bundles `serveHere.ts` before the specs. Otherwise Playwright would transform each of the back end's five hundred files, in each
 * of its workers.
 */
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundlePrograms.ts';

/** As deep as `serveHere.ts` itself, which finds the built app from its own place. */
const folder = new URL('../../test-results/serving/', import.meta.url);

export const SERVING = fileURLToPath(new URL('serveHere.cjs', folder));

export default function bundleServing(): Promise<void> {
  return bundlePrograms(fileURLToPath(folder), { serveHere: new URL('serveHere.ts', import.meta.url) });
}
