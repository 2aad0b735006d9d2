/**
 * Rescues broken and odd files with the real node that `BITCOIND` names. The terminal rescues each file twice, without a
 * node and on the node. Then the node must know the keys of the recorded facts, and sign for coins paid to each.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bytesToHex } from '@noble/hashes/utils.js';
import { expect } from '@playwright/test';
import { z } from 'zod/mini';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import { recordsByType } from '../../electron/walletfile/records/records.ts';
import {
  brokenWallet,
  brokenWallets,
  hasForeignWallets,
  oddWallet,
} from '../../electron/walletfile/testing/foreignWallets.ts';
import { requests } from '../../shared/contract.ts';
import type { Job, MigrationResult } from '../../shared/model/job.ts';
import type { Proof } from '../../shared/model/safety.ts';
import { isPartlyRescued } from '../../shared/wording/rescueWords.ts';
import type { RealNode } from './realNode.ts';
import { test as base } from './sharedNode.ts';
import { spendAll } from './spending.ts';

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-rescue-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  },
});
test.use({ wallets: { savings: 'descriptor-hd' } });
test.setTimeout(300_000);
test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');
test.skip(!hasForeignWallets, 'no wallet files of others next to this repository');

/** How many keys are still in a file, if not all of the recorded facts. */
const SAVED: Readonly<Record<string, number>> = { 'damaged-cut': 50, 'damaged-some-leaves': 58 };

