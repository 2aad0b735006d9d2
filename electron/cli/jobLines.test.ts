import { describe, expect, it } from 'vitest';
import type { Job, MigrationResult } from '../../shared/model/job.ts';
import type { Proof } from '../../shared/model/safety.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleRescue } from '../../shared/testing/sampleRescue.ts';
import { OTHERS_MAY_READ } from '../../shared/wording/findings/hints.ts';
import { activityLines, outcomeLines, progressLine } from '../../shared/wording/jobLines.ts';
import { EXIT, exitCodeOf } from './usage.ts';

const proof: Proof = {
  verdict: 'same',
  scripts: { before: 536, after: 536, missing: { total: 0, shown: [] } },
  labels: { before: 12, after: 11, missing: { total: 1, shown: ['one'] } },
  transactions: null,
  balance: { file: 5n, fileTime: null, before: 150_000_000n, after: 150_000_000n },
  wallets: [],
  differences: [],
  unknown: [],
};

const migrated: Partial<Job> = {
  state: 'done',
  ended: 2,
  proof,
  result: {
    kind: 'migrate',
    walletName: 'w',
    watchonlyName: 'w_watchonly',
    solvablesName: null,
    backupPath: '/wallets/w/w_1.legacy.bak',
    backupSeen: true,
  },
};

