import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { V8_FLAGS } from './threadPool.ts';

it.each(V8_FLAGS)('sets a flag that this V8 knows: %s', (flag) => {
  const [name = ''] = flag.replace('--no-', '--').split('=');
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(options.split(/[\s=]/)).toContain(name);
});