for (const name of brokenWallets) {
  test(`the node has the keys saved from ${name}, and signs with each`, async ({ node, folder }) => {
    const { bytes, logs, facts } = brokenWallet(name);
    const truth = facts.node_29_after_its_recovery ?? facts.whole;
    if (!truth) throw new Error('There are no facts of its keys.');
    const file = join(folder, 'broken.dat');
    writeFileSync(file, bytes);
    if (logs.length > 0) mkdirSync(join(folder, 'database'));
    for (const log of logs) writeFileSync(join(folder, 'database', basename(log.name)), log.bytes);
    const labels = new Map(Object.values(truth.keys).map(({ address, label }) => [address, label]));
    const wallets = await rescuedTwice(node, { name, folder, file, passphrase: facts.passphrase });
    const mine: string[][] = [];
    for (const { wallet, result } of wallets) {
      const known = await addressesOf(node, wallet, [...labels.keys()]);
      mine.push(known.map(({ address }) => address));
      expect(known).toHaveLength(SAVED[name] ?? labels.size);
      for (const { address, labels: [label] = [] } of known) {
        if (label !== undefined || logs.length > 0) expect(label).toBe(labels.get(address));
      }
      const ids = await transactionsOf(node, wallet);
      expect(ids.filter((id) => !truth.transactions.includes(id))).toEqual([]);
      expect(ids).toHaveLength(result.rescue?.saved.transactions ?? 0);
      if (logs.length > 0) expect(ids).toHaveLength(truth.transactions.length);
    }
    expect(mine[0]).toEqual(mine[1]);
    await spendFrom(node, wallets, mine[0] ?? []);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
}

for (const name of ['no-best-block', 'stray-transactions', 'wkey']) {
  test(`the node has all keys of the odd wallet ${name}, and signs with each`, async ({ node, folder }) => {
    const bytes = oddWallet(name);
    const file = join(folder, 'odd.dat');
    writeFileSync(file, bytes);
    const records = recordsByType(readBerkeley(bytes).records);
    // The key of such a record is its type, and the public key with its size.
    const old = records.entries('wkey').map(({ key }) => key.slice('_wkey_'.length));
    const keys = [...records.of('key').map(({ publicKey }) => publicKey), ...old].map(bytesToHex);
    const addresses = await Promise.all(keys.map((key) => addressOf(node, key)));
    expect(addresses.length).toBeGreaterThan(0);
    const wallets = await rescuedTwice(node, { name, folder, file, passphrase: null });
    for (const { wallet } of wallets) {
      expect(await addressesOf(node, wallet, addresses)).toHaveLength(addresses.length);
    }
    await spendFrom(node, wallets, addresses);
  });
}

test('the node has the keys of a wallet found in a disk image, and signs with each', async ({
  node,
  folder,
}) => {
  const { bytes, facts } = brokenWallet('image-of-a-disk');
  const image = join(folder, 'disk.img');
  writeFileSync(image, bytes);
  mkdirSync(join(folder, 'found'));
  const { output } = requests['files.searchImage'];
  const { wallets: found } = await ferry(output, folder, ['search', image, '--out', join(folder, 'found')]);
  expect(found).toHaveLength(1);
  const rescue = { name: 'found', folder, file: found[0]?.path ?? '', passphrase: null };
  const wallets = await rescuedTwice(node, rescue);
  const addresses = Object.values(facts.whole?.keys ?? {}).map(({ address }) => address);
  for (const { wallet } of wallets) {
    expect(await addressesOf(node, wallet, addresses)).toHaveLength(addresses.length);
  }
  await spendFrom(node, wallets, addresses);
});

interface Rescue {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly passphrase: string | null;
}

interface Rescued {
  /** Its name in the node. It is loaded and unlocked. */
  readonly wallet: string;
  readonly result: MigrationResult;
}

/** Rescues the file with the offline engine and with the node. Loads both wallets in the node. */
async function rescuedTwice(node: RealNode, { name, folder, file, passphrase }: Rescue): Promise<Rescued[]> {
  const out = join(folder, 'out');
  const secret = passphrase === null ? [] : ['--passphrase-fd', '0'];
  const rescue = async (args: readonly string[]) => {
    const { output } = requests['plan.run'];
    const ran = await ferry(output, folder, [...args, ...secret], passphrase ?? '');
    return resultOf(ran.began ? ran.job : null);
  };
  const here = await rescue(['rescue', file, '--out', out, '--chain', 'regtest', '--name', 'saved']);
  // Lost or excluded records make the proof partial.
  expect(here.proof.verdict).toBe(isPartlyRescued(here.result) ? 'partly' : 'same');
  const byEngine = `${name} by the engine`;
  node.putWallet(byEngine, join(out, here.result.walletName, 'wallet.dat'));
  expect(await node.call('loadwallet', [byEngine])).toEqual({ name: byEngine });
  const on = ['--node', `http://127.0.0.1:${node.port}`, '--cookie', node.cookieFile];
  const there = await rescue(['run', 'rescue', file, ...on, '--name', name, '--yes']);
  const { excludedFile } = there.result.rescue ?? {};
  expect(there.result.rescue).toEqual({ ...here.result.rescue, excludedFile });
  // The balances differ, because this node does not have the blocks of the file's coins.
  const { scripts, labels, transactions } = here.proof;
  expect(there.proof).toMatchObject({ scripts, labels, transactions });
  const rescued = [
    { wallet: byEngine, result: here.result },
    { wallet: there.result.walletName, result: there.result },
  ];
  if (passphrase !== null) {
    for (const { wallet } of rescued) await node.call('walletpassphrase', [passphrase, 3600], wallet);
  }
  return rescued;
}

function resultOf(job: Job | null): { result: MigrationResult; proof: Proof } {
  expect(job).toMatchObject({ kind: 'rescue', state: 'done' });
  if (job?.result?.kind !== 'migrate' || !job.proof) throw new Error('It made no wallet.');
  // None of the files has watched or solvable scripts.
  expect(job.result).toMatchObject({ watchonlyName: null, solvablesName: null });
  return { result: job.result, proof: job.proof };
}

const program = fileURLToPath(new URL('../../out/main/ferry.cjs', import.meta.url));

/** Runs the terminal. Returns what it prints as JSON, whatever its exit code. */
async function ferry<Shape extends z.ZodMiniType>(
  shape: Shape,
  folder: string,
  args: readonly string[],
  input = '',
): Promise<z.output<Shape>> {
  const env = { ...process.env, WALLET_FERRY_DATA: join(folder, 'data') };
  const child = spawn(process.execPath, [program, ...args, '--json'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    // It would outlive its test if the node is gone, because it waits for the node.
    timeout: 240_000,
  });
  child.stdin.end(input);
  return z.decode(shape, JSON.parse(await text(child.stdout)));
}

const infoShape = z.object({
  address: z.string(),
  ismine: z.boolean(),
  solvable: z.boolean(),
  labels: z.array(z.string()),
});

/** The addresses that belong to the wallet. */
async function addressesOf(node: RealNode, wallet: string, addresses: readonly string[]) {
  const infos: z.infer<typeof infoShape>[] = [];
  for (const address of addresses) {
    infos.push(infoShape.parse(await node.call('getaddressinfo', [address], wallet)));
  }
  return infos.filter(({ ismine, solvable }) => ismine && solvable);
}

/** The P2PKH address of a public key. */
async function addressOf(node: RealNode, publicKey: string): Promise<string> {
  const { descriptor } = z
    .object({ descriptor: z.string() })
    .parse(await node.call('getdescriptorinfo', [`pkh(${publicKey})`]));
  const [address = ''] = z.array(z.string()).parse(await node.call('deriveaddresses', [descriptor]));
  return address;
}

async function transactionsOf(node: RealNode, wallet: string): Promise<string[]> {
  const listed = z
    .array(z.object({ txid: z.string() }))
    .parse(await node.call('listtransactions', ['*', 10_000, 0, true], wallet));
  return [...new Set(listed.map(({ txid }) => txid))];
}

const coinsShape = z.array(z.object({ address: z.string() }));

/** Pays to each address, and spends all of it from each wallet. */
async function spendFrom(
  node: RealNode,
  wallets: readonly Rescued[],
  addresses: readonly string[],
): Promise<void> {
  const loaded = z.array(z.string()).parse(await node.call('listwallets'));
  if (!loaded.includes('savings')) await node.call('loadwallet', ['savings']);
  const payments = addresses.map((address) => ({ [address]: 0.001 }));
  await node.call('send', [payments, null, 'unset', 10], 'savings');
  await node.call('generatetoaddress', [1, await node.call('getnewaddress', [], 'savings')], 'savings');
  for (const { wallet } of wallets) {
    const coins = coinsShape.parse(await node.call('listunspent', [], wallet));
    expect([...new Set(coins.map(({ address }) => address))].sort()).toEqual(addresses.toSorted());
    // Files may share keys, which then have several coins.
    expect(await spendAll(node, wallet)).toEqual({ coins: coins.length, allowed: [true, true] });
  }
}