describe('a job in the terminal', () => {
  it('says why files were not compared, what to do, and where to try again', () => {
    const proofError = { code: 'no_space', message: 'Disk full.', hint: 'Make room.' } as const;
    const shell = { program: 'ferry', login: '', isWindows: false };
    const text = (fields: Partial<Job>, terminal: typeof shell | null = shell) =>
      outcomeLines(sampleJob({ ...migrated, ...fields }), [], terminal).join('\n');
    const words = 'Not compared\n  Disk full.\n  Make room.';
    const again = 'Try again in the window.';
    expect(text({ proof: null, proofError })).toContain(`${words}\n  ${again}`);
    expect(text({ proof: null, proofError }, null)).toContain(words);
    expect(text({ proof: null, proofError }, null)).not.toContain(again);
    const left = { code: 'wallet_not_found', message: 'Load it to see what it holds.', hint: '' } as const;
    const result = { ...migrated.result, leftUnloaded: true } as Job['result'];
    const lines = text({ proof: null, proofError: left, result });
    expect(lines).toContain('Not compared\n  Not loaded.\n');
    expect(lines).not.toMatch(/Load it|Try again/);
    // The repaired file of a rescue is gone.
    expect(text({ proof: null, proofError, kind: 'rescue' })).not.toContain(again);
    const unknown = ['Balance unknown.'];
    const first = text({ proof: { ...proof, verdict: 'partly', unknown }, proofError });
    expect(first).toContain(`Not compared\n  ${unknown[0]}\n  Disk full.\n  Make room.\n  ${again}`);
  });

  it('prints its wallets, the old wallet’s backup and the proof', () => {
    const text = outcomeLines(sampleJob(migrated)).join('\n');
    expect(text).toContain('Wallet migrated: “w”');
    expect(text).toMatch(/Main wallet +“w”/);
    expect(text).toMatch(/Watch-only wallet +“w_watchonly”/);
    expect(text).toMatch(/The old wallet’s backup\n +\/wallets\/w\/w_1\.legacy\.bak/);
    expect(text).toContain('Everything arrived');
    expect(text).toMatch(/What +Before +After\n +Addresses +536 +all 536/);
    expect(text).toMatch(/Labels +12 +11, some missing/);
    expect(text).toMatch(/Transactions +Not compared/);
  });

  it('names what a rescue, an undo and a wallet that is put back start from', () => {
    const rescue = sampleRescue();
    const rescued = { ...(migrated.result as MigrationResult), rescue };
    const text = outcomeLines(sampleJob({ ...migrated, kind: 'rescue', result: rescued })).join('\n');
    expect(text).toMatch(/What +Repaired copy +After/);
    const result = { kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null } as const;
    const files = (action: Job['action']) => {
      const of = { kind: 'restore', state: 'done', result: { ...result, backupFile: '/w.bak' } } as const;
      return outcomeLines(sampleJob(action === undefined ? of : { ...of, action })).join('\n');
    };
    expect(files(undefined)).toContain('Files\n  Your file\n    /w.bak');
    expect(files('undo')).toContain('Files\n  Backup\n    /w.bak');
    expect(files('put-back')).toContain('Files\n  Backup\n    /w.bak');
  });

  it('knows no balance of the engine where its proof knows none, and says what only watches', () => {
    const balance = (after: bigint | null, watches?: true) => {
      const result = {
        kind: 'restore',
        walletName: 'w',
        walletKind: 'descriptor',
        balance: 0n,
        watches,
      } as const;
      const node = { ...sampleJob().node, offline: true };
      const proved = { ...proof, balance: { ...proof.balance, after } };
      const job = sampleJob({ kind: 'restore', state: 'done', result, node, proof: proved });
      return outcomeLines(job).find((line) => /^ *Balance /.test(line));
    };
    expect(balance(null)).toMatch(/Balance +Not known$/);
    expect(balance(0n, true)).toMatch(/, last known, watched only$/);
  });

  it('prints its steps, with the last one still upcoming', () => {
    const text = outcomeLines(sampleJob({ ...migrated, kind: 'migrate' })).join('\n');
    const steps = text.slice(text.indexOf('Steps'), text.indexOf('Everything arrived'));
    expect(steps).toMatch(/Your wallet +done/);
    expect(steps).toMatch(/Migrate +done/);
    expect(steps).toMatch(/Proof +done · /);
    expect(steps).toMatch(/New backup +upcoming/);
  });

  it('prints the path and the hash of each backup that followed', () => {
    const job = sampleJob({ ...migrated, id: 'migration', kind: 'migrate', ended: 2 });
    const backupOf = (walletName: string) => {
      const proof = {
        seen: true,
        path: `/stick/${walletName}.dat`,
        size: 1,
        sha256: 'ab'.repeat(32),
      } as const;
      const result = { kind: 'backup', walletName, proof } as const;
      return sampleJob({
        id: walletName,
        kind: 'backup',
        wallet: walletName,
        state: 'done',
        ended: 3,
        result,
      });
    };
    const names = ['w', 'w_watchonly'];
    const text = outcomeLines(job, [...names.map(backupOf), job]).join('\n');
    expect(text).toMatch(/New backup +done · /);
    for (const name of names)
      expect(text).toContain(`New backup: “${name}”\n    /stick/${name}.dat\n    SHA-256 ab`);
  });

  it('prints the whole command that puts an interrupted wallet back, safe to paste into a shell', () => {
    const wallet = "x'; touch pwned #";
    const copies = [{ path: '/w.legacy.bak', from: 'legacy-backup', made: 1, sha256: 'ab'.repeat(32) }];
    const interruption = { wallet, cause: 'legacy-records', copies } as unknown as Job['interruption'];
    const printed = (node: Partial<Job['node']>) => {
      const job = sampleJob({ wallet, state: 'interrupted', ended: 2, interruption });
      return outcomeLines({ ...job, node: { ...job.node, ...node } }).join('\n');
    };
    const address = { host: '::1', port: 18443, tls: false };
    expect(printed({ address })).toContain("run put-back --node http://[::1]:18443 'x'\\''; touch pwned #'");
    expect(printed({ address: { ...address, tls: true } })).toContain('--node https://[::1]:18443');
    const here = { address, network: 'regtest', walletsFolder: '/old wallets' } as const;
    expect(printed(here)).toMatch(
      /Without a node:\s+run put-back --offline '\/old wallets' --chain regtest 'x'/,
    );
    const engine = { offline: true, network: 'regtest', walletsFolder: '/old wallets' } as const;
    expect(printed(engine)).toContain("--offline '/old wallets' --chain regtest 'x'");
  });

  it('lists the user’s file once, not the copy that the node restored', () => {
    const path = '/data/copies/w/wallet.dat';
    const file = { path, source: '/stick/w.dat', size: 1, sha256: 'ab'.repeat(32), state: 'whole' } as const;
    const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
    const files = (backupFile: string, copied: readonly (typeof file)[]) =>
      outcomeLines(
        sampleJob({
          kind: 'restore',
          state: 'done',
          result: { ...restored, backupFile },
          safetyCopy: { files: copied } as never,
        }),
      ).filter((line) => line.includes('/'));
    expect(files(path, [file])).toEqual(['    /stick/w.dat', `    ${path}`]);
    expect(files(path, [{ ...file, source: null as never }])).toEqual([`    ${path}`]);
    expect(files('/stick/w.dat', [])).toEqual(['    /stick/w.dat']);
  });

  it('prints commands that work when they are pasted, with the same login', () => {
    const shell = { program: 'ferry', login: ' --cookie /node/.cookie', isWindows: false };
    const reached = 'run backup --node http://127.0.0.1:8332 --cookie /node/.cookie';
    const finished = sampleJob({ ...migrated, kind: 'migrate' });
    expect(outcomeLines(finished, [], shell).slice(-8)).toEqual([
      'Next',
      '  Save a backup',
      `    ferry ${reached} w NEW-FILE`,
      `    ferry ${reached} w_watchonly NEW-FILE`,
      '  See and spend',
      '    Choose File > Open Wallet.',
      '  Keep the old file',
      '    Safe to delete: older backups, once the new ones are safe.',
    ]);
    const offline = { ...finished, node: { ...finished.node, offline: true }, proof: null };
    const last = outcomeLines(offline, [], shell);
    expect(last.at(-3)).toBe('    Choose File > Restore Wallet, then the new backup.');
    expect(last.at(-1)).toBe('    Safe to delete: nothing yet: not everything was compared.');
    const interruption = {
      wallet: 'w',
      cause: 'missing',
      copies: [{ path: '/w.bak', from: 'backup', made: 1 }],
    };
    const killed = sampleJob({ state: 'interrupted', interruption: interruption as never });
    const lines = outcomeLines(killed, [], shell).map((line) => line.trim());
    expect(lines).toContain(`ferry ${reached.replace('backup', 'put-back')} w`);
    expect(lines).toContain('Start the node if it is off.');
    const engine = { ...killed, node: { ...killed.node, offline: true } };
    expect(outcomeLines(engine, [], shell).join()).not.toContain('Start the node');
    // A wallet of a node on another machine, in a terminal on Windows.
    const other = { ...migrated, result: { ...migrated.result, walletName: "ana's" } };
    const there = outcomeLines(sampleJob(other as never), [], { ...shell, isWindows: true });
    expect(there).toContain(`    ferry ${reached} "ana's" NEW-FILE`);
    const unquotable = { ...migrated, result: { ...migrated.result, walletName: 'ana$' } };
    const named = outcomeLines(sampleJob(unquotable as never), [], { ...shell, isWindows: true });
    expect(named).toContain(`    “ana$”: ferry ${reached} WALLET NEW-FILE`);
  });

  // SECURITY.md: Other users, on Windows, outside your own folders
  it('says if other users may be able to read a new backup', () => {
    const backup = { seen: true, path: '/b.dat', size: 1, sha256: 'ab'.repeat(32) } as const;
    const lines = (more: object) => {
      const result = { kind: 'backup', walletName: 'w', proof: { ...backup, ...more } } as const;
      return outcomeLines(sampleJob({ kind: 'backup', state: 'done', ended: 2, result })).join('\n');
    };
    expect(lines({ othersMayRead: true })).toContain(OTHERS_MAY_READ);
    expect(lines({})).not.toContain(OTHERS_MAY_READ);
  });

  it('prints what differs, and exits as failed', () => {
    const differences = [{ title: 'A label is missing', meaning: 'It is in the backup.' }];
    const job = sampleJob({ ...migrated, proof: { ...proof, verdict: 'different', differences } });
    const text = outcomeLines(job).join('\n');
    expect(text).toContain('Something differs');
    expect(text).toContain('A label is missing\n  It is in the backup.');
    expect(exitCodeOf(job)).toBe(EXIT.failed);
    const minor = { ...proof, verdict: 'partly' as const, differences: [{ ...differences[0], minor: true }] };
    const other = sampleJob({ ...migrated, proof: minor as Proof });
    expect(outcomeLines(other).join('\n')).toContain('Warning: A label is missing');
    expect(exitCodeOf(other)).toBe(EXIT.failed);
  });

  it('prints an error with the node’s own message', () => {
    const error = {
      code: 'wallet_error' as const,
      message: 'It was refused.',
      hint: 'Nothing was changed.',
      node: { code: -4, message: 'Error: one\ntwo' },
    };
    const job = sampleJob({ state: 'failed', error, warnings: ['old'] });
    const lines = ['  It was refused.', '  Nothing was changed.', '    Error: one', '    two', '  old'];
    expect(outcomeLines(job)).toEqual(expect.arrayContaining(lines));
    expect(exitCodeOf(job)).toBe(EXIT.failed);
  });

  it.each([
    ['done', EXIT.done],
    ['failed', EXIT.failed],
    ['unknown', EXIT.unknown],
    ['running', EXIT.unknown],
  ] as const)('that is %s exits with %i', (state, code) => {
    expect(exitCodeOf(sampleJob({ state }))).toBe(code);
  });

  it('prints its progress: with the time on a screen, in tenths elsewhere', () => {
    const unknown = { block: null, blocks: null, fast: null };
    const progress = { wallet: 'w', fraction: 0.427, secondsLeft: 600, ...unknown };
    const steps: Job['steps'] = [{ phase: 'rescanning', state: 'running' }];
    const job = sampleJob({ steps, progress, started: 100 });
    expect(progressLine(job, 165)).toBe('Rescanning · 42% · 1 min 05 s · about 10 min left');
    expect(progressLine(job, null)).toBe('Rescanning · 40%');
  });

  it('is one line in the activity', () => {
    const [line = ''] = activityLines([sampleJob({ id: 'abc', state: 'unknown' })]);
    expect(line).toMatch(/Migration +“w” .*Outcome not known +abc$/);
    const [undo = '', rescue = ''] = activityLines([
      sampleJob({ action: 'undo', kind: 'restore', state: 'done' }),
      sampleJob({
        kind: 'rescue',
        state: 'done',
        proof: { ...proof, verdict: 'partly' },
        result: {
          ...(migrated.result as MigrationResult),
          rescue: sampleRescue({ unclean: true, log: null }),
        },
      }),
    ]);
    expect(undo).toMatch(/ Undo +“w” .*Done +one$/);
    const nouns = activityLines([
      sampleJob({ action: 'put-back', kind: 'restore-migrate' }),
      sampleJob({ kind: 'restore', rescues: true }),
    ]);
    const putBack = sampleJob({
      action: 'put-back',
      state: 'done',
      result: { kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null, backupFile: '/b' },
    });
    const [, settled] = activityLines([putBack, sampleJob({ id: 'old', state: 'interrupted' })]);
    expect(settled).toMatch(/Old wallet put back +old$/);
    expect(nouns).toEqual([
      expect.stringContaining(' Old wallet put back '),
      expect.stringContaining(' Rescue '),
    ]);
    expect(rescue).toMatch(/Rescue +“w” .*Done · Not everything could be saved +one$/);
    expect(activityLines([])).toEqual(['Nothing yet.']);
  });
});
