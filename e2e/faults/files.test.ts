/** Searches of disk images and texts with keys, while the app is killed, the disk is full, or the file changes. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { factsOf, walletFile } from '../../electron/walletfile/testing/wallets.ts';
import { requests } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { errorOfFailure } from '../../shared/model/findings/fileError.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { hashesBelow } from '../app/filesBelow.ts';
import { openServices } from '../services/services.ts';
import type { DiskFault } from './diskFault.ts';
import { bundleApp, launchApp, type RunningApp } from './launchApp.ts';
import { AGAIN, expectKnownOutcomes, type Row } from './reliability.ts';

const rows: Row[] = [];
const root = mkdtempSync(join(tmpdir(), 'ferry-files-'));
let program = '';

beforeAll(async () => {
  program = await bundleApp(root);
}, 120_000);
afterAll(() => removeTestFolder(root));

interface Paths {
  /** The app's data folder. */
  readonly data: string;
  readonly image: string;
  /** The folder for the found wallets. */
  readonly out: string;
  readonly text: string;
}

const [{ desc: DESCRIPTOR = '' } = {}] =
  factsOf('descriptor-hd').before.listdescriptors_private?.descriptors ?? [];
const NOISE = Buffer.from(Array.from({ length: 40 * 512 }, (_, at) => (at * 31) >> 3));

function prepare(): Paths {
  const folder = mkdtempSync(join(root, 'paths-'));
  const at = (name: string) => join(folder, name);
  const paths = { data: at('data'), image: at('disk.img'), out: at('out'), text: at('mine.txt') };
  mkdirSync(paths.out);
  writeFileSync(
    paths.image,
    Buffer.concat([NOISE, walletFile('legacy-hd'), NOISE, walletFile('legacy-imported')]),
  );
  writeFileSync(paths.text, DESCRIPTOR);
  return paths;
}

/** Works in a process with a fault, and ends the process. Null if the fault killed it. */
async function withFault(
  { data }: Paths,
  fault: DiskFault,
  work: (app: RunningApp) => Promise<unknown>,
): Promise<unknown> {
  const app = launchApp(program, data, fault);
  try {
    const answer = work(app).catch((thrown: unknown) => {
      if (thrown instanceof AppError) return thrown;
      return app.killed.then((wasKilled) => {
        expect(wasKilled).toBe(true);
        return null;
      });
    });
    return await answer;
  } finally {
    await app.kill();
  }
}

type Caller = Pick<RunningApp, 'call'>;

/** Works in this process, without a fault, as at the app's next start. */
async function afterwards<T>({ data }: Paths, work: (app: Caller) => Promise<T>): Promise<T> {
  const app = openServices(data);
  try {
    return await work(app);
  } finally {
    await app.services.close();
  }
}

const found = requests['files.searchImage'].output;

async function searched(app: Caller, { image, out }: Paths) {
  return found.parse(await app.call('files.searchImage', { path: image, folder: out, task: 'a' }));
}

/** Searches again without a fault, and expects both wallets whole and nothing incomplete. */
async function expectFound(paths: Paths): Promise<void> {
  const { wallets } = found.parse(await afterwards(paths, (app) => searched(app, paths)));
  expect(wallets.map(({ path }) => path)).toEqual([1, 2].map((at) => join(paths.out, `found-${at}.dat`)));
  const whole = [walletFile('legacy-hd'), walletFile('legacy-imported')];
  for (const { path } of wallets) {
    const bytes = readFileSync(path ?? '');
    expect(whole.some((one) => bytes.subarray(0, one.length).equals(one))).toBe(true);
  }
  expect(readdirSync(paths.out).sort()).toEqual(['found-1.dat', 'found-2.dat']);
  const names = Object.keys(hashesBelow(paths.data));
  expect(names.filter((name) => name.endsWith('.part') || name.endsWith('image-search.json'))).toEqual([]);
}

function row(
  job: 'search' | 'keys in a text',
  fault: string,
  where: string,
  answer: unknown,
  file: string,
): void {
  if (answer !== null && !(answer instanceof AppError)) throw new Error('It succeeded despite the fault.');
  if (answer !== null) expect(answer.hint).not.toBe('');
  const outcome = answer === null ? AGAIN : `refused: ${plain(answer)}`;
  rows.push({ fault, where, job, outcome, file, calls: 0 });
}

