import { describe, expect, it } from 'vitest';
import type { Network } from '../../shared/model/network.ts';
import type { FoundNode } from '../../shared/model/node.ts';
import { chooseNode } from './chooseNode.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import type { NetworksFound } from './fileNetwork.ts';

const PORTS: Readonly<Record<Network, number>> = {
  main: 8332,
  testnet3: 18332,
  testnet4: 48332,
  signet: 38332,
  regtest: 18443,
};

function running(network: Network, about: Partial<FoundNode> = {}): FoundNode {
  return {
    id: network,
    dataFolder: '/home/ana/.bitcoin',
    network,
    address: { host: '127.0.0.1', port: PORTS[network], tls: false },
    credentials: 'cookie',
    state: { state: 'starting', message: 'Loading block index…' },
    ...about,
  };
}

const silent = (network: Network, code: 'cannot_connect' | 'timed_out' = 'cannot_connect') =>
  running(network, { state: { state: 'failed', error: { code, message: '', hint: '' } } });

const NONE_NAMED: NodeChoice = { by: 'running', address: null, network: undefined };
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
  const part = 'bitcoin.conf in /home/ana/.bitcoin includes too many files';
  expect(await refusal(choose(NONE_NAMED, ['main'], nodes))).toContain(part);
  expect(await refusal(choose(NONE_NAMED, ['main'], [...nodes, running('signet')]))).toContain(part);
  expect(await refusal(choose(NONE_NAMED, ['main'], [silent('main')]))).not.toContain('bitcoin.conf');
});

describe('without a node', () => {
  it('works on the wallet’s own network', async () => {
    expect(await choose(OFFLINE, ['regtest'])).toEqual({ ...OFFLINE, network: 'regtest' });
  });

  it('reads no file where the network is named', async () => {
    const named = { ...OFFLINE, network: 'signet' } as const;
    const read = () => Promise.reject(new Error('not to be read'));
    expect(await chooseNode(named, read, { ask: read })).toEqual(named);
  });

  it('names the option where the network is not certain', async () => {
    expect(await refusal(choose(OFFLINE, null))).toMatch(/not certain.*--chain main.*--chain regtest/);
    const ofTests = await refusal(choose(OFFLINE, ['testnet3', 'regtest']));
    expect(ofTests).toContain('--chain test or --chain regtest');
  });

  it('needs no network where there is no wallet', async () => {
    expect(await choose(OFFLINE, 'no-wallet')).toMatchObject({ network: 'main' });
  });
});

describe('where no node is named', () => {
  it('takes the only one that runs', async () => {
    const nodes = [running('regtest'), silent('main')];
    expect(await choose(NONE_NAMED, null, nodes)).toMatchObject({ node: { id: 'regtest' } });
    expect(await choose(NONE_NAMED, ['regtest'], nodes)).toMatchObject({ node: { id: 'regtest' } });
    // It runs, and is only busy.
    expect(await choose(NONE_NAMED, null, [silent('main', 'timed_out')])).toMatchObject({
      node: { id: 'main' },
    });
  });

  it('takes the only one of the wallet’s network, or of the network that is named', async () => {
    const nodes = [running('main'), running('regtest')];
    expect(await choose(NONE_NAMED, ['regtest'], nodes)).toMatchObject({ node: { id: 'regtest' } });
    const named = { ...NONE_NAMED, network: 'main' } as const;
    expect(await choose(named, ['regtest'], nodes)).toMatchObject({ node: { id: 'main' } });
  });

  it('names all that it can be, each as an option', async () => {
    const nodes = [running('main'), running('regtest')];
    expect(await refusal(choose(NONE_NAMED, null, nodes))).toMatch(
      /Several nodes run.*\n--node http:\/\/127\.0\.0\.1:8332 .*\n--node http:\/\/127\.0\.0\.1:18443 /,
    );
    const address = { host: '127.0.0.1', port: 18443, tls: false };
    expect(await choose({ ...NONE_NAMED, address }, null, nodes)).toMatchObject({ node: { id: 'regtest' } });
  });

  it('never takes one of another network', async () => {
    const told = await refusal(choose(NONE_NAMED, ['regtest'], [running('main')]));
    expect(told).toMatch(/No node runs on Regtest\. Add .*--offline DIR.*\nNode: http:\/\/127\.0\.0\.1:8332/);
  });

  it('says that none runs, or that one needs a login that is not known', async () => {
    expect(await refusal(choose(NONE_NAMED, null, [silent('main')]))).toMatch(/No node runs.*--offline DIR/);
    const locked = running('main', { credentials: 'none' });
    expect(await refusal(choose(NONE_NAMED, null, [locked]))).toContain('--user NAME');
    const address = { host: '192.168.0.2', port: 8332, tls: false };
    expect(await refusal(choose({ ...NONE_NAMED, address }, null, [locked]))).toContain('--cookie FILE');
  });
});
