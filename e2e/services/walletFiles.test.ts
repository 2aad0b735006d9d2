/** Requests about wallet files: rescues, pasted keys, searches and exports. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HAS_MODES } from '../../electron/files/testing/system.ts';
import { repairDescriptors } from '../../electron/recovery/repair/repairDescriptors.ts';
import { writeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { writeWif } from '../../electron/walletfile/keys/privateKey.ts';
import { typeIn } from '../../electron/walletfile/records/records.ts';
import { entriesOf, factsOf } from '../../electron/walletfile/testing/wallets.ts';
import { REPAIRED_FILE } from '../../electron/workers/repairRequest.ts';
import { events, requests } from '../../shared/contract.ts';
import { type Inspection, inspection } from '../../shared/model/inspection.ts';
import { plan } from '../../shared/model/plan.ts';
import { hashesBelow } from '../app/filesBelow.ts';
import { fixtureFile, fixturePassphrase } from '../testNode/testNode.ts';
import { type Bench, startBench } from './services.ts';

const wallet = (name: string) => ({ by: 'wallet', name }) as const;
const file = (path: string) => ({ by: 'file', path }) as const;

async function started(...[release, scenario]: Parameters<typeof startBench>): Promise<Bench> {
  const bench = await startBench(release, scenario);
  onTestFinished(bench.close);
  return bench;
}

/** Parses an inspection as the page does, with the amounts turned back into bigint. */
async function inspected({ call }: Bench, input: unknown): Promise<Inspection> {
  const value = await call('wallet.inspect', input);
  expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  return inspection.parse(value);
}

/** A plan to migrate a wallet of the node, without answers. */
async function planned({ call }: Bench, name: string) {
  const request = { action: 'migrate', source: wallet(name), answers: {} };
  return { plan: plan.parse(await call('plan.make', request)).id, answers: {} };
}

/** The copies that the app has left in its data folder for reading. */
function copiesLeft({ folder }: Bench): string[] {
  const reading = join(folder, 'data', 'reading');
  return existsSync(reading) ? readdirSync(reading) : [];
}

describe('a damaged descriptor wallet', () => {
  /** An encrypted wallet without the cache of its public keys. */
  async function locked(it: Bench) {
    const entries = (await entriesOf('descriptor-encrypted')).filter(
      ({ key }) => !/^walletdescriptor(lh)?cache$/.test(typeIn(key)),
    );
    const bytes = await writeSqlite(entries, 'regtest');
    const path = join(it.folder, 'locked.dat');
    writeFileSync(path, bytes);
    await it.connect();
    const rescue = { action: 'rescue', source: file(path), answers: { name: 'saved' } } as const;
    return { path, bytes, rescue };
  }
  const passphrase = fixturePassphrase('descriptor-encrypted');
  const copies = ({ folder }: Bench) =>
    Object.keys(hashesBelow(join(folder, 'data', 'safety copies'))).map((path) => basename(path));

  it.each([
    { typed: undefined, sealed: 1 },
    { typed: passphrase, sealed: 0 },
  ])('is restored as a repaired file with the passphrase $typed', async ({ typed, sealed }) => {
    const it = await started('31.0');
    const { path, bytes, rescue } = await locked(it);
    const repaired = await repairDescriptors(bytes, { network: 'regtest', passphrase: typed });
    it.node.treatAs(repaired?.bytes ?? bytes, 'descriptor-encrypted');
    const { id, kind, facts, asks, calls, makes } = plan.parse(await it.call('plan.make', rescue));
    expect({ kind, sealed: facts.rescue?.sealed, makes }).toMatchObject({
      kind: 'restore',
      sealed: 1,
      makes: [{ descriptors: null }],
    });
    expect(asks).toContainEqual(
      expect.objectContaining({ ask: 'passphrase', needed: false, canBeTried: true }),
    );
    expect(JSON.stringify(calls)).toContain(REPAIRED_FILE);
    for (const [passphrase, verdict] of [
      ['wrong', 'blocker'],
      [fixturePassphrase('descriptor-encrypted'), 'fine'],
    ])
      expect(await it.call('plan.tryPassphrase', { plan: id, passphrase })).toMatchObject({ verdict });
    const ended = await it.run({ ...rescue, ...(typed === undefined ? {} : { passphrase: typed }) });
    expect(ended).toMatchObject({
      kind: 'restore',
      state: 'done',
      result: { walletName: 'saved', backupFile: path, rescue: { sealed } },
    });
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    expect(copies(it).sort()).toEqual(['copy.json', 'wallet.dat']);
    const restored = readFileSync(join(it.node.walletsFolder, 'saved', 'wallet.dat'));
    expect(restored).toEqual(Buffer.from(repaired?.bytes ?? []));
    const found = await inspected(it, { source: file(join(it.node.walletsFolder, 'saved', 'wallet.dat')) });
    expect(found.descriptors.total > 0).toBe(typed !== undefined);
  });

  it('is not sent to the node with a wrong passphrase', async () => {
    const it = await started('31.0');
    const { rescue } = await locked(it);
    const ended = await it.run({ ...rescue, passphrase: 'wrong' });
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'wrong_passphrase' } });
    expect(it.node.countCalls('restorewallet')).toBe(0);
    expect(copies(it).sort()).toEqual(['copy.json', 'wallet.dat']);
  });
});

