import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { OPTIMISE_LATER } from './threadPool.ts';

it('sets a flag that this V8 knows', () => {
  const [name = ''] = OPTIMISE_LATER.split('=');
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain(`${name}=`);
});
