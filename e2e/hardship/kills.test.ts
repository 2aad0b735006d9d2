/** A few of the kills that `npm run kills` does by the hundred. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleEngine } from '../app/engineProcess.ts';
import { kill } from './kills.ts';

describe('a killed engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('loses nothing, whenever the kill comes', { timeout: 240_000 }, async () => {
    const program = await bundleEngine(join(folder, 'bundle'));
    const summary = await kill({ program, folder, count: 8, seed: 100, recordings: ['legacy-nokeys'] });
    expect(summary.failures).toEqual([]);
    expect(summary.kills).toBe(8);
    // The kills must not all come at the same stage.
    expect(Object.keys(summary.outcomes).length).toBeGreaterThan(1);
  });
});