describe('without a node', () => {
  it('keeps pasted keys in a temporary folder until the app closes', async () => {
    const it = await started('31.0');
    const wif = writeWif({ privateKey: new Uint8Array(32).fill(5), compressed: true }, 'regtest');
    const opened = async (text: string) => {
      const input = { from: { by: 'text', text }, network: 'regtest' };
      const answer = requests['wallet.fromText'].output.parse(await it.call('wallet.fromText', input));
      if (answer.action === 'correct') throw new Error('the text is not damaged');
      return answer;
    };
    const key = await opened(`${wif} paper`);
    expect(key).toMatchObject({ action: 'rescue', network: 'regtest' });
    if (HAS_MODES) expect(statSync(key.path).mode & 0o777).toBe(0o600);
    expect(await inspected(it, { source: file(key.path), network: 'regtest', rescue: true })).toMatchObject({
      kind: 'legacy',
      keys: { plain: 1 },
      // Keys alone have no balance.
      balance: { newestTransaction: null, lastBlock: null },
    });
    await expect(it.call('files.inspect', { path: key.path })).resolves.toMatchObject({
      name: 'pasted-keys.txt',
      temporary: true,
    });
    const sealed = await opened('6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo');
    const locked = await inspected(it, { source: file(sealed.path), network: 'main', rescue: true });
    expect(locked).toMatchObject({ keys: { plain: 0, encrypted: 1 }, encryption: null });
    expect(locked.problems.map(({ finding }) => finding)).toContainEqual({ code: 'keys_locked', count: 1 });
    const [{ desc = '' } = {}] = factsOf('descriptor-hd').before.listdescriptors_private?.descriptors ?? [];
    const wallet = await opened(desc);
    expect(wallet).toMatchObject({ action: 'restore', notes: [] });
    expect(readdirSync(dirname(wallet.path))).toEqual(['pasted-keys.dat']);
    const text = join(it.folder, 'mine.txt');
    const pasted = { from: { by: 'text', text: `${wif}\n${wif.slice(0, -1)}x` }, network: 'regtest' };
    const damaged = await it.call('wallet.fromText', pasted);
    expect(damaged).toMatchObject({
      action: 'correct',
      lines: { taken: 1, damaged: [{ line: 2, why: 'checksum' }], states: ['taken', 'damaged'] },
    });
    expect(await it.call('wallet.fromText', { ...pasted, withoutDamaged: true })).toMatchObject({
      action: 'rescue',
    });
    const keyless = { ...pasted, from: { by: 'text', text: `{\n"active": true,\n${wif}\nmy dog` } };
    expect(await it.call('wallet.fromText', keyless)).toMatchObject({
      action: 'correct',
      lines: { keys: 1, damaged: [], states: ['empty', 'empty', 'taken', 'other'] },
    });
    const [bare = ''] = desc.split('#');
    writeFileSync(text, bare);
    const input = { from: { by: 'file', path: text }, network: 'regtest' };
    await expect(it.call('wallet.fromText', input)).resolves.toMatchObject({
      action: 'restore',
      notes: ['unchecked'],
    });
    await expect(it.call('files.inspect', { path: text })).resolves.toMatchObject({
      name: 'mine.txt',
      temporary: false,
    });
    expect(copiesLeft(it)).toHaveLength(5);
    await expect(opened('a cat')).rejects.toMatchObject({ code: 'bad_input' });
    // The first words of BIP 39, numbered as people write them.
    const words = ['abandon', 'Ability', 'able', 'about', 'above', 'absent', 'absorb', 'abstract']
      .concat('absurd', 'abuse', 'access', 'accident')
      .map((word, at) => `${at + 1}. ${word}\n`);
    await expect(opened(words.join(''))).rejects.toMatchObject({
      message: 'Not for Bitcoin Core: 12 seed words.',
      hint: expect.stringContaining('Wrong checksum'),
    });
    await expect(opened(words.slice(1).join(''))).rejects.toMatchObject({ message: 'No keys in this text.' });
    expect(copiesLeft(it)).toHaveLength(5);
    expect(await it.call('files.recent', {})).toEqual({ files: [] });
    await it.services.close();
    expect(copiesLeft(it)).toEqual([]);
    expect(readFileSync(text, 'utf8')).toBe(bare);
  });

  it('finds wallet files only in the searched folders, and remembers the opened ones', async () => {
    const it = await started('31.0');
    const home = join(it.folder, 'home');
    vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
    const [path, other] = ['Documents', 'Music'].map((name) => join(home, name, 'old.bin')) as [
      string,
      string,
    ];
    for (const one of [path, other]) {
      mkdirSync(dirname(one), { recursive: true });
      copyFileSync(fixtureFile('legacy-hd'), one);
    }
    expect(await it.call('files.places', {})).toMatchObject({
      places: expect.arrayContaining([
        { path: home, kind: 'home' },
        { path: parse(home).root, kind: 'system' },
      ]),
    });
    const search = async (task: string, folders: string[]) => {
      await it.call('files.search', { task, folders });
      return it.events
        .flatMap(({ name, value }) => (name === 'searched' ? [events.searched.parse(value)] : []))
        .flatMap((progress) => (progress.task === task ? progress.found.map((one) => one.path) : []))
        .toSorted();
    };
    expect(await search('a', [dirname(path)])).toEqual([path]);
    expect(await search('b', [home])).toEqual([path, other]);
    expect(await search('c', [])).toEqual([]);
    expect(await it.call('files.recent', {})).toEqual({ files: [] });
    await inspected(it, { source: file(path) });
    expect(await it.call('files.recent', {})).toMatchObject({ files: [{ path, kind: 'legacy-wallet' }] });
    await it.call('files.forget', { path: null });
    expect(await it.call('files.recent', {})).toEqual({ files: [] });
    vi.unstubAllEnvs();
  });
});

