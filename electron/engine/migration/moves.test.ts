import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { oldWalletPath, partPath } from '../../files/durableFile.ts';
import { folderLayout } from '../../files/engineFolder.ts';
import { sha256Of } from '../../files/hash.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { type EngineState, openEngineState } from '../wallets/engineState.ts';
import { openEngineLog } from '../wallets/log.ts';
import { doMoves, finishMoves, identify, type MoveSeries, repairFolder } from './moves.ts';

const hash = (text: string) => sha256Of(Buffer.from(text));
const backup = { path: 'one.legacy.bak', sha256: hash('legacy') };

/** A bare file frees its name for a folder. */
const bare: MoveSeries = {
  backup,
  moves: [
    { is: 'wallet', from: '.one.part', to: 'one_watchonly', sha256: hash('.one.part') },
    { is: 'aside', from: 'one', to: '.one.old', sha256: hash('legacy') },
    { is: 'wallet', from: '.new.part', to: 'one', sha256: hash('.new.part') },
  ],
};
const replacing: MoveSeries = {
  backup,
  moves: [
    { is: 'wallet', from: '.one.part', to: 'two_watchonly', sha256: hash('.one.part') },
    { is: 'replacement', from: join('two', '.new.part'), to: join('two', 'wallet.dat'), sha256: hash('new') },
  ],
};

