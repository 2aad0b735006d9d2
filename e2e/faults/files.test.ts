/** Searches of a disk image, and texts with keys, in an app that is killed, on a full disk, and with the file changed. */
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
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { hashesBelow } from '../app/filesBelow.ts';
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

interface Place {
  /** Of the app. */
  readonly data: string;
  readonly image: string;
  /** Where found wallets go. */
  readonly out: string;
  readonly text: string;
}

const [{ desc: DESCRIPTOR = '' } = {}] =
  factsOf('descriptor-hd').before.listdescriptors_private?.descriptors ?? [];
const NOISE = Buffer.from(Array.from({ length: 40 * 512 }, (_, at) => (at * 31) >> 3));

function lay(): Place {
  const folder = mkdtempSync(join(root, 'place-'));
  const at = (name: string) => join(folder, name);
  const place = { data: at('data'), image: at('disk.img'), out: at('out'), text: at('mine.txt') };
  mkdirSync(place.out);
  writeFileSync(
    place.image,
    Buffer.concat([NOISE, walletFile('legacy-hd'), NOISE, walletFile('legacy-imported')]),
  );
  writeFileSync(place.text, DESCRIPTOR);
  return place;
}

/** Does it in a process of its own with a fault, which is gone then. Null: the process was killed. */
async function broken(
  { data }: Place,
  fault: DiskFault | null,
  work: (app: RunningApp) => Promise<unknown>,
): Promise<unknown> {
  const app = launchApp(program, data, fault);
  try {
    const answer = work(app).catch((thrown: unknown) => {
      if (thrown instanceof AppError) return thrown;
      return app.exited.then((signal) => {
        expect(signal).toBe('SIGKILL');
        return null;
      });
    });
    return await answer;
  } finally {
    await app.kill();
  }
}

const found = requests['files.searchImage'].output;

async function searched(app: RunningApp, { image, out }: Place) {
  return found.parse(await app.call('files.searchImage', { path: image, folder: out, task: 'a' }));
}

/** The search once more, without a fault: it finds both, whole, and leaves nothing incomplete. */
async function expectFound(place: Place): Promise<void> {
  const { wallets } = found.parse(await broken(place, null, (app) => searched(app, place)));
  expect(wallets.map(({ path }) => path)).toEqual([1, 2].map((at) => join(place.out, `found-${at}.dat`)));
  const whole = [walletFile('legacy-hd'), walletFile('legacy-imported')];
  for (const { path } of wallets) {
    const bytes = readFileSync(path ?? '');
    expect(whole.some((one) => bytes.subarray(0, one.length).equals(one))).toBe(true);
  }
  expect(readdirSync(place.out).sort()).toEqual(['found-1.dat', 'found-2.dat']);
  const names = Object.keys(hashesBelow(place.data));
  expect(names.filter((name) => name.endsWith('.part') || name.endsWith('image-search.json'))).toEqual([]);
}

function row(
  job: 'search' | 'keys in a text',
  fault: string,
  where: string,
  answer: unknown,
  file: string,
): void {
  if (answer !== null && !(answer instanceof AppError)) throw new Error('It went through.');
  if (answer !== null) expect(answer.hint).not.toBe('');
  const outcome = answer === null ? AGAIN : `refused: ${plain(answer)}`;
  rows.push({ fault, where, job, outcome, file, calls: 0 });
}

