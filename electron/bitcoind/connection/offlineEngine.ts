/**
 * *Work without a node*: starts the built-in offline engine, as a process that the host provides, on a wallets folder and connects to
 * it like to any node.
 */
import { isAbsolute, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { z } from 'zod/mini';
import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { chainOfNetwork, type Network } from '../../../shared/model/network.ts';
import type { Connection, FoundNode, NodeAddress } from '../../../shared/model/node.ts';
import { convert, parseJson } from '../../../shared/model/shapes.ts';
import { nothingChanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { orNullAfter } from '../../files/concurrency.ts';
import { isWithin, realPathSoFar } from '../../files/openFile.ts';
import { APP_FOLDERS } from '../../files/sharedFolder.ts';
import { chainFolder, likelyWalletsFolders } from '../discovery/discovery.ts';
import { waitUnlessAborted } from '../rpc/client.ts';
import { connectingCancelledError } from '../rpc/rpcErrors.ts';
import type { StartedNode } from './nodeWatch.ts';

export type OfflineEngine = ReturnType<typeof createOfflineEngine>;

export interface OfflineEngineOptions {
  readonly dataFolder: string;
  readonly startProcess: StartEngineProcess;
  readonly foundNodes: () => Promise<readonly FoundNode[]>;
  readonly connect: (engine: StartedNode) => Promise<Connection>;
  /** Whether a job is running on the node at this address. */
  readonly isAtWork: (address: NodeAddress) => boolean;
  readonly onEnd: () => void;
  /** Milliseconds to start and to shut down. Default 60,000 and 11,000. */
  readonly limits?: { readonly startMs?: number; readonly endMs?: number };
}

interface StartedEngine {
  readonly process: EngineProcess;
  readonly key: string;
  readonly folder: string;
  readonly node: StartedNode;
  state: 'running' | 'ended';
}

interface StartRequest {
  readonly folder: string;
  readonly network: Network;
  /** Identifies the network and folder. */
  readonly key: string;
  readonly signal: AbortSignal;
}

export function createOfflineEngine(options: OfflineEngineOptions) {
  const { dataFolder, startProcess, limits } = options;
  let running: StartedEngine | null = null;
  let starting: { readonly key: string; readonly connected: Promise<Connection> } | null = null;
  /** Starts and stops run one at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  /** Aborted by `stop`, which also cancels a start in progress. */
  let cancelStart = new AbortController();
  /** Last port by key: a restarted engine keeps its address, so that jobs recognise it. */
  const ports = new Map<string, number>();

  const folderOf = (network: Network) => join(dataFolder, APP_FOLDERS.offline, network, 'wallets');

  async function launch(request: StartRequest): Promise<StartedEngine> {
    const known = ports.get(request.key);
    // Another program may use the port now.
    const again = known === undefined ? null : await launchAt(known, request).catch(() => null);
    return again ?? launchAt(0, request);
  }

  async function launchAt(
    port: number,
    { folder, network, key, signal }: StartRequest,
  ): Promise<StartedEngine> {
    if (signal.aborted) throw connectingCancelledError();
    const process = startProcess([
      ...['--wallets', folder, '--chain', chainOfNetwork(network), '--release', RELEASE],
      ...['--port', String(port), '--state', join(dataFolder, APP_FOLDERS.engineState)],
      '--end-with-parent',
    ]);
    const waiting = new AbortController();
    const limit = waitUnlessAborted(limits?.startMs ?? START_MS, AbortSignal.any([signal, waiting.signal]));
    const start = await Promise.race([readEngineStart(process), limit.then(() => null)]);
    waiting.abort();
    if (start?.outcome !== 'ready') await endProcess(process);
    if (start === null)
      throw signal.aborted ? connectingCancelledError() : new AppError('timed_out', DID_NOT_START, TRY_AGAIN);
    if (start.outcome === 'refusal')
      throw new AppError(
        'cannot_connect',
        `${DID_NOT_START} ${start.words}`,
        start.todo === null ? TRY_AGAIN : `${NO_WALLET_CHANGED} ${start.todo}`,
      );
    if (start.outcome === 'end') throw new AppError('cannot_connect', DID_NOT_START, TRY_AGAIN);
    const { address, cookieFile, walletsFolder } = start;
    ports.set(key, address.port);
    const launched: StartedEngine = {
      process,
      key,
      folder,
      state: 'running',
      node: {
        label: LABEL,
        address,
        credentials: { by: 'cookie', cookieFile, walletsFolder },
        walletsFolder,
        lostBecause: () => (launched.state === 'ended' ? engineEndedError() : null),
      },
    };
    void process.ended.then(() => {
      if (launched.state === 'ended') return;
      launched.state = 'ended';
      options.onEnd();
    });
    return launched;
  }

  async function end(engine: StartedEngine | null): Promise<void> {
    if (engine === null || engine.state === 'ended') return;
    engine.state = 'ended';
    await endProcess(engine.process);
  }

  async function endProcess(process: EngineProcess): Promise<void> {
    process.end();
    const ended = process.ended.then(() => true);
    if ((await orNullAfter(ended, limits?.endMs ?? END_MS)) === null) process.kill();
    await ended;
  }

  async function startEngine(request: StartRequest): Promise<Connection> {
    const { folder, network, key } = request;
    const before = running;
    if (before?.state === 'running') {
      if (before.key === key) return options.connect(before.node);
      if (options.isAtWork(before.node.address))
        throw new AppError(
          'job_running',
          say('The offline engine is busy in another folder.'),
          nothingChanged(say('Wait until its job ends.')),
        );
    }
    if (folder !== folderOf(network)) {
      const node = await findOverlappingNode(folder, await options.foundNodes());
      if (node)
        throw new AppError(
          'busy',
          say('The node at port {port} uses {folder}.', { port: node.address.port, folder }),
          `${say('Two programs can damage a wallet.')} ${say('Connect to that node, stop it, or choose another folder.')}`,
        );
    }
    // Two engines never share a folder. For another folder, the old engine runs until the new one is ready.
    if (before?.folder === folder) await end(before);
    const next = await launch(request);
    running = next;
    try {
      return await options.connect(next.node);
    } catch (thrown) {
      await end(next);
      throw thrown;
    } finally {
      if (before !== null && before.folder !== folder) await end(before);
    }
  }

  return {
    /** The app's own wallets folder for a network. */
    folderOf,
    /** The address of the running engine, or of the last one. */
    address: () => running?.node.address ?? null,
    /**
     * Starts the engine on the folder unless it already runs there, and connects to it. Stops the previous engine. `walletsFolder`:
     * an absolute path, created if it does not exist; null for the app's own folder for the network.
     * Throws AppError if the engine cannot be started, and `job_running` while the previous one runs a job.
     */
    async start({ walletsFolder, network }: Input<'engine.start'>): Promise<Connection> {
      if (walletsFolder !== null && !isAbsolute(walletsFolder))
        throw new FileError('bad_input', { code: 'path_not_absolute' });
      const folder = resolve(walletsFolder ?? folderOf(network));
      const key = `${network}\n${folder}`;
      if (starting?.key === key) return starting.connected;
      const { signal } = cancelStart;
      const connected = turn.then(() => startEngine({ folder, network, key, signal }));
      const mine = { key, connected };
      starting = mine;
      turn = connected.catch(() => undefined);
      try {
        return await connected;
      } finally {
        if (starting === mine) starting = null;
      }
    },
    /** Shuts the engine down cleanly. It abandons unfinished work, which leaves the wallet unchanged. */
    stop(): Promise<void> {
      cancelStart.abort();
      cancelStart = new AbortController();
      const stopped = turn.then(() => end(running));
      turn = stopped;
      return stopped;
    },
  };
}

/** The release with the most useful calls: it loads legacy wallets, restores their backups and migrates them. */
const RELEASE = '28';
const LABEL = say('Without a node');
const START_MS = 60_000;
/** As long as the engine waits for running calls. */
const END_MS = 11_000;
const LAST_OUTPUT_MS = 1000;

const DID_NOT_START = say('The offline engine did not start.');
const NO_WALLET_CHANGED = say('No wallet was changed.');
const TRY_AGAIN = `${NO_WALLET_CHANGED} ${say('Try again, or choose another folder.')}`;

/** The wallets are safe: the engine installs a finished wallet with one rename. */
function engineEndedError(): AppError {
  return new AppError(
    'connection_lost',
    say('The offline engine has stopped.'),
    say('Each wallet is unchanged or finished.'),
  );
}

/**
 * Two programs on one wallet file can damage it. Finds the first running node whose wallets folder is this folder,
 * contains it or is in it; null if there is none. The folder need not exist.
 */
export async function findOverlappingNode(
  walletsFolder: string,
  nodes: readonly FoundNode[],
): Promise<FoundNode | null> {
  const chosen = await realPathSoFar(walletsFolder);
  for (const node of nodes) {
    if (doesNotRun(node)) continue;
    for (const path of await walletsFoldersOf(node)) {
      const folder = await realPathSoFar(path);
      if (isWithin(chosen, folder) || isWithin(folder, chosen)) return node;
    }
  }
  return null;
}

/** A node that timed out may still be running, and one without RPC does. */
function doesNotRun({ state }: FoundNode): boolean {
  return state.state === 'failed' && !['timed_out', 'not_available_here'].includes(state.error.code);
}

async function walletsFoldersOf({ state, dataFolder, network }: FoundNode): Promise<string[]> {
  const known = state.state === 'ready' ? state.node.walletsFolder : null;
  return known === null ? likelyWalletsFolders(chainFolder(dataFolder, network), network) : [known];
}

export interface EngineProcess {
  readonly output: Readable;
  readonly errors: Readable;
  /** Resolves with the exit code when the process ends; null if a signal ended it or it never ran. */
  readonly ended: Promise<number | null>;
  /** Asks the process to shut down cleanly. */
  end(): void;
  /** Kills a process that does not shut down. Its files are safe all the same. */
  kill(): void;
}

/** Starts the engine with these arguments. The engine ends with the app, however the app ends. */
export type StartEngineProcess = (args: readonly string[]) => EngineProcess;

/**
 * Reads the result of a start; `end` means the engine ended without a valid line. Waits without a limit, and keeps
 * draining the pipes afterwards so that a full pipe never blocks the engine.
 */
export async function readEngineStart(
  engine: EngineProcess,
): Promise<z.output<typeof lineShape> | { outcome: 'end' }> {
  // Its error output is for developers, not for users.
  engine.errors.resume();
  const lines = createInterface({ input: engine.output });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  // Its last output may come after its end.
  const output = finished(engine.output).catch(() => undefined);
  const ended = engine.ended.then(() => orNullAfter(output, LAST_OUTPUT_MS));
  const line = await Promise.race([first, ended.then(() => null)]);
  return lineShape.safeParse(parseJson(line ?? '')).data ?? { outcome: 'end' };
}

/** Long enough for long paths. */
const sentences = z.string().check(z.minLength(1), z.maxLength(20_000));

const lineShape = z.union([
  convert(
    z.object({
      url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
      cookie: z.string().check(z.minLength(1)),
      /** An absolute path. */
      wallets: z.string().check(z.minLength(1)),
    }),
    ({ url, cookie: cookieFile, wallets: walletsFolder }) => {
      const { hostname: host, port } = new URL(url);
      const address: NodeAddress = { host, port: Number(port), tls: false };
      return { outcome: 'ready' as const, address, cookieFile, walletsFolder };
    },
  ),
  /** The engine's sentences for users; `todo` is null if the first one says what to do. */
  convert(
    z.object({ refused: sentences, todo: z._default(z.nullable(sentences), null) }),
    ({ refused: words, todo }) => ({ outcome: 'refusal' as const, words, todo }),
  ),
]);
