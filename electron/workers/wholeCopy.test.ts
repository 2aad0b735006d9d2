import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { saveWhole } from './wholeCopy.ts';

it.skipIf(process.platform === 'win32')(
  'finds a closed wallet whole without reading a huge log beside it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'whole-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'wallet.dat');
    copyFileSync(fixtureFile('legacy-hd'), path);
    mkdirSync(join(folder, 'database'));
    const log = join(folder, 'database', 'log.0000000001');
    writeFileSync(log, '');
    truncateSync(log, 10 * 2 ** 30);
    const saved = await saveWhole({ path, destination: join(folder, 'copy.dat') });
    expect(saved).toEqual({ saved: null, state: 'whole' });
    expect(readdirSync(folder).sort()).toEqual(['database', 'wallet.dat']);
  },
);
