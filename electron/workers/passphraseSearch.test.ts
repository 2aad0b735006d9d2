/** Searches on generated encryptions with few rounds, and on the recorded wallet. */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile, fixturePassphrase } from '../../e2e/testNode/walletFixture.ts';
import type { Finding } from '../../shared/model/findings/finding.ts';
import type { SearchProgress } from '../../shared/model/searches.ts';
import { NO_VARIATIONS, type PassphraseClues, parseClues } from '../../shared/model/searches.ts';
import { failing } from '../files/testing/failing.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { encryptKey } from '../walletfile/keys/crypter.ts';
import { makeStoredKey } from '../walletfile/keys/privateKey.ts';
import type { Encryption } from '../walletfile/records/encryption.ts';
import { encryptMasterKey } from '../walletfile/testing/encryptMasterKey.ts';
import { createPassphraseSearch } from './passphraseSearch.ts';
import { walletWorkHere } from './testing/walletWorkHere.ts';
import type { WalletTasks } from './walletTask.ts';
import type { WalletWork } from './walletWork.ts';

const never = new AbortController().signal;
const salt = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]);

async function encryptedUnder(passphrase: string | Uint8Array, rounds = 3): Promise<Encryption> {
  const masterKey = new Uint8Array(32).fill(0x4d);
  const privateKey = new Uint8Array(32).fill(7);
  const { publicKey } = makeStoredKey({ privateKey, compressed: true });
  return {
    masterKeys: [await encryptMasterKey(masterKey, passphrase, salt, rounds)],
    samples: [{ publicKey, encrypted: encryptKey(masterKey, publicKey, privateKey) }],
  };
}

function clues(pieces: string, variations: Partial<PassphraseClues> = {}): PassphraseClues {
  return parseClues(pieces, { ...NO_VARIATIONS, ...variations }) ?? expect.fail('No pieces.');
}

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const searchWith = (work: WalletWork = walletWorkHere) => createPassphraseSearch(work, folder, 2);
const request = (remembered: PassphraseClues, reports: SearchProgress[] = []) => ({
  clues: remembered,
  resume: true,
  report: (progress: SearchProgress) => void reports.push(progress),
});

