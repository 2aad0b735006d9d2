/**
 * Compares the app's prediction for each of Bitcoin Core's conditions with the node that `BITCOIND` names. Writes the node's
 * answers to `test-results/conditions-RELEASE.json`, in the form of `recordedConditions.json`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { conditionFiles } from '../../electron/walletfile/testing/conditionFiles.ts';
import { requests } from '../../shared/contract.ts';
import { conditionCodes } from '../../shared/model/conditions.ts';
import { type Plan, plan as planShape } from '../../shared/model/plan.ts';
import { ADDRESSES_DO_NOT_FIT, DESCRIPTOR_KEYLESS } from '../../shared/wording/findings/faultWords.ts';
import { byCookie, openServices } from '../services/services.ts';
import { type RealNode, startRealNode } from './realNode.ts';

const startedShape = requests['plan.run'].output;

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('the node does what the plan predicts for each condition of Bitcoin Core', async () => {
  test.setTimeout(1_800_000);
  const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
  const node = await startRealNode(join(folder, '.bitcoin'), {});
  const { services, call, until } = openServices(join(folder, 'data'));
  const connect = () => call('nodes.connect', byCookie(node));
  const answers: Record<string, Record<string, string>> = {};
  const predicted: Record<string, string> = {};
  const observed: Record<string, string> = {};
  try {
    await connect();
    for (const code of conditionCodes) {
      const { bytes, kind, passphrase } = await conditionFiles[code]();
      const file = join(folder, `${code}.dat`);
      writeFileSync(file, bytes);
      // The app may run this wallet's plan, so the node gets another copy without the app.
      const planned = `planned ${code}`;
      if (kind === 'legacy') node.putWallet(planned, file);
      const plan = planShape.parse(
        await call('plan.make', {
          action: kind === 'legacy' ? 'migrate' : 'restore',
          source: kind === 'legacy' ? { by: 'wallet', name: planned } : { by: 'file', path: file },
          answers: { loadOnStartup: null, name: code },
        }),
      );
      // Some conditions show only with the passphrase, with which the app reads the file before it starts.
      const started =
        kind === 'legacy' && passphrase !== undefined && blockersOf(plan).length === 0
          ? startedShape.parse(await call('plan.run', { plan: plan.id, answers: {}, passphrase }))
          : null;
      if (started?.began) await until(started.job.id, ({ state }) => state !== 'running');
      predicted[code] = prediction(started?.began === false ? started.plan : plan);
      node.putWallet(code, file);
      answers[code] = await answersOf(node, code, kind, passphrase);
      observed[code] = outcome(answers[code]);
      if (observed[code].startsWith('crashes')) {
        await node.start();
        await services.call('nodes.disconnect', {});
        await connect();
      }
    }
    const results = fileURLToPath(new URL('../../test-results', import.meta.url));
    mkdirSync(results, { recursive: true });
    writeFileSync(join(results, `conditions-${node.version}.json`), `${JSON.stringify(answers, null, 2)}\n`);
    for (const code of CRASHING_WHEN_PAID) {
      expect(observed[code], code).toBe('migrates');
      observed[code] = 'crashes later';
    }
    expect(predicted).toEqual(observed);
  } finally {
    await services.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
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
