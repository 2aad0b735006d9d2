import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import { type Network, networks } from '../../shared/model/network.ts';
import type { FoundNode } from '../../shared/model/node.ts';
import { sampleInspection } from '../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { defaultRpcPorts } from '../bitcoind/discovery/discovery.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import {
  chooseNode,
  type NetworksFound,
  networksOfFile,
  networksOfFolder,
  networksOfText,
} from './connect.ts';

function running(network: Network, about: Partial<FoundNode> = {}): FoundNode {
  const address = { host: '127.0.0.1', port: defaultRpcPorts[network], tls: false };
  const state = { state: 'starting', message: 'Loading block index…' } as const;
  const found = { id: network, dataFolder: '/home/ana/.bitcoin', network, address, state };
  return { ...found, credentials: 'cookie', ...about };
}

const silent = (network: Network, code: 'cannot_connect' | 'timed_out' = 'cannot_connect') =>
  running(network, { state: { state: 'failed', error: { code, message: '', hint: '' } } });

const ANY_RUNNING: NodeChoice = { by: 'running', address: null, network: undefined };
const OFFLINE: NodeChoice = { by: 'offline', walletsFolder: '/wallets', network: undefined };

function choose(choice: NodeChoice, found: NetworksFound, nodes: readonly FoundNode[] = []) {
  const client = { ask: (async () => ({ nodes })) as never };
  return chooseNode(choice, async () => found, client);
}

async function refusal(chosen: Promise<unknown>) {
  const error = await chosen.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const { message, choices } = error as UsageError;
  return [message, ...choices].join('\n');
}

it('warns about a partly read bitcoin.conf when it finds no node', async () => {
  const nodes = [{ ...silent('main'), partlyRead: true } as const, silent('regtest')];
  const part = 'bitcoin.conf in /home/ana/.bitcoin: only partly read';
  expect(await refusal(choose(ANY_RUNNING, ['main'], nodes))).toContain(part);
  expect(await refusal(choose(ANY_RUNNING, ['main'], [...nodes, running('signet')]))).toContain(part);
  expect(await refusal(choose(ANY_RUNNING, ['main'], [silent('main')]))).not.toContain('bitcoin.conf');
});

