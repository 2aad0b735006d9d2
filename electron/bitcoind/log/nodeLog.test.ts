import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { type LogLine, readLogLine } from './nodeLog.ts';

const recording = z.object({
  exchanges: z.array(z.object({ id: z.string(), log: z._default(z.array(z.string()), []) })),
});

function exchangesOf(release: string) {
  const file = new URL(`../../../e2e/fixtures/rpc/${release}.json`, import.meta.url);
  return recording.parse(JSON.parse(readFileSync(file, 'utf8'))).exchanges;
}

function linesOf(release: string): string[] {
  return exchangesOf(release).flatMap(({ log }) => log);
}

function parsed(lines: readonly string[]): LogLine[] {
  return lines.flatMap((line) => readLogLine(line) ?? []);
}

/** The numbers of lines of each kind in the log of all recorded migrations. */
function migrations(copied: number, converting: number, rescans: number) {
  const ofRescans = { 'rescan-range': rescans, 'rescan-started': rescans, 'rescan-completed': rescans };
  return { copied, converting, separating: 2, converted: 6, ...ofRescans };
}

const BLOCK_HASH = /^[0-9a-f]{64}$/;

describe('readLogLine on recorded nodes', () => {
  // Counted with grep in the recordings, not with the code under test.
  it.each([
    ['23.0', 191, { loading: 11, keys: 11 }],
    ['25.2', 632, { ...migrations(8, 6, 6), loading: 22, keys: 33 }],
    ['28.1', 623, { ...migrations(9, 7, 9), loading: 22, keys: 47 }],
    ['29.3', 659, { ...migrations(9, 7, 9), loading: 22, keys: 47 }],
    ['30.0', 588, { ...migrations(9, 7, 9), loading: 19, keys: 41 }],
    ['31.0', 527, { ...migrations(9, 7, 9), loading: 19, keys: 37 }],
  ] as const)('finds every relevant line of release %s and no other', (release, lines, counts) => {
    const log = linesOf(release);
    expect(log).toHaveLength(lines);
    const found: Record<string, number> = {};
    for (const { kind } of parsed(log)) found[kind] = (found[kind] ?? 0) + 1;
    expect(found).toEqual(counts);
  });

  it.each([['25.2'], ['28.1'], ['29.3'], ['30.0'], ['31.0']])(
    'recognises the encrypted wallets of release %s by their keys',
    (release) => {
      const encrypted = parsed(linesOf(release)).filter((line) => line.kind === 'keys' && line.encrypted > 0);
      expect(encrypted).toEqual([
        ...Array(3).fill({ kind: 'keys', wallet: 'legacy-hd-encrypted', plaintext: 0, encrypted: 134 }),
        { kind: 'keys', wallet: 'legacy-hd-encrypted', plaintext: 0, encrypted: expect.any(Number) },
      ]);
    },
  );

  it('reads a whole migration of release 31.0 into two wallets', () => {
    const log = exchangesOf('31.0').find(({ id }) => id === 'migrate-solvable')?.log ?? [];
    const [main, second] = ['legacy-solvable', 'legacy-solvable_solvables'];
    expect(parsed(log)).toEqual([
      { kind: 'keys', wallet: main, plaintext: 67, encrypted: 0 },
      { kind: 'keys', wallet: main, plaintext: 0, encrypted: 0 },
      {
        kind: 'copied',
        from: '{DATADIR}/regtest/wallets/legacy-solvable/wallet.dat',
        to: '{DATADIR}/regtest/wallets/legacy-solvable_1795181064.legacy.bak',
      },
      { kind: 'converting', wallet: main },
      { kind: 'separating', wallet: main, into: 'solvables' },
      { kind: 'converted', wallet: main },
      { kind: 'loading' },
      { kind: 'keys', wallet: main, plaintext: 1, encrypted: 0 },
      { kind: 'rescan-range', wallet: main, blocks: 9, from: 128 },
      { kind: 'rescan-started', wallet: main, start: expect.stringMatching(BLOCK_HASH), variant: 'slow' },
      { kind: 'rescan-completed', wallet: main, milliseconds: 7 },
      { kind: 'loading' },
      { kind: 'keys', wallet: second, plaintext: 0, encrypted: 0 },
      { kind: 'rescan-range', wallet: second, blocks: 9, from: 128 },
      { kind: 'rescan-started', wallet: second, start: expect.stringMatching(BLOCK_HASH), variant: 'slow' },
      { kind: 'rescan-completed', wallet: second, milliseconds: 7 },
    ]);
  });

  it('reads a name with spaces, accents and an emoji', () => {
    const log = exchangesOf('30.0').find(({ id }) => id === 'restore-unicode-name')?.log ?? [];
    const wallet = 'Ersparnisse für später 💰';
    expect(parsed(log)).toContainEqual({ kind: 'keys', wallet, plaintext: 1, encrypted: 0 });
  });
});

