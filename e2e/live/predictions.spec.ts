/**
 * Compares the app's predictions with the node that `BITCOIND` names: for each of Bitcoin Core's conditions, and for odd wallets. The
 * app plans the work on each wallet. Then the node, called without the app, does it, refuses it, or crashes. Files from other machines
 * are used if they are there. Writes the node's answers about the conditions to `test-results/conditions-RELEASE.json`, in the form of
 * `recordedConditions.json`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { flagBits, parseRecord, typeIn, writeRecord } from '../../electron/walletfile/records/records.ts';
import { conditionFiles } from '../../electron/walletfile/testing/conditionFiles.ts';
import { foreignWallets } from '../../electron/walletfile/testing/foreignWallets.ts';
import { requests } from '../../shared/contract.ts';
import { conditionCodes } from '../../shared/model/conditions.ts';
import { type Plan, plan as planShape } from '../../shared/model/plan.ts';
import { ADDRESSES_DO_NOT_FIT, DESCRIPTOR_KEYLESS } from '../../shared/wording/findings/faultWords.ts';
import { byCookie, openServices } from '../services/services.ts';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';
import { type RealNode, startRealNode } from './realNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

const startedShape = requests['plan.run'].output;

const FOREIGN = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const MAIN_NETWORK = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

/** Wallets derived from the fixtures. */
const derived: Readonly<Record<string, () => Uint8Array>> = {
  'a whole wallet': () => fileOf('legacy-hd'),
  'a blank wallet': () => fileOf('legacy-blank'),
  'only its last page unclean': () =>
    edited('legacy-hd', (view, size) => view.setUint32(size - 4096, 1, true)),
  'two pages unclean': () =>
    edited('legacy-hd', (view) => {
      view.setUint32(3 * 4096, 1, true);
      view.setUint32(5 * 4096 + 4, 28, true);
    }),
  'one page more than its header says': () => {
    const whole = fileOf('legacy-hd');
    const longer = new Uint8Array(whole.length + 4096);
    longer.set(whole);
    return longer;
  },
  'of Berkeley DB 6': () =>
    edited('legacy-hd', (view) => {
      for (const page of [0, 2]) view.setUint32(page * 4096 + 16, 10, true);
    }),
  'no best block': () => rewritten('legacy-hd', (type) => !type.startsWith('bestblock')),
  'an empty old best block alone': () =>
    rewritten('legacy-hd', (type) => !type.startsWith('bestblock'), [
      writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes: [] }),
    ]),
  'a newer format': () =>
    rewritten('legacy-hd', (type) => type !== 'minversion', [
      writeRecord({ type: 'minversion', version: 999_999 }),
    ]),
  'a label of a foreign address, for receiving': () =>
    rewritten('legacy-hd', () => true, label(FOREIGN, 'receive')),
  'a label of a foreign address, for sending': () =>
    rewritten('legacy-hd', () => true, label(FOREIGN, 'send')),
  'a label of another network': () => rewritten('legacy-hd', () => true, label(MAIN_NETWORK, 'receive')),
  'a wallet that only watches': () => rewritten('legacy-watchonly', watches),
  'a wallet that only watches, with transactions': () =>
    rewritten('legacy-watchonly', (type) => type === 'tx' || watches(type)),
  'a wallet that only watches, with a label of a foreign address': () =>
    rewritten('legacy-watchonly', watches, label(FOREIGN, 'send')),
  'an empty wallet that only watches': () =>
    emptied([writeRecord({ type: 'flags', flags: flagBits.disable_private_keys })]),
  'an empty wallet without flags': () => emptied([]),
  'a chain without its seed': withoutSeed,
  'a chain without one of its keys': () => withoutFifthKey(['key', 'keymeta']),
  'a key without its chain': () => withoutFifthKey(['keymeta']),
};

/** A file that the app and the node get under a name. The app may run its plan, so each gets a copy of its own. */
interface Subject {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind: 'legacy' | 'descriptor';
  readonly passphrase?: string | undefined;
}