describe('a search', () => {
  it.each<[string, string | Uint8Array, PassphraseClues]>([
    ['an order', 'horse battery', clues('battery\nhorse', { orders: true, spaces: true })],
    ['Caps Lock', 'cORRECThORSE', clues('Correct\nHorse', { capitals: true })],
    ['a typing error', 'corect', clues('correct', { typos: 1 })],
    ['another keyboard', 'yebra', clues('zebra', { keyboards: true })],
    ['a code page', Uint8Array.from([0x66, 0x81, 0x72]), clues('für', { encodings: true })],
    ['a zero byte', 'before', clues('before\\0after')],
  ])('finds %s', async (_, passphrase, remembered) => {
    const { found } = await searchWith().run(await encryptedUnder(passphrase), request(remembered), never);
    expect(found?.hex).toBe(Buffer.from(passphrase).toString('hex'));
    expect(found?.text).toBe(typeof passphrase === 'string' ? passphrase : null);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('finds the passphrase of the recorded wallet', async () => {
    const passphrase = fixturePassphrase('legacy-hd-encrypted');
    const [first = '', ...rest] = passphrase;
    const encryption = await walletWorkHere(
      { kind: 'encryption', task: { path: fixtureFile('legacy-hd-encrypted') } },
      never,
    );
    const remembered = clues(`x|${first.toUpperCase()}\n${rest.join('')}`, { capitals: true });
    const { found } = await searchWith().run(encryption, request(remembered), never);
    expect(found?.text).toBe(passphrase);
  }, 60_000);

  it('finds nothing after the predicted number of tries', async () => {
    const reports: SearchProgress[] = [];
    const encryption = await encryptedUnder('something else');
    const remembered = clues('correct', { typos: 1 });
    const { tries, exact } = searchWith().count(encryption, remembered);
    expect(exact).toBe(true);
    const result = await searchWith().run(encryption, request(remembered, reports), never);
    expect(result).toEqual({ tried: tries, found: null });
    expect(reports.at(-1)).toMatchObject({ done: tries, total: tries });
  });
});

describe('a stopped search', () => {
  const remembered = clues('correct', { typos: 2 });
  const manyRounds = 200_000;

  async function stopAfter(batches: number, encryption: Encryption) {
    const stop = new AbortController();
    let started = 0;
    const tries: string[] = [];
    const work: WalletWork = async (task, signal) => {
      started += 1;
      if (started > batches) {
        // After the other thread is done.
        setImmediate(() => stop.abort(new Error('stopped')));
        await once(signal, 'abort');
      }
      signal.throwIfAborted();
      const { passphrases } = task.task as WalletTasks['tryPassphrases'];
      tries.push(...passphrases.map((bytes) => Buffer.from(bytes).toString()));
      return null as never;
    };
    const searching = searchWith(work).run(encryption, request(remembered), stop.signal);
    await expect(searching).rejects.toThrow(new Error('stopped'));
    return tries;
  }

  // SECURITY.md: Readers of what is left behind
  it('continues where it stopped, and saves no secret', async () => {
    const encryption = await encryptedUnder('x', manyRounds);
    const first = await stopAfter(4, encryption);
    const [name = ''] = readdirSync(folder);
    const kept = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    expect(Object.keys(kept)).toEqual(['salt', 'tries', 'pieces', 'done']);
    const pieces = expect.stringMatching(/^[0-9a-f]{3}$/);
    expect(kept).toMatchObject({ salt: '0102030405060708', pieces, done: first.length });
    expect(searchWith().count(encryption, remembered).done).toBe(first.length);
    const second = await stopAfter(4, encryption);
    expect(second.length).toBeGreaterThan(0);
    expect(first.filter((one) => second.includes(one))).toEqual([]);
  });

  it('saves its position before its threads end', async () => {
    const encryption = await encryptedUnder('x', manyRounds);
    const stop = new AbortController();
    let started = 0;
    const endless: WalletWork = () => {
      started += 1;
      return started <= 2 ? Promise.resolve(null as never) : new Promise(() => {});
    };
    const reports: SearchProgress[] = [];
    void searchWith(endless).run(encryption, request(remembered, reports), stop.signal);
    await expect.poll(() => reports.length).toBe(2);
    stop.abort();
    expect(searchWith().count(encryption, remembered)).toMatchObject({ done: reports[1]?.done });
    expect(reports[1]?.done).toBeGreaterThan(0);
  });

  it('starts again for another wallet, for other pieces, or on request', async () => {
    const encryption = await encryptedUnder('x', manyRounds);
    await stopAfter(2, encryption);
    const { masterKeys, samples } = encryption;
    const other = { masterKeys: masterKeys.map((key) => ({ ...key, salt: new Uint8Array(8) })), samples };
    expect(searchWith().count(other, remembered)).toMatchObject({ done: 0, others: false });
    const horse = searchWith().count(encryption, clues('horse', { typos: 2 }));
    expect(horse).toMatchObject({ done: 0, others: true });
    const changed = clues('carrots', { typos: 2 });
    const [before, now] = [remembered, changed].map((one) => searchWith().count(encryption, one));
    expect(now?.tries).toBe(before?.tries);
    expect(now).toMatchObject({ done: 0, others: true });
    expect(before).toMatchObject({ others: false });
    expect(before?.done).toBeGreaterThan(0);
    const reports: SearchProgress[] = [];
    const quick: WalletWork = async () => 0 as never;
    await searchWith(quick).run(encryption, { ...request(remembered, reports), resume: false }, never);
    expect(reports[0]?.done).toBeLessThan(1000);
  });

  it('starts again if its file is damaged', async () => {
    const encryption = await encryptedUnder('x');
    writeFileSync(join(folder, 'passphrase-search.json'), '{"done": "many"');
    expect(searchWith().count(encryption, clues('a')).done).toBe(0);
  });
});

describe('a refused search', () => {
  const refusal = (finding: Finding) => expect.objectContaining({ finding });

  it('has no encryption, or no key that proves a passphrase', async () => {
    const search = searchWith();
    expect(() => search.count(null, clues('a'))).toThrow(refusal({ code: 'wallet_not_encrypted' }));
    const { masterKeys } = await encryptedUnder('a');
    expect(() => search.count({ masterKeys, samples: [] }, clues('a'))).toThrow(
      refusal({ code: 'encryption_record_damaged' }),
    );
  });

  it('would never end', async () => {
    const remembered = clues('correct\nhorse\nbattery', { typos: 2, orders: true, capitals: true });
    const encryption = await encryptedUnder('a');
    const tooMany = refusal({ code: 'too_many_tries', most: 100_000_000 });
    expect(() => searchWith().count(encryption, remembered)).toThrow(tooMany);
    const searching = searchWith().run(encryption, request(remembered), never);
    await expect(searching).rejects.toMatchObject({ code: 'beyond_limits' });
  });

  it('may fail with the error of a thread', async () => {
    const error = new Error('out of memory');
    const searching = searchWith(failing(error)).run(
      await encryptedUnder('a'),
      request(clues('a\n?b')),
      never,
    );
    await expect(searching).rejects.toThrow(error);
  });
});
