/**
 * The terminal entry without a node: what each command prints, its exit code, and the files it leaves. A command runs as a process
 * only where threads, the engine, signals or descriptors matter. All others run in this process, which saves starting two each.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { createServices } from '../../electron/backend/services.ts';
import { runFerry } from '../../electron/cli/runFerry.ts';
import { onUnix } from '../../electron/files/testing/onUnix.ts';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { HAS_SIGNALS } from '../../electron/files/testing/system.ts';
import { wholeLegacy, writeInterrupted } from '../../electron/jobs/testing/interruptedStates.ts';
import { writeWif } from '../../electron/walletfile/keys/privateKey.ts';
import { factsOf, recordingOf, walletFile } from '../../electron/walletfile/testing/wallets.ts';
import { createBrowserHost } from '../../electron/web/browserHost.ts';
import { REPAIRED_FILE } from '../../electron/workers/repairRequest.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import { replyShape, requests } from '../../shared/contract.ts';
import { inspection } from '../../shared/model/inspection.ts';
import { plan } from '../../shared/model/plan.ts';
import { bundlePrograms } from '../app/bundlePrograms.ts';
import { engineHere } from '../app/engineHere.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { type Secret, secretsIn, secretsOfWallets } from '../hardship/walletSecrets.ts';
import { startTestNode } from '../testNode/testNode.ts';

const WRONG = 'not the horse that was asked for';
const MINUTE = 60_000;
/** Bytes that a stream holds until it is read. */
const MAX_PRINTED = 1_000_000;

const printed = (stream: PassThrough) => String(stream.read() ?? '');