/** Without what differs from run to run. */
function plain({ message }: AppError): string {
  return message.replace(/ \S*place-\w+\//, ' ').replace(/wallet-in-use-\d+-.{6}/, 'its folder');
}

describe.concurrent('a search', () => {
  it('whose app is killed half through a wallet leaves nothing that looks like one', async () => {
    const place = lay();
    const image = readFileSync(place.image);
    const answer = await broken(
      place,
      { call: 'file', folder: place.out, ends: '.part', does: 'kill' },
      (app) => searched(app, place),
    );
    expect(readdirSync(place.out)).toEqual([expect.stringMatching(/^\..*\.part$/)]);
    await expectFound(place);
    expect(readFileSync(place.image).equals(image)).toBe(true);
    row('search', 'app killed', 'half through a found wallet', answer, 'image as it was; wallets whole');
  });

  it('whose app is killed as it saves its progress starts again from the beginning', async () => {
    const place = lay();
    // More than is looked at in one part.
    truncateSync(place.image, 150_000_000);
    const answer = await broken(
      place,
      { call: 'rename', folder: place.data, number: 1, does: 'kill before' },
      async (app) => {
        const search = searched(app, place);
        await app.heard('searchProgress');
        void app.call('tasks.cancel', { task: 'a' }).catch(() => {});
        return search;
      },
    );
    expect(Object.keys(hashesBelow(place.data)).filter((name) => name.endsWith('.part'))).toHaveLength(1);
    expect(readdirSync(place.out)).toEqual([]);
    await expectFound(place);
    row('search', 'app killed', 'as it writes down how far it is', answer, 'image as it was; wallets whole');
  });

  it('on a full disk writes nothing, says so of each wallet, and can be done again', async () => {
    const place = lay();
    const answer = found.parse(
      await broken(place, { call: 'file', folder: place.out, ends: '.part', does: 'fill' }, (app) =>
        searched(app, place),
      ),
    );
    expect(answer.wallets.map(({ path, error }) => [path, error?.code])).toEqual(
      Array.from({ length: 2 }, () => [null, 'no_space']),
    );
    expect(readdirSync(place.out)).toEqual([]);
    await expectFound(place);
    const [first] = answer.wallets;
    const error = first?.error ? AppError.fromShape(errorShapeOf(errorOfFailure(first.error))) : null;
    row(
      'search',
      'disk full (put in)',
      'half through each found wallet',
      error,
      'image as it was; no wallet',
    );
  });

  it.each([
    { does: 'grow', code: 'file_changed', fault: 'image changed under it' },
    { does: 'remove', code: 'file_missing', fault: 'image gone under it' },
  ] as const)('of an $fault gives no wallet, and can be done again', async ({ does, code, fault }) => {
    const place = lay();
    const answer = await broken(place, { call: 'read', path: place.image, does }, (app) =>
      searched(app, place),
    );
    expect(answer).toMatchObject({ code });
    expect(readdirSync(place.out)).toEqual([]);
    if (does === 'remove') renameSync(`${place.image}.away`, place.image);
    await expectFound(place);
    row('search', fault, 'while it is read', answer, 'no wallet');
  });
});

describe.concurrent('keys in a text', () => {
  const reading = ({ data }: Place) =>
    existsSync(join(data, 'reading')) ? hashesBelow(join(data, 'reading')) : {};
  const pasted = (app: RunningApp) =>
    app.call('wallet.fromText', { from: { by: 'text', text: DESCRIPTOR }, network: 'regtest', task: 'a' });
  const ofFile = (app: RunningApp, { text }: Place) =>
    app.call('wallet.fromText', { from: { by: 'file', path: text }, network: 'regtest', task: 'a' });

  /** The same without a fault: nothing is left of the time before, and nothing of it once that process has ended too. */
  async function expectMade(place: Place): Promise<void> {
    const made = await broken(place, null, async (app) => {
      const answer = requests['wallet.fromText'].output.parse(await pasted(app));
      if (answer.action === 'correct') throw new Error('the text is not damaged');
      expect(Object.keys(reading(place)).filter((path) => !answer.path.endsWith(path))).toEqual([]);
      return readFileSync(answer.path);
    });
    expect(Buffer.isBuffer(made) && made.length > 10_000).toBe(true);
  }

  const HALVES = [
    { ends: '.txt', where: 'half through what was pasted' },
    { ends: '.dat', where: 'half through the wallet of it' },
  ];

  it.each(HALVES)('in an app that is killed $where: it goes with the next start', async ({ ends, where }) => {
    const place = lay();
    const answer = await broken(place, { call: 'file', folder: place.data, ends, does: 'kill' }, pasted);
    expect(Object.keys(reading(place))).toContainEqual(expect.stringMatching(new RegExp(`\\${ends}$`)));
    await expectMade(place);
    row('keys in a text', 'app killed', where, answer, 'nothing left of it');
  });

  it.each(HALVES)('on a disk that is full $where: nothing is left', async ({ ends, where }) => {
    const place = lay();
    const answer = await broken(place, { call: 'file', folder: place.data, ends, does: 'fill' }, pasted);
    expect(answer).toMatchObject({ code: 'no_space' });
    expect(reading(place)).toEqual({});
    await expectMade(place);
    row('keys in a text', 'disk full (put in)', where, answer, 'nothing left of it');
  });

  it('of a file that changes while it is read are not taken', async () => {
    const place = lay();
    const answer = await broken(place, { call: 'read', path: place.text, does: 'grow' }, (app) =>
      ofFile(app, place),
    );
    expect(answer).toMatchObject({ code: 'file_changed' });
    expect(reading(place)).toEqual({});
    writeFileSync(place.text, DESCRIPTOR);
    expect(await broken(place, null, (app) => ofFile(app, place))).toMatchObject({ action: 'restore' });
    expect(readFileSync(place.text, 'utf8')).toBe(DESCRIPTOR);
    row('keys in a text', 'file changed under it', 'while it is read', answer, 'nothing left of it');
  });
});

it('comes to the known outcomes', () => expectKnownOutcomes('Searches and texts', rows));