describe('readLogLine', () => {
  const still = 'Still rescanning. At block 712345. Progress=0.424242';

  it.each([
    ['seconds', '2026-11-20T13:17:27Z [w] '],
    ['microseconds', '2026-11-20T13:17:27.123456Z [w] '],
    ['no time stamp', '[w] '],
    ['a mocked time', '2026-11-20T13:17:27Z (mocktime: 2027-01-01T00:00:00Z) [w] '],
    ['a thread', '2026-11-20T13:17:27Z [httpworker.3] [w] '],
    ['a source location', '2026-11-20T13:17:27Z [wallet/wallet.cpp:1234] [ScanForWalletTransactions] [w] '],
    ['a category', '2026-11-20T13:17:27Z [wallet:info] [w] '],
    [
      'all of them',
      '2026-11-20T13:17:27.000001Z [main] [./wallet/wallet.h:940] [WalletLogPrintf] [all:info] [w] ',
    ],
  ])('reads a line with %s', (_, start) => {
    const facts = { kind: 'still-rescanning', block: 712345, share: 0.424242 };
    expect(readLogLine(start + still)).toEqual({ ...facts, wallet: 'w' });
  });

  it.each([
    ['2026-11-20T13:17:27Z [default wallet]', undefined, ''],
    ['[main] [default wallet]', ['w', ''], ''],
    ['2026-11-20T13:17:27Z [odd [name] of] [mine]', undefined, 'odd [name] of] [mine'],
    ['[main] [x]', undefined, 'x'],
    ['[main] [x]', ['x', 'main] [x'], 'main] [x'],
    ['[mythread] [x]', ['x'], 'x'],
    ['[prefix x]', ['x'], 'prefix x'],
  ])('reads from “%s”, with %j expected, the name “%s”', (start, expected, wallet) => {
    expect(readLogLine(`${start} ${still}`, expected)).toMatchObject({ wallet });
  });

  it.each([
    ['[w] Rescan started from block 00ff... (fast variant using block filters)', 'fast'],
    ['[w] Rescan started from block 00ff... (slow variant inspecting all blocks)', 'slow'],
    ['[w] Rescan started from block 00ff...', null],
  ])('reads the variant of a rescan from %j', (line, variant) => {
    expect(readLogLine(line)).toEqual({ kind: 'rescan-started', wallet: 'w', start: '00ff', variant });
  });

  it.each([
    ['[w] Rescan aborted at block 300. Progress=0.5', 300],
    ['[w] Rescan interrupted by shutdown request at block 301. Progress=0.5', 301],
  ])('reads %j as a rescan that ended early', (line, block) => {
    expect(readLogLine(line)).toEqual({ kind: 'rescan-aborted', wallet: 'w', block });
  });

  it.each([
    ['copied /a to b/wallet.dat to /c to d/x_1.legacy.bak', '/a to b/wallet.dat', '/c to d/x_1.legacy.bak'],
    ['copied wallet.dat to /w/x/x-1.legacy.bak', 'wallet.dat', '/w/x/x-1.legacy.bak'],
    ['copied C:\\w\\x\\wallet.dat to C:\\w\\x_1.legacy.bak', 'C:\\w\\x\\wallet.dat', 'C:\\w\\x_1.legacy.bak'],
    ['[httpworker.0] copied old.dat to /b/old.bak', 'old.dat', '/b/old.bak'],
  ])('splits the two paths of %j', (line, from, to) => {
    expect(readLogLine(line)).toEqual({ kind: 'copied', from, to });
  });

  it.each([
    [''],
    ['2026-11-20T13:17:27Z'],
    ['2026-11-20T13:17:27Z UpdateTip: new best=00 height=1 progress=0.5'],
    ['2026-11-20T13:17:27Z [w] Rescanning last many blocks (from block 1)...'],
    ['2026-11-20T13:17:27Z Rescan completed in 5ms'],
    ['2026-11-20T13:17:27Z [w] someone wrote: Rescan completed in 5ms indeed'],
    ['2026-11-20T13:17:27Z init message: Rescanning…'],
  ])('finds nothing in %j', (line) => {
    expect(readLogLine(line)).toBeNull();
  });
});