it('says what to do about a node that does not run', async () => {
  const error = { code: 'cannot_connect', message: 'Not running.', hint: 'Start it.' } as const;
  const state = { state: 'failed', error, walletsFolder: '/my wallets' } as const;
  const stopped = running('main', { state });
  expect(await refusal(choose(ANY_RUNNING, ['main'], [stopped, stopped]))).toMatch(
    /\nNot running\. Start it\.\n--offline ['"]\/my wallets['"]$/,
  );
});

it('has the plan name the coin of a file, instead of asking for its network', async () => {
  const networks = (verdict: 'other' | 'bitcoin') => {
    const coin = { verdict, coins: ['Dash'], programs: [], evidence: [] };
    const inspected = { coin, network: { name: 'unknown', candidates: [] } };
    return networksOfFile({ ask: async () => inspected } as never, '/dash.dat');
  };
  expect(await networks('other')).toBe('no-wallet');
  expect(await networks('bitcoin')).toBeNull();
});

describe('without a node', () => {
  it('uses the wallet’s own network', async () => {
    expect(await choose(OFFLINE, ['regtest'])).toEqual({ ...OFFLINE, network: 'regtest' });
  });

  it('reads no file if the command names the network', async () => {
    const named = { ...OFFLINE, network: 'signet' } as const;
    const read = () => Promise.reject(new Error('not to be read'));
    expect(await chooseNode(named, read, { ask: read })).toEqual(named);
  });

  it('names the option if the network is uncertain', async () => {
    expect(await refusal(choose(OFFLINE, null))).toMatch(/Unknown network.*--chain main.*--chain regtest/);
    const ofTests = await refusal(choose(OFFLINE, ['testnet3', 'regtest']));
    expect(ofTests).toContain('--chain test or --chain regtest');
  });

  it('needs no network without a wallet', async () => {
    expect(await choose(OFFLINE, 'no-wallet')).toMatchObject({ network: 'main' });
  });
});

describe('without a named node', () => {
  it('takes the only running node', async () => {
    const nodes = [running('regtest'), silent('main')];
    expect(await choose(ANY_RUNNING, null, nodes)).toMatchObject({ node: { id: 'regtest' } });
    expect(await choose(ANY_RUNNING, ['regtest'], nodes)).toMatchObject({ node: { id: 'regtest' } });
    // A node that times out runs, and is only busy.
    const busy = await choose(ANY_RUNNING, null, [silent('main', 'timed_out')]);
    expect(busy).toMatchObject({ node: { id: 'main' } });
  });

  it('takes the only node on the wallet’s or the named network', async () => {
    const nodes = [running('main'), running('regtest')];
    expect(await choose(ANY_RUNNING, ['regtest'], nodes)).toMatchObject({ node: { id: 'regtest' } });
    const named = { ...ANY_RUNNING, network: 'main' } as const;
    expect(await choose(named, ['regtest'], nodes)).toMatchObject({ node: { id: 'main' } });
  });

  it('lists every node that fits, each as an option', async () => {
    const nodes = [running('main'), running('regtest')];
    expect(await refusal(choose(ANY_RUNNING, null, nodes))).toMatch(
      /Several nodes run.*\n--node http:\/\/127\.0\.0\.1:8332 .*\n--node http:\/\/127\.0\.0\.1:18443 /,
    );
    const address = { host: '127.0.0.1', port: 18443, tls: false };
    expect(await choose({ ...ANY_RUNNING, address }, null, nodes)).toMatchObject({ node: { id: 'regtest' } });
  });

  it('never takes a node on another network', async () => {
    const message = await refusal(choose(ANY_RUNNING, ['regtest'], [running('main')]));
    expect(message).toMatch(
      /No node found on Regtest\. Add .*--offline DIR.*\nNode: http:\/\/127\.0\.0\.1:8332/,
    );
  });

  it('says that no node runs, or that a node needs a login', async () => {
    expect(await refusal(choose(ANY_RUNNING, null, [silent('main')]))).toMatch(
      /No node found.*--offline DIR/,
    );
    const locked = running('main', { credentials: 'none' });
    expect(await refusal(choose(ANY_RUNNING, null, [locked]))).toContain('--user NAME');
    const address = { host: '192.168.0.2', port: 8332, tls: false };
    expect(await refusal(choose({ ...ANY_RUNNING, address }, null, [locked]))).toContain('--cookie FILE');
  });
});

it.each([
  ['main if only a passphrase opens them, as in the window', 0, ['main']],
  ['unknown if some are open', 1, null],
])('the network of keys that do not show it is %s', async (_, plain, expected) => {
  const locked = { finding: { code: 'keys_locked', count: 2 }, lost: false, page: null } as const;
  const { keys } = sampleInspection();
  const inspection = sampleInspection({ keys: { ...keys, plain, encrypted: 0 }, problems: [locked] });
  const ask = async (request: string) =>
    request === 'wallet.inspect' ? inspection : { action: 'rescue', path: '/keys', networks };
  expect(await networksOfText({ ask } as never, { by: 'text', text: '6P…' })).toEqual(expected);
});

it.each([
  [['main'], ['main']],
  [
    ['regtest', 'testnet4'],
    ['regtest', 'testnet4'],
  ],
  [[], 'no-wallet'],
])('the networks of a file with keys are those that its text shows: %j', async (shown, found) => {
  const ask = async (request: string) => {
    if (request === 'wallet.fromText') return { action: 'rescue', path: '/keys.txt', networks: shown };
    throw new AppError('not_a_wallet', '', '');
  };
  expect(await networksOfText({ ask } as never, { by: 'file', path: '/keys.txt' })).toEqual(found);
});

describe('the network of a wallets folder', () => {
  const clientWith = (jobs: readonly Job[]) =>
    ({
      ask: async (request: string) => {
        if (request === 'jobs.list') return { jobs };
        throw new AppError('not_a_wallet', '', '');
      },
    }) as never;

  it.each([
    [['regtest', 'wallets'], ['regtest']],
    [['testnet4'], ['testnet4']],
    [['signet', 'elsewhere', 'wallets'], 'no-wallet'],
  ])('is that of the node’s folder if its files name none: %j', async (path, networks) => {
    const folder = join(makeTestFolder(), ...path);
    mkdirSync(join(folder, 'half'), { recursive: true });
    writeFileSync(join(folder, 'half', 'wallet.dat'), 'SQLite format 3');
    expect(await networksOfFolder(clientWith([]), folder, 'half')).toEqual(networks);
    expect(await networksOfFolder(clientWith([]), folder, null)).toEqual(networks);
  });

  it('comes from the newest job in it', async () => {
    const folder = await realpath(makeTestFolder());
    const { node } = sampleJob();
    const jobs = [
      sampleJob({ node: { ...node, walletsFolder: '/other', network: 'signet' } }),
      sampleJob({ node: { ...node, walletsFolder: folder, network: 'regtest' } }),
    ];
    expect(await networksOfFolder(clientWith(jobs), folder, null)).toEqual(['regtest']);
  });
});
