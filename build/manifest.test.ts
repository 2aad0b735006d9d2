import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { root } from './system.mjs';

it('.nvmrc names the oldest Node.js that package.json allows', () => {
  const oldest = /\d+\.\d+/.exec(manifest.engines.node)?.[0];
  expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toBe(oldest);
});
