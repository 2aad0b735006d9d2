import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection, FoundNode, NodeAddress } from '../../../shared/model/node.ts';
import type { EngineProcess } from './engineProcess.ts';
import type { StartedNode } from './nodeWatch.ts';
import { createOfflineEngine, type OfflineEngine, type OfflineEngineOptions } from './offlineEngine.ts';

/** A process of the engine that the test plays. */
class PlayedProcess implements EngineProcess {
  readonly output = new PassThrough();
  readonly errors = new PassThrough();
  readonly ended: Promise<number | null>;
  readonly args: readonly string[];
  asked: 'nothing' | 'end' | 'kill' = 'nothing';
  heeds = true;
  private exit: (code: number | null) => void = () => {};

  constructor(args: readonly string[]) {
    this.args = args;
    this.ended = new Promise((resolve) => {
      this.exit = resolve;
    });
  }
  word(name: string): string {
    return this.args[this.args.indexOf(name) + 1] ?? '';
  }
  print(line: unknown): void {
    this.output.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }
  getReady(port = 4000): void {
    const wallets = this.word('--wallets');
    this.print({
      url: `http://127.0.0.1:${port}`,
      cookie: `${wallets}/.engine.cookie`,
      release: 28,
      chain: 'main',
      wallets,
    });
  }
  die(code: number | null = 1): void {
    this.exit(code);
  }
  end(): void {
    this.asked = 'end';
    if (this.heeds) this.die(0);
  }
  kill(): void {
    this.asked = 'kill';
    this.die(null);
  }
}

let data: string;
let processes: PlayedProcess[];
let connectedTo: StartedNode[];
let atWork: NodeAddress[];
let nodes: FoundNode[];
let engine: OfflineEngine;
let onStart: (process: PlayedProcess) => void;
const onEnd = vi.fn();
const none: Connection = { state: 'none' };

