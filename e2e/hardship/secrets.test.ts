/** The engine leaves no secret anywhere except in wallets and their backups. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onUnix } from '../../electron/files/testing/onUnix.ts';
import { recordingOf } from '../../electron/walletfile/testing/wallets.ts';
import { type Answer, bundleEngine, type EngineProcess, launchEngine } from '../app/engineProcess.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { largeWallet } from './largeWallet.ts';
import { type Secret, secretsIn, secretsOfWallets } from './walletSecrets.ts';

const WRONG = 'not the horse that was asked for';

describe('the secrets of wallets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const [data, temporary] = [join(folder, 'data'), join(folder, 'temporary')];
  const wallets = join(data, 'wallets');
  const answers: Answer[] = [];
  let secrets: Secret[];
  let program: string;
  let printed = '';

  beforeAll(async () => {
    program = await bundleEngine(join(folder, 'bundle'));
    secrets = [{ what: 'a wrong passphrase', bytes: Buffer.from(WRONG) }, ...(await secretsOfWallets())];
    mkdirSync(wallets, { recursive: true });
    mkdirSync(temporary);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fileOf = (recording: string) => recordingOf(recording).file;
  const passphraseOf = (recording: string) => recordingOf(recording).passphrase ?? '';

  /** A copy of a recorded wallet with two pages of zeros. */
  function damagedCopy(recording: string): string {
    const bytes = Buffer.from(recordingOf(recording).bytes);
    bytes.fill(0, bytes.length - 3 * 4096, bytes.length - 4096);
    const file = join(folder, `${recording}.damaged`);
    writeFileSync(file, bytes);
    return file;
  }

  function put(name: string, file: string): void {
    mkdirSync(join(wallets, name));
    cpSync(file, join(wallets, name, 'wallet.dat'));
  }

  async function launch(limited: boolean): Promise<EngineProcess> {
    const started = limited ? withFileLimit(program, folder) : program;
    return launchEngine({
      program: started,
      wallets,
      release: 28,
      env: { TMPDIR: temporary, TEMP: temporary },
    });
  }

  async function makeCalls(engine: EngineProcess, calls: readonly (readonly [string, unknown[], string?])[]) {
    const codes: (number | 'done' | 'cut')[] = [];
    for (const [method, params, wallet] of calls) {
      const answer = await engine.call(method, params, wallet);
      // The only answer that contains private keys on purpose.
      const hasKeys = method === 'listdescriptors' && answer.kind === 'result';
      if (!hasKeys) answers.push(answer);
      codes.push(answer.kind === 'error' ? answer.code : answer.kind === 'cut' ? 'cut' : 'done');
    }
    expect(await engine.end('SIGTERM')).toBe(0);
    printed += engine.output();
    return codes;
  }

  it('are found in the files that contain them', () => {
    expect(secrets.length).toBeGreaterThan(500);
    for (const recording of ['legacy-hd', 'descriptor-hd']) {
      expect(secretsIn(recordingOf(recording).bytes, secrets).length).toBeGreaterThan(1);
    }
    const factsFile = recordingOf('descriptor-hd').file.replace('wallet.dat', 'facts.json');
    expect(secretsIn(readFileSync(factsFile), secrets).join()).toContain('extended');
  });

  it('pass through calls that succeed and calls that fail', async () => {
    put('old', fileOf('legacy-hd-encrypted'));
    put('plain', fileOf('legacy-hd'));
    put('broken', damagedCopy('legacy-hd-encrypted'));
    const safe = passphraseOf('descriptor-encrypted');
    const codes = await makeCalls(await launch(false), [
      ['restorewallet', ['safe', fileOf('descriptor-encrypted'), true]],
      ['restorewallet', ['open', fileOf('descriptor-hd'), true]],
      ['restorewallet', ['half', damagedCopy('descriptor-hd')]],
      ['restorewallet', ['safe', fileOf('descriptor-encrypted')]],
      ['listdescriptors', [true], 'open'],
      ['listdescriptors', [true], 'safe'],
      ['walletpassphrase', [WRONG, 60], 'safe'],
      ['walletpassphrase', [safe, 60], 'safe'],
      ['walletpassphrase', [safe, 'soon'], 'safe'],
      ['listdescriptors', [true], 'safe'],
      ['walletlock', [], 'safe'],
      ['migratewallet', ['old']],
      ['migratewallet', ['old', WRONG]],
      ['migratewallet', ['broken', passphraseOf('legacy-hd-encrypted')]],
      ['migratewallet', ['nowhere', passphraseOf('legacy-hd-encrypted')]],
      ['migratewallet', [passphraseOf('legacy-hd-encrypted'), 'old']],
      ['migratewallet', ['old', passphraseOf('legacy-hd-encrypted')]],
      ['loadwallet', ['plain']],
      ['no such method', [passphraseOf('legacy-hd-encrypted')]],
    ]);
    expect(codes.map((code) => (code === 'done' ? 'done' : 'error'))).toEqual([
      ...['done', 'done', 'error', 'error', 'done', 'error', 'error', 'done', 'error', 'done', 'done'],
      ...['error', 'error', 'error', 'error', 'error', 'done', 'done', 'error'],
    ]);
  }, 60_000);

  onUnix(
    'pass through calls that run out of disk space',
    async () => {
      put('small', fileOf('legacy-watchonly'));
      const large = join(folder, 'large.dat');
      writeFileSync(large, largeWallet(1000));
      const codes = await makeCalls(await launch(true), [
        ['migratewallet', ['small']],
        ['restorewallet', ['large', large]],
      ]);
      expect(codes).toEqual([-4, -4]);
      expect(
        readFileSync(join(wallets, 'small', 'wallet.dat')).equals(recordingOf('legacy-watchonly').bytes),
      ).toBe(true);
      expect(readdirSync(wallets)).not.toContain('large');
    },
    60_000,
  );

  it('are in no log, answer, output, settings or other file except wallets and backups', () => {
    const files = filesBelow(data);
    const isWallet = (file: string) => basename(file) === 'wallet.dat' || file.endsWith('.legacy.bak');
    const others = files.filter((file) => !isWallet(file));
    expect(others.map((file) => basename(file)).sort()).toEqual(['debug.log', 'settings.json']);
    for (const file of others) expect([file, secretsIn(readFileSync(file), secrets)]).toEqual([file, []]);
    expect(secretsIn(Buffer.from(files.join('\n')), secrets)).toEqual([]);
    expect(secretsIn(Buffer.from(printed), secrets)).toEqual([]);
    for (const answer of answers) {
      expect([answer, secretsIn(Buffer.from(JSON.stringify(answer)), secrets)]).toEqual([answer, []]);
    }
    expect(filesBelow(temporary)).toEqual([]);
  });

  it('stay encrypted in encrypted wallets', () => {
    const encrypted = secrets.filter(({ what }) => what.includes('encrypted'));
    for (const name of ['old', 'safe', 'broken']) {
      for (const file of filesBelow(join(wallets, name))) {
        expect([file, secretsIn(readFileSync(file), encrypted)]).toEqual([file, []]);
      }
    }
  });
});

/** Starts the engine with a file size limit of 80 or 160 KiB: shells count in different units. Returns the program. */
function withFileLimit(program: string, folder: string): string {
  const starter = join(folder, 'limited.cjs');
  writeFileSync(
    starter,
    `const { spawn } = require('node:child_process');
const engine = spawn('sh', ['-c', 'ulimit -f 160; exec "$0" "$@"', process.execPath, ${JSON.stringify(program)}, ...process.argv.slice(2)], { stdio: 'inherit' });
process.on('SIGTERM', () => engine.kill('SIGTERM'));
engine.on('exit', (code) => process.exit(code ?? 1));`,
  );
  return starter;
}
