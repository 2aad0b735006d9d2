import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection, FoundNode, NodeAddress } from '../../../shared/model/node.ts';
import { CAN_LINK } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import type { StartedNode } from './nodeWatch.ts';
import type { EngineProcess } from './offlineEngine.ts';
import {
  createOfflineEngine,
  findOverlappingNode,
  type OfflineEngine,
  type OfflineEngineOptions,
} from './offlineEngine.ts';

/** An engine process that the test controls. */
class FakeProcess implements EngineProcess {
  readonly output = new PassThrough();
  readonly errors = new PassThrough();
  readonly ended: Promise<number | null>;
  readonly args: readonly string[];
  request: 'none' | 'end' | 'kill' = 'none';
  endsOnRequest = true;
  exit: (code: number | null) => void = () => {};

  constructor(args: readonly string[]) {
    this.args = args;
    this.ended = new Promise((resolve) => {
      this.exit = resolve;
    });
  }
  option(name: string): string {
    return this.args[this.args.indexOf(name) + 1] ?? '';
  }
  print(line: unknown): void {
    this.output.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }
  getReady(port = 4000): void {
    const wallets = this.option('--wallets');
    const cookie = join(wallets, '.engine.cookie');
    this.print({ url: `http://127.0.0.1:${port}`, cookie, release: 28, chain: 'main', wallets });
  }
  exitWith(code: number | null = 1): void {
    this.exit(code);
    this.output.end();
  }
  end(): void {
    this.request = 'end';
    if (this.endsOnRequest) this.exitWith(0);
  }
  kill(): void {
    this.request = 'kill';
    this.exitWith(null);
  }
}

let data: string;
let processes: FakeProcess[];
let connectedTo: StartedNode[];
let atWork: NodeAddress[];
let nodes: FoundNode[];
let engine: OfflineEngine;
let onStart: (process: FakeProcess) => void;
const onEnd = vi.fn();
const none: Connection = { state: 'none' };

function make(more: Partial<OfflineEngineOptions> = {}): OfflineEngine {
  return createOfflineEngine({
    dataFolder: data,
    startProcess: (args) => {
      const process = new FakeProcess(args);
      processes.push(process);
      queueMicrotask(() => onStart(process));
      return process;
    },
    foundNodes: async () => nodes,
    connect: async (node) => {
      connectedTo.push(node);
      return none;
    },
    isAtWork: (address) => atWork.includes(address),
    onEnd,
    ...more,
  });
}

beforeEach(() => {
  data = makeTestFolder();
  [processes, connectedTo, atWork, nodes] = [[], [], [], []];
  onStart = (process) => process.getReady(4000 + processes.length);
  onEnd.mockClear();
  engine = make();
});

const own = { walletsFolder: null, network: 'main' } as const;
const at = (walletsFolder: string) => ({ walletsFolder, network: 'main' }) as const;

