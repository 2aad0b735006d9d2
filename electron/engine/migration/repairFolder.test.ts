import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { asidePath, partPath } from '../../files/durableFile.ts';
import { sha256Of } from '../../files/hash.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { openEngineState } from '../wallets/engineState.ts';
import { openEngineLog } from '../wallets/log.ts';
import { folderLayout } from '../wallets/walletPath.ts';
import { repairFolder } from './repairFolder.ts';

describe('a wallets folder whose engine was killed during a migration', () => {
  let data: string;
  let wallets: string;
  let part: string;
  let aside: string;
  beforeEach(() => {
    data = makeTestFolder();
    wallets = join(data, 'wallets');
    mkdirSync(wallets);
    // A name of another process.
    part = join(wallets, '.wallet-ferry-fedcba9876543210.part');
    aside = asidePath(wallets);
    const state = openEngineState(join(data, 'state'), wallets);
    state.begin();
    mkdirSync(part);
    writeFileSync(join(part, 'wallet.dat'), 'new');
    for (const path of [aside, join(wallets, 'old.legacy.bak')]) writeFileSync(path, 'legacy');
    const hash = (text: string) => sha256Of(Buffer.from(text));
    const nameOf = (path: string) => path.slice(wallets.length + 1);
    writeFileSync(
      state.newJournal(),
      JSON.stringify({
        backup: { path: 'old.legacy.bak', sha256: hash('legacy') },
        moves: [
          { is: 'aside', from: 'old', to: nameOf(aside), sha256: hash('legacy') },
          { is: 'wallet', from: nameOf(part), to: 'old', sha256: hash('new') },
        ],
      }),
    );
  });

  function start(folder: string, stateFolder = 'state'): string {
    const log = openEngineLog(join(data, `${stateFolder}.log`));
    try {
      repairFolder(folderLayout(folder), openEngineState(join(data, stateFolder), folder), log);
    } finally {
      log.close();
    }
    return readFileSync(log.path, 'utf8');
  }

  it('is repaired by the next start, which logs it', () => {
    writeFileSync(partPath(wallets), 'half');
    const log = start(wallets);
    expect(log).toContain(`Finished an interrupted migration: ${join(wallets, 'old')}`);
    expect(log).toContain('Removed 1 unfinished files');
    expect(readdirSync(wallets).sort()).toEqual(['old', 'old.legacy.bak']);
  });

  // SECURITY.md: A hostile wallets folder
  it('keeps files of others with such names', () => {
    const theirs = '.wallet-ferry-0123456789abcdef.part';
    mkdirSync(join(wallets, theirs));
    mkdirSync(join(wallets, 'x'));
    writeFileSync(join(wallets, theirs, 'wallet.dat'), 'their wallet');
    writeFileSync(join(wallets, 'x', theirs), 'their wallet');
    const journal = join(wallets, '.wallet-ferry-0123456789abcdef.moves');
    const moves = JSON.stringify({ moves: [{ from: `${theirs}/wallet.dat`, to: 'old' }] });
    writeFileSync(journal, moves);
    const log = start(wallets);
    expect(log).toContain(
      `${journal} looks like a file of this engine, but the engine keeps no such file there.`,
    );
    expect(readFileSync(journal, 'utf8')).toBe(moves);
    expect(log).toContain(
      `${join(wallets, theirs)} is unfinished, and no engine of yours is known to have written it`,
    );
    expect(readFileSync(join(wallets, theirs, 'wallet.dat'), 'utf8')).toBe('their wallet');
    expect(readFileSync(join(wallets, 'x', theirs), 'utf8')).toBe('their wallet');
  });

  // SECURITY.md: A hostile wallets folder
  it('loses nothing if it is moved to another path or machine, and the log names the files', () => {
    const moved = join(data, 'moved', 'wallets');
    mkdirSync(join(data, 'moved'));
    renameSync(wallets, moved);
    const before = readdirSync(moved, { recursive: true });
    const elsewhere = (path: string) => path.replace(wallets, moved);
    for (const state of ['state', 'state of another machine']) {
      const log = start(moved, state);
      expect(log).toContain(
        `${elsewhere(part)} is unfinished, and no engine of yours is known to have written it`,
      );
      expect(log).toContain(`${elsewhere(aside)} looks like a file of this engine`);
      // Even if the engine that found them is killed.
      expect(start(moved, state)).not.toContain('Removed');
      expect(readdirSync(moved, { recursive: true })).toEqual(before);
      openEngineState(join(data, state), moved).end();
    }
    // Back at its path, the migration is finished.
    renameSync(moved, wallets);
    expect(start(wallets)).toContain('Finished an interrupted migration');
    expect(readFileSync(join(wallets, 'old', 'wallet.dat'), 'utf8')).toBe('new');
  });

  // SECURITY.md: A hostile wallets folder
  it('is repaired when its disk is connected again', () => {
    const disk = join(data, 'disk');
    renameSync(wallets, disk);
    mkdirSync(wallets);
    expect(start(wallets)).toContain(
      `A migration was interrupted, and its files are missing from this folder: ${join(wallets, 'old')}`,
    );
    rmSync(wallets, { recursive: true });
    renameSync(disk, wallets);
    expect(start(wallets)).toContain('Finished an interrupted migration');
    expect(readFileSync(join(wallets, 'old', 'wallet.dat'), 'utf8')).toBe('new');
    expect(readFileSync(join(wallets, 'old.legacy.bak'), 'utf8')).toBe('legacy');
  });

  it('keeps the unfinished wallets of a waiting migration', () => {
    const state = openEngineState(join(data, 'state'), wallets);
    for (const journal of state.journals()) rmSync(journal);
    const waits = partPath(wallets);
    const other = partPath(wallets);
    for (const path of [waits, other]) mkdirSync(path);
    const hash = sha256Of(Buffer.from('legacy'));
    const moves = [
      { is: 'wallet', from: waits.slice(wallets.length + 1), to: 'old_watchonly', sha256: hash },
      { is: 'replacement', from: 'gone.part', to: join('gone', 'wallet.dat'), sha256: hash },
    ];
    const backup = { path: 'gone.legacy.bak', sha256: hash };
    writeFileSync(state.newJournal(), JSON.stringify({ backup, moves }));
    expect(start(wallets)).toContain('Removed 1 unfinished files');
    expect([readdirSync(wallets).includes(basename(waits)), state.journals().length]).toEqual([true, 1]);
  });

  // SECURITY.md: A hostile wallets folder
  it('does not change if it contains other files by now, and the error says where the wallet is', () => {
    writeFileSync(join(part, 'wallet.dat'), 'planted');
    expect(() => start(wallets)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`${part} is not the file that the migration wrote`),
        todo: expect.stringContaining(
          `The backup of the legacy wallet is ${join(wallets, 'old.legacy.bak')}`,
        ),
      }),
    );
    expect(readdirSync(wallets)).toHaveLength(3);
  });
});