it('keeps passphrases and private keys out of every answer', async () => {
  const it = await started('31.0');
  await it.connect();
  const passphrase = fixturePassphrase('legacy-hd-encrypted');
  const ask = { source: wallet('legacy-hd-encrypted'), private: true, format: 'lines' };
  const migration = await planned(it, 'legacy-hd-encrypted');
  const answers = [
    await it.services.call('wallet.tryPassphrase', { ...ask, passphrase }),
    await it.services.call('wallet.tryPassphrase', { ...ask, passphrase: `${passphrase} wrong` }),
    await it.services.call('plan.rehearse', { ...migration, passphrase: `${passphrase} wrong` }),
    await it.services.call('wallet.export', {
      ...ask,
      passphrase: `${passphrase} wrong`,
      destination: join(it.folder, 'one.txt'),
    }),
    await it.services.call('wallet.export', { ...ask, passphrase, destination: join(it.folder, 'two.txt') }),
  ];
  expect(answers).toMatchObject([
    { ok: true, value: { verdict: 'fine' } },
    { ok: true, value: { verdict: 'blocker' } },
    { ok: false, error: { code: 'wrong_passphrase' } },
    { ok: false, error: { code: 'wrong_passphrase' } },
    { ok: true },
  ]);
  const texts = JSON.stringify([answers, it.events]);
  expect(texts).not.toContain(passphrase);
  expect(texts).not.toContain('prv');
  expect(existsSync(join(it.folder, 'one.txt'))).toBe(false);
  expect(existsSync(join(it.folder, 'two.txt'))).toBe(true);
}, 120_000);