describe('starting', () => {
  it('uses a folder of the app for each network, and the release with the most calls', async () => {
    await engine.start({ walletsFolder: null, network: 'testnet3' });
    const folder = join(data, 'offline', 'testnet3', 'wallets');
    expect(engine.folderOf('testnet3')).toBe(folder);
    const [process] = processes;
    const options = ['--wallets', '--chain', '--release', '--state'].map((name) => process?.option(name));
    expect(options).toEqual([folder, 'test', '28', join(data, 'offline', 'state')]);
    expect(process?.args).toContain('--end-with-parent');
    expect(connectedTo).toMatchObject([
      {
        label: 'Without a node',
        address: { host: '127.0.0.1', port: 4001, tls: false },
        credentials: { by: 'cookie', cookieFile: join(folder, '.engine.cookie') },
        walletsFolder: folder,
      },
    ]);
  });

  it('starts the engine once, however often it is called', async () => {
    await Promise.all([engine.start(own), engine.start(own)]);
    await engine.start(own);
    expect(processes).toHaveLength(1);
    expect(connectedTo).toHaveLength(2);
  });

  it('ends the old engine after the new one is ready', async () => {
    await engine.start(own);
    onStart = (process) => {
      expect(processes[0]?.request).toBe('none');
      process.getReady();
    };
    await engine.start(at(join(data, 'other')));
    expect(processes.map(({ request }) => request)).toEqual(['end', 'none']);
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('ends the old engine first for another network on the same folder', async () => {
    await engine.start(at(join(data, 'w')));
    onStart = (process) => {
      expect(processes[0]?.request).toBe('end');
      process.getReady();
    };
    await engine.start({ walletsFolder: join(data, 'w'), network: 'signet' });
    expect(processes).toHaveLength(2);
  });

  it('does not end an engine that runs a job', async () => {
    await engine.start(own);
    const address = engine.address();
    if (address) atWork.push(address);
    await expect(engine.start(at(join(data, 'other')))).rejects.toMatchObject({ code: 'job_running' });
    expect(processes.map(({ request }) => request)).toEqual(['none']);
    await engine.start(own);
  });
});

describe('a failed start', () => {
  it('has the reason in the engine’s words, and ends the engine', async () => {
    const refused = 'Another engine (process 7) already uses this folder.';
    onStart = (process) => process.print({ refused });
    const message = `The offline engine did not start. ${refused}`;
    const hint = expect.stringContaining('No wallet was changed');
    await expect(engine.start(own)).rejects.toMatchObject({ message, hint });
    expect(processes[0]?.request).toBe('end');
    expect(connectedTo).toEqual([]);
  });

  it('has the engine’s words for what to do', async () => {
    onStart = (process) => process.print({ refused: 'Others may write to it.', todo: 'Try chmod go-w.' });
    await expect(engine.start(own)).rejects.toMatchObject({
      code: 'cannot_connect',
      message: 'The offline engine did not start. Others may write to it.',
      hint: 'No wallet was changed. Try chmod go-w.',
    });
  });

  it.each(['nonsense', { url: 'http://evil.example:80', cookie: 'c', wallets: 'w' }, { url: 1 }])(
    'does not trust the line %j',
    async (line) => {
      onStart = (process) => process.print(line);
      await expect(engine.start(own)).rejects.toMatchObject({ code: 'cannot_connect' });
      expect(processes[0]?.request).toBe('end');
    },
  );

  it('reads why the engine refuses, also when its words come after its end', async () => {
    onStart = async (process) => {
      process.exit(1);
      await new Promise(setImmediate);
      process.print({ refused: 'Another engine uses the folder.' });
    };
    await expect(engine.start(own)).rejects.toMatchObject({
      message: 'The offline engine did not start. Another engine uses the folder.',
    });
  });

  it('reports an early end, but nothing that the program printed', async () => {
    onStart = (process) => {
      process.errors.write('TypeError: secret of nobody\n    at somewhere');
      process.exitWith(1);
    };
    const failure = await engine.start(own).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ message: 'The offline engine did not start.' });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('kills an engine that neither gets ready nor ends', async () => {
    engine = make({ limits: { startMs: 20, endMs: 20 } });
    onStart = (process) => {
      process.endsOnRequest = false;
    };
    await expect(engine.start(own)).rejects.toMatchObject({ code: 'timed_out' });
    expect(processes[0]?.request).toBe('kill');
  });

  it('ends an engine that the app cannot connect to', async () => {
    engine = make({ connect: () => Promise.reject(new Error('refused')) });
    await expect(engine.start(own)).rejects.toThrow(new Error('refused'));
    expect(processes[0]?.request).toBe('end');
  });

  it('can be tried again', async () => {
    onStart = (process) => process.exitWith();
    await expect(engine.start(own)).rejects.toBeDefined();
    onStart = (process) => process.getReady();
    await engine.start(own);
    expect(connectedTo).toHaveLength(1);
  });

  it('refuses a relative path', async () => {
    await expect(engine.start(at('wallets'))).rejects.toMatchObject({ code: 'bad_input' });
    expect(processes).toEqual([]);
  });

  it('refuses the wallets folder of a running node', async () => {
    nodes = [runningNode(join(data, 'node'))];
    const words = { message: 'port 8332', hint: 'Connect to that node' };
    await expect(engine.start(at(join(data, 'node', 'wallets')))).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(words.message),
      hint: expect.stringContaining(words.hint),
    });
    expect(processes).toEqual([]);
  });
});

