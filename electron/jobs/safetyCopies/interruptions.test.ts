import { cpSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { interruptionHint } from '../../../shared/wording/interruptionWords.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { BACKUP_TIME, interruptedAreHere, layInterrupted } from '../testing/interruptedStates.ts';
import { createInterruptions } from './interruptions.ts';

let wallets: string;
beforeEach(() => {
  wallets = mkdtempSync(join(tmpdir(), 'interruptions-'));
});
afterEach(() => rmSync(wallets, { recursive: true }));

const MANY = 120;

/** Backups of the name “big”, a second after each other. `make` writes each. */
function layBackups(from: number, make: (path: string) => void): void {
  for (let at = 0; at < MANY; at += 1) make(join(wallets, `big_${from + at}.legacy.bak`));
}

const ofAnother = (path: string) => cpSync(fixtureFile('legacy-hd'), path);

function find(file: string | null) {
  const interruptions = createInterruptions({ work: walletWorkHere, copies: { list: async () => [] } });
  const place = {
    file,
    name: 'big',
    walletsFolder: wallets,
    network: 'regtest',
    wasAtWork: 'migrating',
  } as const;
  return interruptions.find(place, new AbortController().signal);
}

describe.runIf(interruptedAreHere)('the whole copy of a half-made wallet', () => {
  it('is found among many newer backups of another wallet', async () => {
    // Nothing in this file tells whose it is.
    const { file, backup } = layInterrupted(wallets, 'empty-descriptor');
    layBackups(BACKUP_TIME + 3600, ofAnother);
    const found = await find(file);
    expect(found?.copies[0]).toMatchObject({ path: backup });
  });

  it('is found among many newer files that hold no wallet', async () => {
    const { file, backup } = layInterrupted(wallets, 'converting');
    rmSync(file);
    layBackups(BACKUP_TIME + 3600, (path) => writeFileSync(path, new Uint8Array(8192)));
    const found = await find(null);
    expect(found?.copies).toMatchObject([{ path: backup }]);
    expect(found).not.toHaveProperty('unread');
  });

  it('is sought by the user where too many files may be it', async () => {
    const { file } = layInterrupted(wallets, 'converting');
    const now = Date.now() / 1000;
    utimesSync(file, now, now);
    layBackups(BACKUP_TIME + 1, ofAnother);
    const found = await find(file);
    expect(found?.copies.every(({ isOther }) => isOther)).toBe(true);
    expect(found?.unread).toBe(MANY + 1 - 100);
    expect(found && interruptionHint(found)).toContain(
      '21 more files were not read. Move those of other wallets away, then check again.',
    );
  });
});