function make(more: Partial<OfflineEngineOptions> = {}): OfflineEngine {
  return createOfflineEngine({
    dataFolder: data,
    startProcess: (args) => {
      const process = new PlayedProcess(args);
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
  data = mkdtempSync(join(tmpdir(), 'ferry-offline-'));
  [processes, connectedTo, atWork, nodes] = [[], [], [], []];
  onStart = (process) => process.getReady(4000 + processes.length);
  onEnd.mockClear();
  engine = make();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const own = { walletsFolder: null, network: 'main' } as const;
const at = (walletsFolder: string) => ({ walletsFolder, network: 'main' }) as const;

describe('starting', () => {
  it('runs on a folder of the app for each network, in the dialect that does most, and ends with the app', async () => {
    await engine.start({ walletsFolder: null, network: 'testnet3' });
    const folder = join(data, 'offline', 'testnet3', 'wallets');
    expect(engine.folderOf('testnet3')).toBe(folder);
    const [process] = processes;
    expect(process?.word('--wallets')).toBe(folder);
    expect(process?.word('--chain')).toBe('test');
    expect(process?.word('--release')).toBe('28');
    expect(process?.args).toContain('--end-with-parent');
    expect(process?.word('--state')).toBe(join(data, 'offline', 'state'));
    expect(connectedTo).toMatchObject([
      {
        label: 'Without a node',
        address: { host: '127.0.0.1', port: 4001, tls: false },
        credentials: { by: 'cookie', cookieFile: join(folder, '.engine.cookie') },
        walletsFolder: folder,
      },
    ]);
  });

  it('starts once, however often it is asked', async () => {
    await Promise.all([engine.start(own), engine.start(own)]);
    await engine.start(own);
    expect(processes).toHaveLength(1);
    expect(connectedTo).toHaveLength(2);
  });

  it('ends the one before only when the new one is there', async () => {
    await engine.start(own);
    onStart = (process) => {
      expect(processes[0]?.asked).toBe('nothing');
      process.getReady();
    };
    await engine.start(at(join(data, 'other')));
    expect(processes.map(({ asked }) => asked)).toEqual(['end', 'nothing']);
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('ends the one before first when another network is wanted on its folder', async () => {
    await engine.start(at(join(data, 'w')));
    onStart = (process) => {
      expect(processes[0]?.asked).toBe('end');
      process.getReady();
    };
    await engine.start({ walletsFolder: join(data, 'w'), network: 'signet' });
    expect(processes).toHaveLength(2);
  });

  it('does not leave an engine that is at work', async () => {
    await engine.start(own);
    const address = engine.address();
    if (address) atWork.push(address);
    await expect(engine.start(at(join(data, 'other')))).rejects.toMatchObject({ code: 'job_running' });
    expect(processes.map(({ asked }) => asked)).toEqual(['nothing']);
    await engine.start(own);
  });
});

describe('when it cannot start', () => {
  it('says why in the words of the engine, and lets it end', async () => {
    onStart = (process) => process.print({ refused: 'Another engine (process 7) already uses this folder.' });
    await expect(engine.start(own)).rejects.toMatchObject({
      message: 'The offline engine did not start. Another engine (process 7) already uses this folder.',
      hint: expect.stringContaining('No wallet was changed'),
    });
    expect(processes[0]?.asked).toBe('end');
    expect(connectedTo).toEqual([]);
  });

  it('says what to do in its words where it has some', async () => {
    onStart = (process) => process.print({ refused: 'Others may write to it.', todo: 'Try chmod go-w.' });
    await expect(engine.start(own)).rejects.toMatchObject({
      code: 'cannot_connect',
      message: 'The offline engine did not start. Others may write to it.',
      hint: 'No wallet was changed. Try chmod go-w.',
    });
  });

  it.each(['nonsense', { url: 'http://evil.example:80', cookie: 'c', wallets: 'w' }, { url: 1 }])(
    'trusts no line such as %j',
    async (line) => {
      onStart = (process) => process.print(line);
      await expect(engine.start(own)).rejects.toMatchObject({ code: 'cannot_connect' });
      expect(processes[0]?.asked).toBe('end');
    },
  );

  it('says that it ended early, without what a broken program prints', async () => {
    onStart = (process) => {
      process.errors.write('TypeError: secret of nobody\n    at somewhere');
      process.die(1);
    };
    const failure = await engine.start(own).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ message: 'The offline engine ended while starting.' });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('kills one that neither gets ready nor ends', async () => {
    engine = make({ limits: { startMs: 20, endMs: 20 } });
    onStart = (process) => {
      process.heeds = false;
    };
    await expect(engine.start(own)).rejects.toMatchObject({ code: 'timed_out' });
    expect(processes[0]?.asked).toBe('kill');
  });

  it('ends it when it cannot be connected to', async () => {
    engine = make({ connect: () => Promise.reject(new Error('refused')) });
    await expect(engine.start(own)).rejects.toThrow(new Error('refused'));
    expect(processes[0]?.asked).toBe('end');
  });

  it('can be tried again after it', async () => {
    onStart = (process) => process.die();
    await expect(engine.start(own)).rejects.toBeDefined();
    onStart = (process) => process.getReady();
    await engine.start(own);
    expect(connectedTo).toHaveLength(1);
  });

  it('takes no path that is not whole', async () => {
    await expect(engine.start(at('wallets'))).rejects.toMatchObject({ code: 'bad_input' });
    expect(processes).toEqual([]);
  });

  it('keeps away from the wallets of a node that runs', async () => {
    nodes = [runningNode(join(data, 'node'))];
    await expect(engine.start(at(join(data, 'node', 'wallets')))).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining('port 8332'),
      hint: expect.stringContaining('Connect to that node'),
    });
    expect(processes).toEqual([]);
  });
});

describe('when it ends later', () => {
  it('tells so, says why the line is lost, and starts again as the same node', async () => {
    await engine.start(own);
    expect(connectedTo[0]?.lostBecause()).toBeNull();
    processes[0]?.die(null);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce(), { interval: 1 });
    expect(connectedTo[0]?.lostBecause()?.message).toBe('The offline engine has stopped.');
    await engine.start(own);
    expect(processes[1]?.word('--port')).toBe('4001');
  });

  it('takes another port where that one is taken by now', async () => {
    await engine.start(own);
    processes[0]?.die();
    onStart = (process) => {
      if (process.word('--port') === '0') process.getReady(4009);
      else process.print({ refused: 'Port 4001 is in use by another program.' });
    };
    await engine.start(own);
    expect(connectedTo.at(-1)?.address.port).toBe(4009);
  });

  it('says nothing of an end that was wanted', async () => {
    await engine.start(own);
    await engine.stop();
    expect(processes[0]?.asked).toBe('end');
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('is killed when it does not heed', async () => {
    engine = make({ limits: { endMs: 20 } });
    onStart = (process) => {
      process.heeds = false;
      process.getReady();
    };
    await engine.start(own);
    await engine.stop();
    expect(processes[0]?.asked).toBe('kill');
  });

  it('gives up a start that is not wanted any more', async () => {
    onStart = () => {};
    const started = expect(engine.start(own)).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(() => expect(processes).toHaveLength(1), { interval: 1 });
    await engine.stop();
    await started;
    expect(processes[0]?.asked).toBe('end');
  });
});

function runningNode(dataFolder: string): FoundNode {
  return {
    id: 'a',
    dataFolder,
    network: 'main',
    address: { host: '127.0.0.1', port: 8332, tls: false },
    credentials: 'cookie',
    state: { state: 'starting', message: 'Loading…' },
  };
}