/** What the app predicts about each file, and the node's answers by method. */
async function predictAndAsk(subjects: AsyncIterable<Subject>, compare: Compare): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
  const node = await startRealNode(join(folder, '.bitcoin'), {});
  const { services, call, until } = openServices(join(folder, 'data'));
  const connect = () => call('nodes.connect', byCookie(node));
  const answers: Record<string, Record<string, string>> = {};
  const predicted: Record<string, string> = {};
  try {
    await connect();
    for await (const { name, bytes, kind, passphrase } of subjects) {
      const file = join(folder, 'wallet.dat');
      writeFileSync(file, bytes);
      const planned = `planned ${name}`;
      if (kind === 'legacy') node.putWallet(planned, file);
      const plan = planShape.parse(
        await call('plan.make', {
          action: kind === 'legacy' ? 'migrate' : 'restore',
          source: kind === 'legacy' ? { by: 'wallet', name: planned } : { by: 'file', path: file },
          answers: { loadOnStartup: null, name },
        }),
      );
      // Some conditions show only with the passphrase, with which the app reads the file before it starts.
      const started =
        kind === 'legacy' && passphrase !== undefined && blockersOf(plan).length === 0
          ? startedShape.parse(await call('plan.run', { plan: plan.id, answers: {}, passphrase }))
          : null;
      if (started?.began) await until(started.job.id, ({ state }) => state !== 'running');
      predicted[name] = prediction(started?.began === false ? started.plan : plan);
      node.putWallet(name, file);
      answers[name] = await answersOf(node, name, kind, passphrase);
      if (!outcome(answers[name]).startsWith('crashes')) continue;
      await node.start();
      await services.call('nodes.disconnect', {});
      await connect();
    }
    compare(predicted, answers, node);
  } finally {
    await services.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
type Compare = (
  predicted: Record<string, string>,
  answers: Record<string, Record<string, string>>,
  node: RealNode,
) => void;

const outcomes = (answers: Record<string, Record<string, string>>) =>
  Object.fromEntries(Object.entries(answers).map(([name, one]) => [name, outcome(one)]));

test('the node does what the plan predicts for each condition of Bitcoin Core', async () => {
  test.setTimeout(1_800_000);
  async function* files() {
    for (const code of conditionCodes) yield { name: code, ...(await conditionFiles[code]()) };
  }
  await predictAndAsk(files(), (predicted, answers, { version }) => {
    const results = fileURLToPath(new URL('../../test-results', import.meta.url));
    mkdirSync(results, { recursive: true });
    writeFileSync(join(results, `conditions-${version}.json`), `${JSON.stringify(answers, null, 2)}\n`);
    const observed = outcomes(answers);
    for (const code of CRASHING_WHEN_PAID) {
      expect(observed[code], code).toBe('migrates');
      observed[code] = 'crashes later';
    }
    expect(predicted).toEqual(observed);
  });
});

test('the node does what the app predicts for each odd wallet', async () => {
  test.setTimeout(600_000);
  async function* wallets() {
    for (const [name, bytes] of Object.entries(derived))
      yield { name, bytes: bytes(), kind: 'legacy' } as const;
    for (const { name, path, network, passphrase } of foreignWallets('odd', 'old'))
      if (network === 'regtest')
        yield {
          name: name.replace('/', ' '),
          bytes: readFileSync(path),
          kind: 'legacy',
          passphrase,
        } as const;
  }
  await predictAndAsk(wallets(), (predicted, answers) => expect(predicted).toEqual(outcomes(answers)));
});

/** Only a payment to the wallet crashes the node, and this test makes none. */
const CRASHING_WHEN_PAID = ['descriptor-next'] as const;

/** Loads or migrates the wallet, and reads its descriptors and balances until a call fails. Returns the answers by method. */
async function answersOf(
  node: RealNode,
  name: string,
  kind: 'legacy' | 'descriptor',
  passphrase: string | undefined,
): Promise<Record<string, string>> {
  const params = passphrase === undefined ? [name] : [name, passphrase];
  const calls: [method: string, params: unknown[], wallet?: string][] = [
    kind === 'legacy' ? ['migratewallet', params] : ['loadwallet', [name]],
    ['listdescriptors', [], name],
    ['getbalances', [], name],
    ...(kind === 'descriptor' && passphrase !== undefined
      ? [['walletpassphrase', [passphrase, 10], name] as [string, unknown[], string]]
      : []),
  ];
  const answers: Record<string, string> = {};
  for (const [method, params, wallet] of calls) {
    const answer = await Promise.race([
      node.call(method, params, wallet).then(
        () => 'done',
        (error: Error) => `error: ${withoutPath(error.message, join(node.walletsFolder, name))}`,
      ),
      new Promise<string>((resolve) => setTimeout(resolve, 60_000, 'no answer within a minute')),
    ]);
    const isAlive = await Promise.race([
      node.call('uptime').then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 10_000, false)),
    ]);
    if (answer.startsWith('no answer') || !isAlive) {
      await node.kill();
      answers[method] = isAlive ? answer : ended(node, answer);
      return answers;
    }
    answers[method] = answer;
    if (answer !== 'done') return answers;
  }
  await node.call('unloadwallet', [name]).catch(() => null);
  return answers;
}

