/** Searches on made encryptions with few rounds, and on the recorded wallet. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile, fixturePassphrase } from '../../e2e/testNode/walletFixture.ts';
import type { Finding } from '../../shared/model/findings/finding.ts';
import {
  memoryOf,
  NO_VARIATIONS,
  type PassphraseMemory,
} from '../../shared/model/search/passphraseMemory.ts';
import type { SearchProgress } from '../../shared/model/search/searches.ts';
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

function memory(pieces: string, ways: Partial<PassphraseMemory> = {}): PassphraseMemory {
  return memoryOf(pieces, { ...NO_VARIATIONS, ...ways }) ?? expect.fail('No pieces.');
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-passphrase-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const searchWith = (work: WalletWork = walletWorkHere) => createPassphraseSearch(work, folder, 2);
const asked = (what: PassphraseMemory, told: SearchProgress[] = []) => ({
  memory: what,
  goOn: true,
  report: (progress: SearchProgress) => void told.push(progress),
});

describe('a search', () => {
  it.each<[string, string | Uint8Array, PassphraseMemory]>([
    ['an order', 'horse battery', memory('battery\nhorse', { orders: true, spaces: true })],
    ['Caps Lock', 'cORRECThORSE', memory('Correct\nHorse', { capitals: true })],
    ['a typing error', 'corect', memory('correct', { typos: 1 })],
    ['another keyboard', 'yebra', memory('zebra', { keyboards: true })],
    ['a code page', Uint8Array.from([0x66, 0x81, 0x72]), memory('für', { encodings: true })],
    ['a zero byte', 'before', memory('before\\0after')],
  ])('finds %s', async (_, passphrase, what) => {
    const { found } = await searchWith().run(await encryptedUnder(passphrase), asked(what), never);
    expect(found?.hex).toBe(Buffer.from(passphrase).toString('hex'));
    expect(found?.text).toBe(typeof passphrase === 'string' ? passphrase : null);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('finds that of the recorded wallet', async () => {
    const passphrase = fixturePassphrase('legacy-hd-encrypted');
    const [first = '', ...rest] = passphrase;
    const encryption = await walletWorkHere(
      { kind: 'encryption', task: { path: fixtureFile('legacy-hd-encrypted') } },
      never,
    );
    const what = memory(`x|${first.toUpperCase()}\n${rest.join('')}`, { capitals: true });
    const { found } = await searchWith().run(encryption, asked(what), never);
    expect(found?.text).toBe(passphrase);
  }, 60_000);

  it('tells that none fits, after as many tries as it said before', async () => {
    const told: SearchProgress[] = [];
    const encryption = await encryptedUnder('something else');
    const what = memory('correct', { typos: 1 });
    const { tries, exact } = searchWith().count(encryption, what);
    expect(exact).toBe(true);
    expect(await searchWith().run(encryption, asked(what, told), never)).toEqual({
      tried: tries,
      found: null,
    });
    expect(told.at(-1)).toMatchObject({ done: tries, total: tries });
  });
});

describe('a stopped search', () => {
  const what = memory('correct', { typos: 2 });
  const dear = 200_000;

  async function stopAfter(batches: number, encryption: Encryption) {
    const stop = new AbortController();
    let begun = 0;
    const tries: string[] = [];
    const work: WalletWork = async (task, signal) => {
      begun += 1;
      if (begun > batches) {
        // Once the other thread is done.
        setImmediate(() => stop.abort(new Error('stopped')));
        await once(signal, 'abort');
      }
      signal.throwIfAborted();
      const { passphrases } = task.task as WalletTasks['tryPassphrases'];
      tries.push(...passphrases.map((bytes) => Buffer.from(bytes).toString()));
      return null as never;
    };
    await expect(searchWith(work).run(encryption, asked(what), stop.signal)).rejects.toThrow(
      new Error('stopped'),
    );
    return tries;
  }

  // SECURITY.md: Whoever reads what is left behind
  it('goes on where it was, and writes down nothing that is secret', async () => {
    const encryption = await encryptedUnder('x', dear);
    const first = await stopAfter(4, encryption);
    const [name = ''] = readdirSync(folder);
    const kept = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    expect(Object.keys(kept)).toEqual(['salt', 'tries', 'pieces', 'done']);
    expect(kept).toMatchObject({
      salt: '0102030405060708',
      pieces: expect.stringMatching(/^[0-9a-f]{3}$/),
      done: first.length,
    });
    expect(searchWith().count(encryption, what).done).toBe(first.length);
    const second = await stopAfter(4, encryption);
    expect(second.length).toBeGreaterThan(0);
    expect(first.filter((one) => second.includes(one))).toEqual([]);
  });

  it('has written down where it was before its threads end', async () => {
    const encryption = await encryptedUnder('x', dear);
    const stop = new AbortController();
    let begun = 0;
    const endless: WalletWork = () => {
      begun += 1;
      return begun <= 2 ? Promise.resolve(null as never) : new Promise(() => {});
    };
    const told: SearchProgress[] = [];
    void searchWith(endless).run(encryption, asked(what, told), stop.signal);
    await expect.poll(() => told.length).toBe(2);
    stop.abort();
    expect(searchWith().count(encryption, what)).toMatchObject({ done: told[1]?.done });
    expect(told[1]?.done).toBeGreaterThan(0);
  });

  it('begins anew for another wallet, for other pieces, or when it is told to', async () => {
    const encryption = await encryptedUnder('x', dear);
    await stopAfter(2, encryption);
    const { masterKeys, samples } = encryption;
    const other = { masterKeys: masterKeys.map((key) => ({ ...key, salt: new Uint8Array(8) })), samples };
    expect(searchWith().count(other, what)).toMatchObject({ done: 0, others: false });
    expect(searchWith().count(encryption, memory('horse', { typos: 2 }))).toMatchObject({
      done: 0,
      others: true,
    });
    const changed = memory('carrots', { typos: 2 });
    const [before, now] = [what, changed].map((one) => searchWith().count(encryption, one));
    expect(now?.tries).toBe(before?.tries);
    expect(now).toMatchObject({ done: 0, others: true });
    expect(before).toMatchObject({ others: false });
    expect(before?.done).toBeGreaterThan(0);
    const told: SearchProgress[] = [];
    const quick: WalletWork = async () => 0 as never;
    await searchWith(quick).run(encryption, { ...asked(what, told), goOn: false }, never);
    expect(told[0]?.done).toBeLessThan(1000);
  });

  it('begins anew where the file cannot be understood', async () => {
    const encryption = await encryptedUnder('x');
    writeFileSync(join(folder, 'passphrase-search.json'), '{"done": "many"');
    expect(searchWith().count(encryption, memory('a')).done).toBe(0);
  });
});

describe('a search is refused', () => {
  const refusal = (finding: Finding) => expect.objectContaining({ finding });

  it('without encryption, and without a key that proves a passphrase', async () => {
    const search = searchWith();
    expect(() => search.count(null, memory('a'))).toThrow(refusal({ code: 'wallet_not_encrypted' }));
    const { masterKeys } = await encryptedUnder('a');
    expect(() => search.count({ masterKeys, samples: [] }, memory('a'))).toThrow(
      refusal({ code: 'encryption_record_damaged' }),
    );
  });

  it('where it would never end', async () => {
    const what = memory('correct\nhorse\nbattery', { typos: 2, orders: true, capitals: true });
    const encryption = await encryptedUnder('a');
    expect(() => searchWith().count(encryption, what)).toThrow(
      refusal({ code: 'too_many_tries', most: 100_000_000 }),
    );
    await expect(searchWith().run(encryption, asked(what), never)).rejects.toMatchObject({
      code: 'beyond_limits',
    });
  });

  it('ends with the error of a thread', async () => {
    const broken: WalletWork = async () => {
      throw new Error('out of memory');
    };
    const encryption = await encryptedUnder('a');
    await expect(searchWith(broken).run(encryption, asked(memory('a\n?b')), never)).rejects.toThrow(
      new Error('out of memory'),
    );
  });
});
