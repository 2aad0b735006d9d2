import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readEngineStart } from '../bitcoind/connection/offlineEngine.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { spawnEngine } from './browserHost.ts';

let program = '';
const line = `JSON.stringify({ url: 'http://127.0.0.1:4000', cookie: 'c', wallets: process.argv[2] })`;
const flood = `process.stdout.write('x'.repeat(1_000_000)); process.stderr.write('y'.repeat(1_000_000));`;
beforeEach(() => {
  program = join(makeTestFolder(), 'engine.cjs');
  const code = `console.log(${line}); ${flood} process.stdin.resume().on('end', () => process.exit(7));`;
  writeFileSync(program, code);
});

it('reads the start line, discards later output, and ends when its input closes', async () => {
  const engine = spawnEngine(program, ['a folder']);
  const address = { host: '127.0.0.1', port: 4000 };
  const ready = { outcome: 'ready', address, walletsFolder: 'a folder' };
  expect(await readEngineStart(engine)).toMatchObject(ready);
  engine.end();
  expect(await engine.ended).toBe(7);
  engine.end();
});

it('can be killed', async () => {
  const engine = spawnEngine(program, ['a folder']);
  await readEngineStart(engine);
  engine.kill();
  expect(await engine.ended).toBeNull();
});

it('reports the end of a missing program', async () => {
  expect(await readEngineStart(spawnEngine(`${program}.missing`, []))).toEqual({ outcome: 'end' });
});
