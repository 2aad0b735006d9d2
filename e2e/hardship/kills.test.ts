/** Few of the kills that `npm run kills` does by the hundred, so that each run of the tests does some. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleEngine } from '../app/engineProcess.ts';
import { kill } from './kills.ts';

describe('an engine that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('loses nothing, whenever that is', { timeout: 240_000 }, async () => {
    const program = await bundleEngine(join(folder, 'bundle'));
    const summary = await kill({ program, folder, count: 8, seed: 100, recordings: ['legacy-nokeys'] });
    expect(summary.failures).toEqual([]);
    expect(summary.kills).toBe(8);
    // Not all of them came before the call, nor after it.
    expect(Object.keys(summary.met).length).toBeGreaterThan(1);
  });
});