describe('the terminal', { timeout: 4 * MINUTE }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  const [data, wallets, temporary] = [
    join(folder, 'data'),
    join(folder, 'wallets'),
    join(folder, 'temporary'),
  ];
  const offline = ['--offline', wallets, '--chain', 'regtest'];
  const program = join(folder, 'bundle', 'ferry.cjs');
  const fileOf = (recording: string) => recordingOf(recording).file;
  const passphrase = recordingOf('legacy-hd-encrypted').passphrase ?? '';
  /** The arguments and the output of every run so far. */
  let printedSoFar = '';
  let secrets: Secret[];

  beforeAll(async () => {
    mkdirSync(temporary);
    secrets = [{ what: 'a wrong passphrase', bytes: Buffer.from(WRONG) }, ...(await secretsOfWallets())];
    const source = (path: string) => new URL(`../../electron/${path}`, import.meta.url);
    await bundlePrograms(join(folder, 'bundle'), {
      ferry: source('ferry.ts'),
      engine: source('engine/main.ts'),
      engineThread: source('engine/threads/engineThread.ts'),
      walletThread: source('workers/walletThread.ts'),
    });
  }, 3 * MINUTE);
  afterAll(() => removeTestFolder(folder));

  /** `env`: more variables of its environment. */
  function start(
    args: readonly string[],
    { env = {}, stdio = 'pipe' }: { env?: Readonly<Record<string, string>>; stdio?: StdioOptions } = {},
  ): ChildProcess {
    return spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...process.env, WALLET_FERRY_DATA: data, TMPDIR: temporary, TEMP: temporary, ...env },
      stdio,
    });
  }

  async function ended(child: ChildProcess) {
    let [out, err] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    printedSoFar += `${child.spawnargs.join(' ')}\n${out}\n${err}\n`;
    return { code, out, err };
  }

  /** Presses Ctrl+C as soon as the program shows its progress. */
  async function interrupted(child: ChildProcess) {
    const end = ended(child);
    let output = '';
    child.stderr?.on('data', (text: string) => {
      output += text;
    });
    await expect.poll(() => output, { timeout: MINUTE }).toContain('%');
    child.kill('SIGINT');
    return end;
  }

  /** Runs a command in this process. `input` is the whole standard input. */
  async function ferry(args: readonly string[], input: string | Buffer = '') {
    const { code, out, err } = await ferryWithSecret(args, input);
    printedSoFar += `${args.join(' ')}\n${out}\n${err}\n`;
    return { code, out, err };
  }

  /** The same for a run that prints a secret on purpose. */
  async function ferryWithSecret(args: readonly string[], input: string | Buffer) {
    const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
    const [stdout, stderr] = [
      new PassThrough({ highWaterMark: MAX_PRINTED }),
      new PassThrough({ highWaterMark: MAX_PRINTED }),
    ];
    const code = await runFerry({
      args,
      program: 'ferry',
      version: '0.0.0',
      dataFolder: data,
      streams: { stdin, stdout, stderr } as never,
      openServices: (dataFolder) =>
        createServices({
          host: { ...createBrowserHost(''), startEngine: engineHere },
          dataFolder,
          walletWork: walletWorkHere,
          version: '0.0.0',
          fromTerminal: true,
        }),
    });
    return { code, out: printed(stdout), err: printed(stderr) };
  }

  /** Runs a command as a process. */
  function ferryProcess(args: readonly string[], input = '') {
    const child = start(args);
    // The program may end without reading its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    return ended(child);
  }

  it('inspects a file, and prints the contract’s JSON with --json', async () => {
    const { code, out } = await ferryProcess(['inspect', fileOf('legacy-hd')]);
    expect(code).toBe(0);
    expect(out).toContain('Legacy wallet (Berkeley DB)');
    const json = await ferry(['inspect', fileOf('legacy-hd'), '--json']);
    expect(z.decode(inspection, JSON.parse(json.out))).toMatchObject({ kind: 'legacy', encryption: null });
    expect(json.err).toBe('');
  });

  it('explains what is wrong with a file or a command line', async () => {
    const missing = await ferry(['inspect', 'nowhere.dat', '--json']);
    expect(missing.code).toBe(1);
    expect(replyShape.parse(JSON.parse(missing.out))).toMatchObject({
      ok: false,
      error: { code: 'file_missing' },
    });
    const cat = join(folder, 'cat.dat');
    writeFileSync(cat, 'a cat');
    expect(await ferry(['inspect', cat])).toMatchObject({ code: 1, out: '' });
    const keys = join(folder, 'wif.txt');
    writeFileSync(keys, writeWif({ privateKey: new Uint8Array(32).fill(7), compressed: true }, 'main'));
    const ofKeys = {
      code: 0,
      out: expect.stringMatching(/\nNext\n {2}[^\n]* rescue [^\n]*wif\.txt --out DIR\n/),
    };
    expect(await ferry(['inspect', keys])).toMatchObject(ofKeys);
    expect(await ferry(['inspect', '--kinds'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ {2}Open it in Nunchuk\.\n {4}Tapsigner wallet$/m),
    });
    const wrong = await ferry(['inspect', cat, '--yes']);
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('--help');
    expect(await ferry(['run', 'migrate', 'old', ...offline])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Add --yes'),
    });
  });

  it('plans a restore, and changes nothing', async () => {
    const args = ['plan', 'restore', fileOf('descriptor-hd'), '--name', 'holiday', ...offline];
    const { code, out } = await ferry([...args, '--json']);
    expect(code).toBe(0);
    expect(z.decode(plan, JSON.parse(out))).toMatchObject({ kind: 'restore', wallet: 'holiday' });
    expect((await ferry([...args, '--calls'])).out).toContain('restorewallet wallet_name="holiday"');
    // A legacy wallet is migrated in the same job, which needs its passphrase.
    const legacy = ['plan', 'restore', fileOf('legacy-hd-encrypted'), '--name', 'old', ...offline, '--json'];
    const planned = await ferry(legacy);
    expect(planned.code).toBe(4);
    expect(z.decode(plan, JSON.parse(planned.out))).toMatchObject({ kind: 'restore-migrate', wallet: 'old' });
    // A node adds no migrated wallet to its list, so the answer would have no effect.
    const listed = ['run', 'restore', fileOf('legacy-hd'), '--load-on-startup', 'yes', ...offline, '--yes'];
    expect(await ferry(listed)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--load-on-startup has no effect on this job.'),
    });
    expect(filesBelow(wallets).filter((path) => path.endsWith('.dat'))).toEqual([]);
  });

  it('plans a restore into a new folder without creating it', async () => {
    const parent = join(wallets, '..', 'new');
    const args = ['plan', 'restore', fileOf('descriptor-hd'), '--offline', join(parent, 'wallets')];
    expect(await ferry(args)).toMatchObject({ code: 0, out: expect.stringContaining('Ready') });
    expect(existsSync(parent)).toBe(false);
    // A folder that was there stays, without a log.
    mkdirSync(parent);
    expect((await ferry(['wallets', '--offline', parent])).code).toBe(0);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('restores a backup, and refuses a name that is taken', async () => {
    const args = ['run', 'restore', fileOf('descriptor-hd'), '--name', 'holiday', ...offline, '--yes'];
    const { code, out } = await ferry([...args, '--json']);
    expect(code).toBe(0);
    const ran = z.decode(requests['plan.run'].output, JSON.parse(out));
    expect(ran).toMatchObject({ began: true, job: { state: 'done', result: { walletName: 'holiday' } } });
    const again = await ferry([...args, '--json']);
    expect(again.code).toBe(4);
    expect(z.decode(requests['plan.run'].output, JSON.parse(again.out))).toMatchObject({ began: false });
  });

  it('rehearses a migration, and leaves the wallet as it is', async () => {
    mkdirSync(join(wallets, 'old'));
    cpSync(fileOf('legacy-hd-encrypted'), join(wallets, 'old', 'wallet.dat'));
    const rehearsed = await ferry(
      ['plan', 'migrate', 'old', ...offline, '--rehearse', '--passphrase-fd', '0', '--json'],
      passphrase,
    );
    expect(z.decode(requests['plan.rehearse'].output, JSON.parse(rehearsed.out))).toMatchObject({
      rehearsal: { wallets: [{ part: 'primary', name: 'old' }] },
    });
  });

  it('migrates with a passphrase from a file descriptor, but not with a wrong one', async () => {
    const args = ['run', 'migrate', 'old', ...offline, '--yes'];
    expect(await ferry(args)).toMatchObject({
      code: 4,
      err: expect.stringContaining('Type the passphrase.'),
    });
    const wrong = await ferry([...args, '--passphrase-fd', '0', '--json'], WRONG);
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.out)).toMatchObject({ error: { code: 'wrong_passphrase' } });
    const spaced = await ferry([...args, '--passphrase-fd', '0'], `${passphrase} `);
    expect(spaced).toMatchObject({ code: 1, err: expect.stringContaining('without the spaces at its ends') });
    expect(await ferry([...args, '--passphrase-fd', '0'], '')).toMatchObject({ code: 2, out: '' });
    expect(await ferry([...args, '--passphrase-fd', '77'])).toMatchObject({ code: 2, out: '' });
    expect(
      readFileSync(join(wallets, 'old', 'wallet.dat')).equals(recordingOf('legacy-hd-encrypted').bytes),
    ).toBe(true);
    const right = await ferryProcess([...args, '--passphrase-fd', '0', '--calls'], `${passphrase}\n`);
    expect(right.err).toContain('Converting');
    expect(right.out).toContain('passphrase="•••"');
    expect(right.out).toContain('Everything arrived');
    expect(right.out).toMatch(/The old wallet’s backup\n +.*\.legacy\.bak/);
    expect(right.code).toBe(0);
  });

  it('lists the wallets, backs one up, and overwrites no file', async () => {
    const { code, out } = await ferry(['wallets', ...offline, '--json']);
    expect(code).toBe(0);
    expect(z.decode(requests['wallets.list'].output, JSON.parse(out)).wallets).toMatchObject([
      { name: 'holiday' },
      { name: 'old' },
    ]);
    const nodes = await ferry(['nodes', '--json']);
    expect(z.decode(requests['nodes.discover'].output, JSON.parse(nodes.out))).toEqual({
      nodes: expect.any(Array),
    });
    const args = ['run', 'backup', 'old', join(folder, 'new.dat'), ...offline, '--yes'];
    const result = await ferry(args);
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining('SHA-256') });
    const before = readFileSync(join(folder, 'new.dat'));
    expect((await ferry(args)).code).toBe(4);
    expect(readFileSync(join(folder, 'new.dat')).equals(before)).toBe(true);
  });

  it('undoes the migration with its legacy backup', async () => {
    const backup = filesBelow(wallets).find((path) => path.endsWith('.legacy.bak')) ?? '';
    const { code, out } = await ferry(['run', 'undo', backup, '--name', 'as before', ...offline, '--yes']);
    expect(out).toContain('returns under a new name; the new ones stay.');
    expect(out).toMatch(/Kind +Legacy/);
    expect(code).toBe(0);
  });

  it('lists all jobs, and shows each', async () => {
    const { code, out } = await ferry(['activity', '--json']);
    expect(code).toBe(0);
    const { jobs: all } = z.decode(requests['jobs.list'].output, JSON.parse(out));
    expect(all.map(({ kind }) => kind)).toEqual(['restore', 'backup', 'migrate', 'restore']);
    expect((await ferry(['activity'])).out).toMatch(/ {2}Undo +“as before”/);
    const migration = await ferry(['activity', all[2]?.id ?? '']);
    expect(migration).toMatchObject({ code: 0, out: expect.stringContaining('Everything arrived') });
    expect((await ferry(['activity', 'another'])).code).toBe(1);
  });

  it('exports descriptors to a new file', async () => {
    const args = ['export', fileOf('descriptor-hd'), join(folder, 'descriptors.txt'), '--chain', 'regtest'];
    const { code, out } = await ferry([...args, '--json']);
    expect(code).toBe(0);
    expect(z.decode(requests['wallet.export'].output, JSON.parse(out)).descriptors).toBeGreaterThan(0);
    expect(readFileSync(join(folder, 'descriptors.txt'), 'utf8')).toContain('tpub');
    expect((await ferry(args)).code).toBe(1);
    const keys = [
      'export',
      fileOf('legacy-hd'),
      join(folder, 'keys.txt'),
      '--chain',
      'regtest',
      '--format',
      'electrum',
    ];
    expect((await ferry(keys)).code).toBe(2);
    expect(await ferry([...keys, '--private'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/private keys[\s\S]*may hold coins too/),
      err: expect.stringContaining('can spend the coins'),
    });
    expect(readFileSync(join(folder, 'keys.txt'), 'utf8')).toMatch(/^(p2pkh|p2wpkh|p2wpkh-p2sh):c\w{51}\n/);
  });

  it('finds a half-remembered passphrase, and shows it only on request', async () => {
    const args = ['passphrase', fileOf('legacy-hd-encrypted'), '--pieces-fd', '0'];
    const [first = '', ...rest] = passphrase;
    const pieces = `?wrong\n${first.toUpperCase()}${rest.join('')}\n`;
    expect(await ferry(args, pieces)).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('Tries: 2.'),
    });
    const none = await ferry([...args, '--yes', '--json'], pieces);
    expect(none.code).toBe(1);
    expect(JSON.parse(none.out)).toEqual({ tried: 2, found: false });
    const found = await ferry([...args, '--yes', '--capitals', '--json'], pieces);
    expect(found.code).toBe(0);
    expect(JSON.parse(found.out)).toEqual({ tried: expect.any(Number), found: true });
    const result = await ferryWithSecret([...args, '--yes', '--capitals', '--show'], pieces);
    expect(result).toMatchObject({ code: 0, out: `${passphrase}\n` });
    expect((await ferry([...args, '--found-fd', '77'], pieces)).code).toBe(2);
    expect((await ferry(args, '?a\n'.repeat(13))).code).toBe(2);
    expect((await ferry(args.slice(0, 2))).err).toContain('--pieces-fd');
  });

  it('waits for a node that is starting', async () => {
    const node = await startTestNode({ release: '31.0', dataFolder: join(folder, 'node'), scenario: {} });
    node.setStarting('Verifying blocks…');
    const child = start(['wallets', '--node', node.url, '--cookie', node.cookieFile]);
    child.stderr?.on('data', (text: Buffer) => {
      if (String(text).includes('Verifying')) node.setStarting(null);
    });
    const { code, out } = await ended(child);
    await node.stop();
    expect([code, out]).toEqual([0, expect.stringContaining('Kind')]);
  });

  it.skipIf(!HAS_SIGNALS)('stops a search at Ctrl+C, says how to continue, and continues', async () => {
    const args = ['passphrase', fileOf('legacy-hd-encrypted'), '--pieces-fd', '0', '--typos', '1', '--yes'];
    const child = start(args);
    child.stdin?.end('lost');
    const { code, err } = await interrupted(child);
    expect(code).toBe(130);
    expect(err).toContain('--go-on');
    expect((await ferry(args.slice(0, -1), 'lost')).err).toMatch(/Tried before: [1-9]/);
  });

  it.skipIf(!HAS_SIGNALS)(
    'saves the position of a stopped image search, so that the next one continues there',
    async () => {
      const image = join(folder, 'disk.img');
      writeFileSync(image, '');
      // Empty, but slow to read.
      truncateSync(image, 2 ** 34);
      const { code, err } = await interrupted(start(['search', image]));
      expect(code).toBe(130);
      expect(err).toContain('Search again to continue');
      const saved = JSON.parse(readFileSync(join(data, 'image-search.json'), 'utf8'));
      expect(saved.search.at).toBeGreaterThan(0);
      rmSync(image);
    },
  );

  it('refuses a data folder that another process uses, except to inspect a file', async () => {
    const holder = start(['activity', '--node', 'http://127.0.0.1:1', '--user', 'ana', '--password-fd', '0']);
    // It holds the folder while it waits for the password.
    await expect.poll(() => filesBelow(data).some((path) => path.endsWith('.lock'))).toBe(true);
    const second = await ferry(['wallets', ...offline]);
    expect(second).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is already running') });
    expect(second.err).toContain('. Use that one, or quit it. ');
    expect((await ferry(['inspect', fileOf('legacy-hd')])).code).toBe(0);
    expect((await ferry(['wallets', ...offline, '--data', join(folder, 'other')])).code).toBe(0);
    const gone = ended(holder);
    holder.kill('SIGINT');
    expect((await gone).code).toBe(HAS_SIGNALS ? 130 : null);
  });

  it('uses the network that the file names, and asks for --chain if it names none', async () => {
    const own = join(folder, 'own network');
    mkdirSync(own);
    const restored = ['run', 'restore', fileOf('descriptor-hd'), '--name', 'own', '--offline', own];
    expect((await ferry([...restored, '--yes'])).code).toBe(0);
    const listed = await ferry(['wallets', '--offline', own]);
    expect(listed.out).toContain('rBTC');
    const key = writeWif({ privateKey: new Uint8Array(32).fill(9), compressed: true }, 'regtest');
    const testKey = await ferry(['rescue', '-', '--out', own], key);
    expect(testKey).toMatchObject({ code: 2, err: expect.stringContaining('--chain signet') });
    expect(testKey.err).not.toContain('--chain main');
    const paper = writeWif({ privateKey: new Uint8Array(32).fill(9), compressed: true }, 'main');
    const args = ['rescue', '-', '--out', join(folder, 'main network'), '--name', 'paper'];
    const unconfirmed = await ferry(args, paper);
    expect(unconfirmed).toMatchObject({
      code: 4,
      err: expect.stringContaining('→ --bitcoin-keys: its keys are Bitcoin’s'),
    });
    const confirmed = await ferry([...args, '--bitcoin-keys'], paper);
    expect(confirmed).toMatchObject({ code: 0, out: expect.stringContaining('Main network') });
    await removeTestFolder(join(folder, 'main network'));
  });

  it('says that no wallet has a name, and suggests a similar one', async () => {
    const missing = await ferry(['plan', 'backup', 'holidays', 'none.dat', ...offline]);
    expect(missing).toMatchObject({ code: 4, err: expect.stringContaining('No wallet of this name') });
    expect(missing.out).toContain('Did you mean “holiday”?');
    expect(missing.out).not.toContain('not loaded');
    const run = await ferry(['run', 'backup', 'holidays', 'none.dat', ...offline, '--load', '--yes']);
    expect(run).toMatchObject({ code: 4, err: expect.stringContaining('No wallet of this name') });
    const migrate = await ferry(['plan', 'migrate', 'nothing like it', ...offline, '--json']);
    expect(z.decode(plan, JSON.parse(migrate.out))).toMatchObject({
      checks: [{ id: 'wallet-exists', verdict: 'blocker' }],
      asks: [],
      calls: [],
      makes: [],
    });
  });

  it('creates no folder for a missing file or wallet', async () => {
    const none = join(folder, 'never created');
    for (const [line, code] of [
      [['plan', 'restore', 'nowhere.dat'], 'file_missing'],
      [['run', 'rescue', folder, '--yes'], 'not_a_file'],
      [['wallets'], 'folder_missing'],
      [['plan', 'migrate', 'old'], 'folder_missing'],
    ] as const) {
      const refused = await ferry([...line, '--offline', none, '--json']);
      expect([line, refused.code]).toEqual([line, 1]);
      expect(JSON.parse(refused.out)).toMatchObject({ ok: false, error: { code } });
    }
    expect(existsSync(none)).toBe(false);
    writeFileSync(join(folder, 'no folder'), '');
    const file = await ferry(['rescue', fileOf('legacy-hd'), '--out', join(folder, 'no folder')]);
    expect(file).toMatchObject({ code: 1, err: expect.stringContaining('is a file, not a folder') });
  });

  const planned = ['plan', 'restore', fileOf('legacy-hd-encrypted'), '--name', 'by fd', ...offline];

  // Shells of Windows pass on the first three only.
  onUnix('reads a passphrase from any open file descriptor', async () => {
    const args = ['export', fileOf('descriptor-encrypted'), join(folder, 'by fd.txt'), '--chain', 'regtest'];
    const child = start([...args, '--private', '--passphrase-fd', '3'], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const pipe = child.stdio[3];
    if (pipe && 'write' in pipe) pipe.end(recordingOf('descriptor-encrypted').passphrase);
    expect((await ended(child)).code).toBe(0);
  });

  onUnix('reads a passphrase from a pipe that the shell left open under two numbers', async () => {
    const secret = join(folder, 'passphrase.txt');
    writeFileSync(secret, recordingOf('descriptor-encrypted').passphrase ?? '');
    const args = [
      'export',
      fileOf('descriptor-encrypted'),
      join(folder, 'by pipe.txt'),
      '--chain',
      'regtest',
    ];
    // As bash does for `3< <(cat FILE)`.
    const line =
      'secret="$1"; shift; cat "$secret" | { exec 3<&0 9<&0 </dev/null; exec "$@" --passphrase-fd 3; }';
    const command = [process.execPath, program, ...args, '--private'];
    const child = spawn('sh', ['-c', line, 'sh', secret, ...command], {
      env: { ...process.env, WALLET_FERRY_DATA: data },
    });
    expect((await ended(child)).code).toBe(0);
    rmSync(secret);
  });

  it('refuses a file descriptor that is closed or named twice', async () => {
    // Node itself uses some of 3 to 24, for its event loop.
    for (const fd of [3, 24]) {
      const refused = await ferryProcess([...planned, '--passphrase-fd', String(fd), '--json']);
      expect([fd, refused.code, JSON.parse(refused.out).error.message]).toEqual([
        fd,
        2,
        expect.stringContaining(`--passphrase-fd ${fd}: this file descriptor is not open`),
      ]);
    }
    const found = ['passphrase', fileOf('legacy-hd-encrypted'), '--pieces-fd', '0', '--yes', '--found-fd'];
    expect(await ferryProcess([...found, '3'], 'a')).toMatchObject({ code: 2, out: '' });
    expect((await ferry([...found, '0'], 'a')).err).toContain('both take file descriptor 0');
    const throughNpm = start([...planned, '--passphrase-fd', '3'], { env: { npm_lifecycle_event: 'ferry' } });
    // Opening it would abort the process with 134.
    const refused = await ended(throughNpm);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('npm passes on only 0');
  });

  it('refuses a passphrase that is not UTF-8, and does not try another one', async () => {
    const { code, err } = await ferry([...planned, '--passphrase-fd', '0'], Buffer.from('caf\xe9', 'latin1'));
    expect({ code, err }).toEqual({
      code: 2,
      err: 'File descriptor 0 sends text that is not UTF-8.\nSee ferry --help\n',
    });
  });

  it('reads keys in UTF-16, as Notepad saves them', async () => {
    const text = `\ufeff${writeWif({ privateKey: new Uint8Array(32).fill(7), compressed: true }, 'regtest')}\r\n`;
    const rescue = ['plan', 'rescue', '-', ...offline, '--json'];
    const { out } = await ferry(rescue, Buffer.from(text, 'utf16le'));
    expect(z.decode(plan, JSON.parse(out))).toMatchObject({ kind: 'rescue' });
  });

  // Only Linux has this device.
  it.runIf(existsSync('/dev/full'))(
    'has an exit code of its own if the disk is too full for its output',
    async () => {
      const full = openSync('/dev/full', 'w');
      const child = start(['inspect', fileOf('descriptor-hd'), '--json'], {
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      expect(await ended(child)).toEqual({
        code: 6,
        out: '',
        err: 'The output was not written: not enough space.\n',
      });
    },
  );

  onUnix('says that it needs a temporary folder', async () => {
    const child = start(['inspect', fileOf('descriptor-hd')], { env: { TMPDIR: program } });
    const { code, err } = await ended(child);
    expect(code).toBe(1);
    expect(err).toContain(`Cannot write to ${program}.\nNothing was changed.`);
    expect(err).toContain('set TMPDIR to another folder');
  });

  it('prints one JSON document for an invalid command line too', async () => {
    for (const line of [
      'inspect',
      'wallets --ofline w',
      'plan',
      'run migrate old',
      'passphrase a',
      'nonsense',
    ]) {
      const { code, out } = await ferry([...line.split(' '), '--json']);
      expect([line, code]).toEqual([line, 2]);
      expect(replyShape.parse(JSON.parse(out))).toMatchObject({ ok: false, error: { code: 'bad_input' } });
    }
  });

  it('says that no node answers, and that a cookie cannot be read', async () => {
    const cookie = join(folder, 'cookie');
    writeFileSync(cookie, '__cookie__:abc');
    const off = await ferry(['wallets', '--node', 'http://127.0.0.1:1', '--cookie', cookie, '--json']);
    expect(off.code).toBe(1);
    expect(JSON.parse(off.out)).toMatchObject({ error: { code: 'cannot_connect' } });
    const none = await ferry(['wallets', '--node', 'http://127.0.0.1:1', '--cookie', 'nowhere', '--json']);
    expect(none.code).toBe(1);
    expect(JSON.parse(none.out).error.code).toMatch(/credentials_missing|cannot_connect/);
  });

  it('continues when nobody reads its output', async () => {
    const child = start(['run', 'restore', fileOf('descriptor-hd'), '--name', 'unread', ...offline, '--yes']);
    child.stdout?.destroy();
    expect((await ended(child)).code).toBe(0);
  });

  // Windows has no such names.
  onUnix('escapes control characters in a wallet’s name', async () => {
    const name = 'bell\x07 \x9b2J';
    // In its own folder, because the list reads the balance of each wallet.
    const alone = join(folder, 'oddly named');
    mkdirSync(join(alone, name), { recursive: true });
    cpSync(fileOf('descriptor-hd'), join(alone, name, 'wallet.dat'));
    const list = ['wallets', '--offline', alone, '--chain', 'regtest'];
    const { code, out } = await ferry(list);
    expect(code).toBe(0);
    expect(out).toContain('“bell⟨U+0007⟩');
    const json = await ferry([...list, '--json']);
    expect(`${out}${json.out}${json.err}`).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('reads keys from standard input and descriptors from a file, and leaves no copy of them', async () => {
    const into = (name: string) => ['--out', join(folder, 'from text'), '--chain', 'regtest', '--name', name];
    const wif = writeWif({ privateKey: new Uint8Array(32).fill(7), compressed: true }, 'regtest');
    const keys = await ferryProcess(
      ['rescue', '-', ...into('keys')],
      `${'# a long dump\n'.repeat(900)}my dog\n${'# a long dump\n'.repeat(10_000)}${wif} paper\n`,
    );
    expect(keys).toMatchObject({
      code: 0,
      out: expect.stringContaining('Wallet rescued'),
      err: expect.stringContaining('Lines without a key: 901'),
    });
    expect(await ferry(['rescue', '-', ...into('none')], 'a cat')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No keys in this text.'),
    });
    const twelve = Array.from({ length: 12 }, (_, at) => `raw(${52 + at})#8lvh9jxk`);
    const mistyped = await ferry(['rescue', '-', ...into('none')], twelve.join('\n'));
    expect(mistyped).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /\nLine 1: [^\n⟨]+\.\n(Line \d+: [^\n⟨]+\.\n){9}And 2 more\.\n[^\n⟨]+ --without-damaged\n/,
      ),
    });
    const listed = factsOf('descriptor-hd').before.listdescriptors_private;
    writeFileSync(join(folder, 'listed.json'), JSON.stringify(listed).replace(/#\w{8}/, ''));
    // The app's own file of the text is gone when the command ends.
    const plan = await ferry(['plan', 'rescue', join(folder, 'listed.json'), ...into('listed')]);
    expect(plan.out).not.toContain(join(data, 'reading'));
    const rescue = await ferry(['rescue', join(folder, 'listed.json'), ...into('listed'), '--json']);
    expect(rescue).toMatchObject({ code: 0, err: expect.stringContaining('Descriptor without a checksum.') });
    expect(z.decode(requests['plan.run'].output, JSON.parse(rescue.out))).toMatchObject({
      began: true,
      job: { kind: 'restore', state: 'done' },
    });
    const found = await ferry(['inspect', join(folder, 'from text', 'listed', 'wallet.dat'), '--json']);
    expect(z.decode(inspection, JSON.parse(found.out))).toMatchObject({
      kind: 'descriptor',
      descriptors: { total: listed?.descriptors.length },
      problems: [],
    });
    const hole = walletFile('descriptor-hd').fill(0, 5 * 4096, 6 * 4096);
    writeFileSync(join(folder, 'holed.dat'), hole);
    const rescued = await ferry(['rescue', join(folder, 'holed.dat'), ...into('holed')]);
    expect(rescued).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Saved\s+1 private key.*Warning +[^\n]*rescanblockchain/s),
    });
    const [{ desc = '' } = {}] = listed?.descriptors ?? [];
    const held = (where: string, text: string) =>
      filesBelow(where).filter((path) => readFileSync(path).includes(text));
    expect([held(temporary, wif), held(data, desc), held(join(data, 'reading'), wif)]).toEqual([[], [], []]);
  });

  it('rescues a broken wallet into a folder, with its log or once the user confirms that there is none', async () => {
    const broken = join(folder, 'broken.dat');
    const bytes = Buffer.from(recordingOf('legacy-hd-encrypted').bytes);
    // The file was not closed, and a page of keys is lost.
    bytes.writeUInt32LE(1, 0);
    bytes.fill(0, 5 * 4096, 6 * 4096);
    writeFileSync(broken, bytes);
    const into = ['--out', join(folder, 'rescued'), '--chain', 'regtest', '--name', 'saved'];
    const args = ['rescue', broken, ...into, '--passphrase-fd', '0', '--json'];
    const unconfirmed = await ferry(args, passphrase);
    expect(unconfirmed).toMatchObject({ code: 4, err: expect.stringContaining('--without-logs') });
    const elsewhere = await ferry([...args, '--logs', folder], passphrase);
    expect(elsewhere).toMatchObject({ code: 4, err: expect.stringContaining('No log in this folder') });
    const { code, out } = await ferry([...args, '--without-logs'], passphrase);
    expect(code).toBe(0);
    const ran = z.decode(requests['plan.run'].output, JSON.parse(out));
    const job = ran.began ? ran.job : null;
    expect(job).toMatchObject({
      kind: 'rescue',
      state: 'done',
      // Without the log, the last changes are unknown.
      proof: { verdict: 'partly', lost: expect.arrayContaining(['The last changes may be missing.']) },
      result: {
        walletName: 'saved',
        rescue: { unclean: true, log: null, missing: { masterKey: false, chainKeys: 0 } },
      },
    });
    expect(readFileSync(broken).equals(bytes)).toBe(true);
    expect(job?.safetyCopy?.files[0]?.path).toBeDefined();
    expect(readFileSync(job?.safetyCopy?.files[0]?.path ?? '').equals(bytes)).toBe(true);
    const activity = await ferry(['activity', job?.id ?? '']);
    expect(activity.out).toMatch(/Saved +\d+ private keys/);
  });

  it('backs up all wallets, and names those that failed', async () => {
    const [place, stick, second] = [join(folder, 'many'), join(folder, 'stick'), join(folder, 'second')];
    mkdirSync(second);
    const put = (name: string, bytes: Uint8Array) => {
      mkdirSync(join(place, name), { recursive: true });
      writeFileSync(join(place, name, 'wallet.dat'), bytes);
    };
    put('holiday', walletFile('descriptor-hd'));
    put('secret', walletFile('descriptor-encrypted'));
    const backUpTo = (to: string) => [
      'run',
      'backup',
      '--all',
      to,
      '--offline',
      place,
      '--chain',
      'regtest',
      '--yes',
    ];
    // Only the last folder of a path may be missing, so that a typing mistake creates no others.
    expect((await ferry(backUpTo(join(folder, 'no', 'stick')))).code).toBe(1);
    expect(existsSync(join(folder, 'no'))).toBe(false);
    const { code, out } = await ferry(backUpTo(stick));
    expect(out).toContain('2 of 2 backed up');
    expect(code).toBe(0);
    const saved = readdirSync(stick).sort();
    expect(saved).toMatchObject([expect.stringMatching(/^holiday/), expect.stringMatching(/^secret/)]);
    for (const [at, kind] of (['descriptor-hd', 'descriptor-encrypted'] as const).entries()) {
      const copy = await ferry(['inspect', join(stick, saved[at] ?? ''), '--json']);
      const own = await ferry(['inspect', fileOf(kind), '--json']);
      const [backedUp, whole] = [copy, own].map((one) => z.decode(inspection, JSON.parse(one.out)));
      expect(backedUp?.descriptors).toEqual(whole?.descriptors);
    }
    // The node lists it but cannot load it, so its backup fails.
    put('broken', Buffer.from(walletFile('descriptor-hd')).fill(0, 4096));
    // To another folder: backup names contain the second, so the same folder would refuse another backup at once.
    const again = await ferry([...backUpTo(second), '--json']);
    expect(again.code).toBe(1);
    expect(again.err).toContain('2 of 3 backed up');
    const ran = z.decode(z.array(requests['plan.run'].output), JSON.parse(again.out));
    expect(ran.filter((run) => run.began && run.job.state === 'done')).toHaveLength(2);
    expect(readdirSync(second)).toHaveLength(2);
    expect(readdirSync(second).filter((name) => name.startsWith('broken'))).toEqual([]);
  });

  // SECURITY.md: Readers of what is left behind
  it('puts the old wallet back after an interrupted migration', async () => {
    const place = join(folder, 'interrupted');
    const { file, backup } = writeInterrupted(place, 'legacy-in-sqlite');
    const half = readFileSync(file);
    const line = ['put-back', 'big', '--offline', place, '--chain', 'regtest'];
    const planned = await ferry(['plan', ...line]);
    expect(planned).toMatchObject({ code: 0, err: '' });
    expect(planned.out).toContain('Put the old wallet back');
    expect(planned.out).toContain('big.interrupted-');
    expect(readFileSync(file)).toEqual(half);
    expect(await ferry(['run', ...line, '--yes'])).toMatchObject({ code: 0 });
    const aside = readdirSync(place).find((name) => name.startsWith('big.interrupted-')) ?? 'none';
    expect(readFileSync(join(place, aside, 'wallet.dat'))).toEqual(half);
    expect(readFileSync(backup)).toEqual(wholeLegacy());
    const back = await ferry(['inspect', file, '--json']);
    expect(z.decode(inspection, JSON.parse(back.out))).toMatchObject({ incomplete: null, problems: [] });
  });

  it('leaves no secret in its output, its arguments, or any file except wallets and their copies', () => {
    const WALLET_FILES: ReadonlySet<string> = new Set(['wallet.dat', 'new.dat', REPAIRED_FILE]);
    expect(secretsIn(Buffer.from(printedSoFar), secrets)).toEqual([]);
    const isWallet = (path: string) => WALLET_FILES.has(basename(path)) || path.endsWith('.legacy.bak');
    const files = [data, wallets, temporary].flatMap(filesBelow).filter((path) => !isWallet(path));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect([file, secretsIn(readFileSync(file), secrets)]).toEqual([file, []]);
    expect(filesBelow(temporary)).toEqual([]);
  });
});