function withoutPath(message: string, walletFolder: string): string {
  const file = join(walletFolder, 'wallet.dat');
  return message.replaceAll(`${file}:`, '{WALLET}').replaceAll(file, '{WALLET}').replaceAll('\n', ' ').trim();
}

/** How the node ended, with the failed assertion from its standard error. */
function ended(node: RealNode, answer: string): string {
  const lines = readFileSync(node.errorsFile, 'utf8').trimEnd().split('\n');
  const found = /(\w+\.\w+):\d+.*?(Assertion `.*?' failed)/.exec(lines.at(-1) ?? '');
  return found ? `ended: ${found[1]}, ${found[2]}` : answer.startsWith('no answer') ? answer : 'ended';
}

/** The outcome of the first call, or a crash in any call. */
function outcome(answers: Readonly<Record<string, string>>): string {
  const all = Object.values(answers);
  const [first = '', ...later] = all;
  if (/^(ended|no answer)/.test(first)) return 'crashes';
  if (later.some((answer) => /^(ended|no answer)/.test(answer))) return 'crashes later';
  return first.startsWith('error') ? 'refuses' : 'migrates';
}

function blockersOf({ checks }: Plan) {
  return checks.filter(({ verdict }) => verdict === 'blocker');
}

function prediction(plan: Plan): string {
  const titles = blockersOf(plan).map(({ title }) => title);
  if (titles.includes('This wallet would crash the node')) return 'crashes';
  if (titles.includes('The loaded wallet can crash the node')) return 'crashes later';
  return titles.some((title) => ![ADDRESSES_DO_NOT_FIT, DESCRIPTOR_KEYLESS].includes(title))
    ? 'refuses'
    : 'migrates';
}

function fileOf(fixture: FixtureName): Uint8Array {
  return Uint8Array.from(readFileSync(fixtureFile(fixture)));
}

function edited(fixture: FixtureName, edit: (view: DataView, size: number) => void): Uint8Array {
  const bytes = fileOf(fixture);
  edit(new DataView(bytes.buffer), bytes.length);
  return bytes;
}

function rewritten(
  fixture: FixtureName,
  stays: (type: string, record: RawRecord) => boolean,
  more: readonly RawRecord[] = [],
): Uint8Array {
  const kept = readBerkeley(fileOf(fixture)).records.filter((record) => stays(typeIn(record.key), record));
  const all = [...kept, ...more].map(({ key, value }) => ({ key, value }));
  return writeBerkeley(all.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))));
}

/** A legacy wallet without keys, scripts and transactions. */
function emptied(flags: readonly RawRecord[]): Uint8Array {
  const kept = ['version', 'minversion', 'bestblock', 'bestblock_nomerkle'];
  return rewritten('legacy-watchonly', (type) => kept.includes(type), flags);
}

function label(address: string, purpose: string): RawRecord[] {
  return [
    writeRecord({ type: 'name', address, label: 'x' }),
    writeRecord({ type: 'purpose', address, purpose }),
  ];
}

/** Whether a record stays in a wallet without keys and what they received. */
function watches(type: string): boolean {
  return !['key', 'keymeta', 'hdchain', 'pool', 'cscript', 'tx', 'name', 'purpose'].includes(type);
}

function withoutSeed(): Uint8Array {
  const { records } = readBerkeley(fileOf('legacy-hd'));
  const seeds = new Set(
    records.flatMap(({ key, value }) => {
      const record = parseRecord(key, value);
      const isSeed = record.type === 'keymeta' && record.hd?.keyPath === 's';
      return isSeed ? [Buffer.from(record.publicKey).toString('hex')] : [];
    }),
  );
  return rewritten('legacy-hd', (_, { key, value }) => {
    const record = parseRecord(key, value);
    return record.type !== 'key' || !seeds.has(Buffer.from(record.publicKey).toString('hex'));
  });
}

/** Removes these records of a key in the middle of its chain. */
function withoutFifthKey(types: readonly string[]): Uint8Array {
  const fifth = readBerkeley(fileOf('legacy-hd')).records.flatMap(({ key, value }) => {
    const record = parseRecord(key, value);
    const isFifth = record.type === 'keymeta' && record.hd?.keyPath === "m/0'/1'/5'";
    return isFifth ? [Buffer.from(record.publicKey)] : [];
  })[0];
  return rewritten('legacy-hd', (type, { key }) => !types.includes(type) || !endsWith(key, fifth));
}

function endsWith(key: Uint8Array, publicKey: Buffer | undefined): boolean {
  return publicKey !== undefined && Buffer.from(key).subarray(-publicKey.length).equals(publicKey);
}