describe('a running engine', () => {
  it('is reported when it ends, and starts again at the same port', async () => {
    await engine.start(own);
    expect(connectedTo[0]?.lostBecause()).toBeNull();
    processes[0]?.exitWith(null);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce(), { interval: 1 });
    expect(connectedTo[0]?.lostBecause()?.message).toBe('The offline engine has stopped.');
    await engine.start(own);
    expect(processes[1]?.option('--port')).toBe('4001');
  });

  it('uses another port if its port is taken', async () => {
    await engine.start(own);
    processes[0]?.exitWith();
    onStart = (process) => {
      if (process.option('--port') === '0') process.getReady(4009);
      else process.print({ refused: 'Port 4001 is in use by another program.' });
    };
    await engine.start(own);
    expect(connectedTo.at(-1)?.address.port).toBe(4009);
  });

  it('is not reported when the app stops it', async () => {
    await engine.start(own);
    await engine.stop();
    expect(processes[0]?.request).toBe('end');
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('is killed if it does not end on request', async () => {
    engine = make({ limits: { endMs: 20 } });
    onStart = (process) => {
      process.endsOnRequest = false;
      process.getReady();
    };
    await engine.start(own);
    await engine.stop();
    expect(processes[0]?.request).toBe('kill');
  });

  it('cancels a start when the app stops it', async () => {
    onStart = () => {};
    const started = expect(engine.start(own)).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(() => expect(processes).toHaveLength(1), { interval: 1 });
    await engine.stop();
    await started;
    expect(processes[0]?.request).toBe('end');
  });
});

function runningNode(dataFolder: string, change: Partial<FoundNode> = {}): FoundNode {
  const address = { host: '127.0.0.1', port: 8332, tls: false };
  const state = { state: 'starting', message: 'Loading…' } as const;
  return { id: 'a', dataFolder, network: 'main', address, credentials: 'cookie', state, ...change };
}

describe('findOverlappingNode', () => {
  beforeEach(() => {
    mkdirSync(join(data, 'node', 'regtest', 'wallets', 'savings'), { recursive: true });
    mkdirSync(join(data, 'other'));
    if (CAN_LINK) symlinkSync(join(data, 'node', 'regtest'), join(data, 'link'));
  });

  const overlaps = async (path: string, state: Partial<FoundNode> = {}) => {
    const node = runningNode(join(data, 'node'), { network: 'regtest', ...state });
    return (await findOverlappingNode(join(data, path), [node])) === node;
  };
  const failed = (code: 'cannot_connect' | 'timed_out'): Partial<FoundNode> => ({
    state: { state: 'failed', error: { code, message: '', hint: '' } },
  });

  it.each([
    'node/regtest/wallets',
    'node/regtest/wallets/savings',
    'node/regtest/wallets/not there yet',
    'node/regtest',
    'node',
    ...(CAN_LINK ? ['link/wallets'] : []),
    '',
  ])('finds the node with wallets in, above or below “%s”', async (path) => {
    expect(await overlaps(path)).toBe(true);
  });

  const APART = ['other', 'not/there', 'node/regtest/wallets-2', 'node/wallets', '..wallets'];
  it.each(APART)('finds none for “%s”', async (path) => {
    expect(await overlaps(path)).toBe(false);
  });

  it('uses the chain folder of a node without a wallets folder', async () => {
    rmSync(join(data, 'node', 'regtest', 'wallets'), { recursive: true });
    expect(await overlaps('node/regtest')).toBe(true);
    expect(await overlaps('node/signet/wallets')).toBe(false);
  });

  it('looks into the wallets folder of its bitcoin.conf too', async () => {
    const conf = join(data, 'node', 'bitcoin.conf');
    writeFileSync(conf, `[regtest]\nwalletdir=${join(data, 'other')}\n`);
    expect(await overlaps('other/savings')).toBe(true);
    rmSync(conf);
    expect(await overlaps('other/savings')).toBe(false);
  });

  it('ignores a node that does not run, but not one that is too busy to answer', async () => {
    expect(await overlaps('node/regtest/wallets', failed('cannot_connect'))).toBe(false);
    expect(await overlaps('node/regtest/wallets', failed('timed_out'))).toBe(true);
  });
});