describe('a series of moves', () => {
  let data: string;
  let folder: string;
  let state: EngineState;
  const at = (path: string) => join(folder, path);
  const text = (path: string) => readFileSync(at(path), 'utf8');

  beforeEach(() => {
    data = makeTestFolder();
    folder = join(data, 'wallets');
    mkdirSync(folder);
    state = openEngineState(join(data, 'state'), folder);
    for (const part of ['.one.part', '.new.part']) {
      mkdirSync(at(part));
      writeFileSync(at(`${part}/wallet.dat`), part);
    }
    mkdirSync(at('two'));
    for (const name of ['one', 'one.legacy.bak', 'two/wallet.dat']) writeFileSync(at(name), 'legacy');
    writeFileSync(at('two/.new.part'), 'new');
  });

  /** Leaves the journal and files of an engine that was killed after so many moves. */
  function cutOff({ backup, moves }: MoveSeries, done = 0): string {
    const journal = state.newJournal();
    writeFileSync(journal, JSON.stringify({ backup, moves }));
    for (const { from, to } of moves.slice(0, done)) renameSync(at(from), at(to));
    return journal;
  }
  const everything = () => readdirSync(data, { recursive: true, encoding: 'utf8' }).sort();

  function isDone(): void {
    expect(text('one/wallet.dat')).toBe('.new.part');
    expect(text('one_watchonly/wallet.dat')).toBe('.one.part');
    expect(readdirSync(folder).sort()).toEqual(['one', 'one.legacy.bak', 'one_watchonly', 'two']);
    expect(state.journals()).toEqual([]);
  }

  it.each([linkSync, copyFileSync])('is finished if the legacy wallet has both names (%o)', (double) => {
    cutOff(bare, 1);
    double(at('one'), at('.one.old'));
    finishMoves(state);
    isDone();
  });

  // SECURITY.md: Another user who can write to a folder
  it('does not replace another wallet than the compared one', () => {
    const mark = identify(at('two/wallet.dat'));
    rmSync(at('two/wallet.dat'));
    writeFileSync(at('two/wallet.dat'), 'another');
    const before = everything();
    expect(() => doMoves(state, replacing, mark)).toThrow('the wallet changed');
    expect(text('two/wallet.dat')).toBe('another');
    expect(everything()).toEqual(before);
  });

  // SECURITY.md: Another user who can write to a folder
  it('overwrites nothing, not even an empty folder', () => {
    mkdirSync(at('one_watchonly'));
    const before = everything();
    expect(() => doMoves(state, bare, identify(at('one')))).toThrow('EEXIST');
    expect(everything()).toEqual(before);
  });

  describe('moves nothing if the folder differs from the journal:', () => {
    const swaps: [string, MoveSeries, () => void][] = [
      ['a name is taken', bare, () => mkdirSync(at('one_watchonly'))],
      ['the new wallet is another file', bare, () => writeFileSync(at('.new.part/wallet.dat'), 'planted')],
      ['the new folder has another file', bare, () => writeFileSync(at('.new.part/more'), 'planted')],
      ['the legacy wallet is another file', replacing, () => writeFileSync(at('two/wallet.dat'), 'another')],
      ['the backup is gone', replacing, () => rmSync(at('one.legacy.bak'))],
      ['the backup is another file', bare, () => writeFileSync(at('one.legacy.bak'), 'another')],
    ];
    it.each(swaps)('%s', (_, series, swap) => {
      const journal = cutOff(series);
      swap();
      const before = everything();
      expect(() => finishMoves(state)).toThrow(
        expect.objectContaining({ journal, backup: expect.stringContaining('one.legacy.bak') }),
      );
      expect(everything()).toEqual(before);
    });
  });

  // SECURITY.md: A hostile wallets folder
  onUnix.each(['.', 'two'])('uses no linked folder, and none that others can write to (%s)', (name) => {
    const far = join(data, 'far');
    const inside = join(name, 'two');
    const moves = [
      { ...replacing.moves[1], from: join(inside, '.new.part'), to: join(inside, 'wallet.dat') },
    ];
    const series = { backup, moves } as MoveSeries;
    mkdirSync(join(folder, name), { recursive: true });
    renameSync(at('two'), far);
    mkdirSync(join(folder, name), { recursive: true });
    symlinkSync(far, at(inside));
    const mark = identify(join(far, 'wallet.dat'));
    cutOff(series);
    const before = everything();
    expect(() => finishMoves(state)).toThrow('is a link, and leads out of the wallets folder');
    expect(() => doMoves(state, series, mark)).toThrow('is a link, and leads out of the wallets folder');
    expect(everything()).toEqual(before);
    rmSync(at(inside));
    renameSync(far, at(inside));
    chmodSync(at(inside), 0o777);
    expect(() => finishMoves(state)).toThrow('Other users of this computer can change the folder');
    expect(readFileSync(at(`${inside}/wallet.dat`), 'utf8')).toBe('legacy');
  });

  describe('on a disk that is not connected', () => {
    const elsewhere = () => join(data, 'elsewhere');
    const connect = (from: string, to: string) => {
      renameSync(folder, to);
      if (from === '') mkdirSync(folder);
      else renameSync(from, folder);
      state = openEngineState(state.folder, folder);
    };
    const asideOnly: MoveSeries = { backup, moves: bare.moves.slice(1, 2) };

    // SECURITY.md: A hostile wallets folder
    it.each([
      ['bare', bare, 0],
      ['bare', bare, 1],
      ['bare', bare, 2],
      ['bare', bare, 3],
      ['replacing', replacing, 0],
      ['replacing', replacing, 1],
      ['replacing', replacing, 2],
      ['of which nothing is left', asideOnly, 0],
      ['of which nothing is left', asideOnly, 1],
    ] as const)('waits for the disk, and is finished then: %s, after move %i', (_, series, done) => {
      const journal = cutOff(series, done);
      connect('', elsewhere());
      for (let starts = 0; starts < 2; starts += 1) {
        expect(finishMoves(state)).toEqual([{ outcome: 'waiting', series, journal }]);
        expect(existsSync(journal)).toBe(true);
        expect(readdirSync(folder)).toEqual([]);
      }
      connect(elsewhere(), join(data, 'empty'));
      expect(finishMoves(state)).toEqual([{ outcome: 'finished', series, journal }]);
      expect(state.journals()).toEqual([]);
      if (series === bare) isDone();
      else if (series === replacing) expect(text('two/wallet.dat')).toBe('new');
      else
        expect([existsSync(at('one')), existsSync(at('.one.old')), text('one.legacy.bak')]).toEqual([
          false,
          false,
          'legacy',
        ]);
    });

    it('waits even if another wallet has one of the names', () => {
      const journal = cutOff(replacing);
      connect('', elsewhere());
      mkdirSync(at('two'));
      writeFileSync(at('two/wallet.dat'), 'another');
      expect(finishMoves(state)).toMatchObject([{ outcome: 'waiting', journal }]);
      expect(text('two/wallet.dat')).toBe('another');
      expect(existsSync(journal)).toBe(true);
    });
  });

  // SECURITY.md: A hostile wallets folder
  it.each([
    ['bare', bare],
    ['replacing', replacing],
  ] as const)('counts as undone in a folder that was restored from a copy: %s', (_, series) => {
    cutOff(series);
    for (const part of ['.one.part', '.new.part', 'two/.new.part']) rmSync(at(part), { recursive: true });
    const before = readdirSync(folder, { recursive: true });
    expect(finishMoves(state)).toMatchObject([{ outcome: 'undone' }]);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
    expect([text('one'), text('two/wallet.dat'), state.journals()]).toEqual(['legacy', 'legacy', []]);
  });

  // SECURITY.md: A hostile wallets folder
  it.each(['../two', '/two', 'a/../../two', ''])('never leads out of the folder: %j', (to) => {
    const [first] = bare.moves;
    cutOff({ backup, moves: [{ ...first, to }] } as MoveSeries);
    expect(finishMoves(state)).toEqual([]);
    expect(existsSync(at('.one.part'))).toBe(true);
  });
});

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
    aside = oldWalletPath(wallets);
    const state = openEngineState(join(data, 'state'), wallets);
    state.recordRunning();
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
      openEngineState(join(data, state), moved).recordStopped();
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
