import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolderRemover } from './engineFolder.ts';
import { ON_WINDOWS } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

describe('newFolderRemover', () => {
  it('removes what is new, and keeps a folder with anything else in it', () => {
    const parent = makeTestFolder();
    const folder = join(parent, 'regtest', 'wallets');
    const remove = newFolderRemover(folder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(parent, 'regtest', 'debug.log'), '');
    writeFileSync(join(parent, 'mine'), '');
    remove();
    expect(readdirSync(parent)).toEqual(['mine']);
  });

  it('keeps the log of a node that started meanwhile', () => {
    const parent = makeTestFolder();
    const remove = newFolderRemover(join(parent, 'wallets'));
    writeFileSync(join(parent, 'debug.log'), 'Bitcoin Core version v31.0.0\n');
    remove();
    expect(readdirSync(parent)).toEqual(['debug.log']);
  });

  it.runIf(ON_WINDOWS)('ends at a drive that is missing', () => {
    expect(newFolderRemover('Q:\\node\\wallets')).not.toThrow();
  });
});