/** Removes from a message what differs between runs and between systems. */
function plain({ message }: AppError): string {
  return message
    .replaceAll('\\', '/')
    .replace(/ \S*paths-\w+\//, ' ')
    .replace(/wallet-in-use-\d+-.{6}/, 'its folder');
}

describe.concurrent('a search', () => {
  it('leaves nothing that looks like a wallet if the app is killed halfway through one', async () => {
    const paths = prepare();
    const image = readFileSync(paths.image);
    const answer = await withFault(
      paths,
      { call: 'file', folder: paths.out, ends: '.part', does: 'kill' },
      (app) => searched(app, paths),
    );
    expect(readdirSync(paths.out)).toEqual([expect.stringMatching(/^\..*\.part$/)]);
    await expectFound(paths);
    expect(readFileSync(paths.image).equals(image)).toBe(true);
    row('search', 'app killed', 'halfway through a found wallet', answer, 'image unchanged; wallets whole');
  });

  it('starts from the beginning if the app is killed as it saves its progress', async () => {
    const paths = prepare();
    // Several parts, so that the search has not ended when it is cancelled after the first.
    truncateSync(paths.image, 600_000_000);
    const answer = await withFault(
      paths,
      { call: 'rename', folder: paths.data, number: 1, does: 'kill before' },
      async (app) => {
        const search = searched(app, paths);
        await app.nextEvent('searchProgress');
        void app.call('tasks.cancel', { task: 'a' }).catch(() => {});
        return search;
      },
    );
    expect(Object.keys(hashesBelow(paths.data)).filter((name) => name.endsWith('.part'))).toHaveLength(1);
    expect(readdirSync(paths.out)).toEqual([]);
    await expectFound(paths);
    row('search', 'app killed', 'as it saves its progress', answer, 'image unchanged; wallets whole');
  });

  it('reports each wallet that does not fit on the disk, writes nothing, and can be repeated', async () => {
    const paths = prepare();
    const answer = found.parse(
      await withFault(paths, { call: 'file', folder: paths.out, ends: '.part', does: 'fill' }, (app) =>
        searched(app, paths),
      ),
    );
    expect(answer.wallets.map(({ path, error }) => [path, error?.code])).toEqual(
      Array.from({ length: 2 }, () => [null, 'no_space']),
    );
    expect(readdirSync(paths.out)).toEqual([]);
    await expectFound(paths);
    const [first] = answer.wallets;
    const error = first?.error ? AppError.fromShape(errorShapeOf(errorOfFailure(first.error))) : null;
    row(
      'search',
      'disk full (injected)',
      'halfway through each found wallet',
      error,
      'image unchanged; no wallet',
    );
  });

  it.each([
    { does: 'grow', code: 'file_changed', fault: 'image changed' },
    { does: 'remove', code: 'file_missing', fault: 'image removed' },
  ] as const)('of an $fault writes no wallet, and can be repeated', async ({ does, code, fault }) => {
    const paths = prepare();
    const answer = await withFault(paths, { call: 'read', path: paths.image, does }, (app) =>
      searched(app, paths),
    );
    expect(answer).toMatchObject({ code });
    expect(readdirSync(paths.out)).toEqual([]);
    if (does === 'remove') renameSync(`${paths.image}.away`, paths.image);
    await expectFound(paths);
    row('search', fault, 'while it is read', answer, 'no wallet');
  });
});

describe.concurrent('keys in a text', () => {
  const reading = ({ data }: Paths) =>
    existsSync(join(data, 'reading')) ? hashesBelow(join(data, 'reading')) : {};
  const pasted = (app: Caller) =>
    app.call('wallet.fromText', { from: { by: 'text', text: DESCRIPTOR }, network: 'regtest', task: 'a' });
  const ofFile = (app: Caller, { text }: Paths) =>
    app.call('wallet.fromText', { from: { by: 'file', path: text }, network: 'regtest', task: 'a' });

  /** Reads the text again without a fault, and expects that nothing is left of the first time. */
  async function expectWallet(paths: Paths): Promise<void> {
    const wallet = await afterwards(paths, async (app) => {
      const answer = requests['wallet.fromText'].output.parse(await pasted(app));
      if (answer.action === 'correct') throw new Error('the text is not damaged');
      expect(Object.keys(reading(paths)).filter((path) => !answer.path.endsWith(path))).toEqual([]);
      return readFileSync(answer.path);
    });
    expect(wallet.length).toBeGreaterThan(10_000);
  }

  const HALVES = [
    { ends: '.txt', where: 'halfway through the pasted text' },
    { ends: '.dat', where: 'halfway through its wallet' },
  ];

  it.each(HALVES)('are removed at the next start if the app is killed $where', async ({ ends, where }) => {
    const paths = prepare();
    const answer = await withFault(paths, { call: 'file', folder: paths.data, ends, does: 'kill' }, pasted);
    expect(Object.keys(reading(paths))).toContainEqual(expect.stringMatching(new RegExp(`\\${ends}$`)));
    await expectWallet(paths);
    row('keys in a text', 'app killed', where, answer, 'nothing left of it');
  });

  it.each(HALVES)('leave nothing behind if the disk is full $where', async ({ ends, where }) => {
    const paths = prepare();
    const answer = await withFault(paths, { call: 'file', folder: paths.data, ends, does: 'fill' }, pasted);
    expect(answer).toMatchObject({ code: 'no_space' });
    expect(reading(paths)).toEqual({});
    await expectWallet(paths);
    row('keys in a text', 'disk full (injected)', where, answer, 'nothing left of it');
  });

  it('are refused if their file changes while it is read', async () => {
    const paths = prepare();
    const answer = await withFault(paths, { call: 'read', path: paths.text, does: 'grow' }, (app) =>
      ofFile(app, paths),
    );
    expect(answer).toMatchObject({ code: 'file_changed' });
    expect(reading(paths)).toEqual({});
    writeFileSync(paths.text, DESCRIPTOR);
    expect(await afterwards(paths, (app) => ofFile(app, paths))).toMatchObject({ action: 'restore' });
    expect(readFileSync(paths.text, 'utf8')).toBe(DESCRIPTOR);
    row('keys in a text', 'file changed', 'while it is read', answer, 'nothing left of it');
  });
});

it('has the known outcomes', () => expectKnownOutcomes('Searches and texts', rows));
