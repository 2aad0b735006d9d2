/** *Work without a node*: the built-in offline engine, started on a folder of wallets and connected to like any node. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { chainOfNetwork, type Network } from '../../../shared/model/network.ts';
import type { Connection, FoundNode, NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { APP_FOLDERS } from '../../files/owned/sharedFolder.ts';
import { guessWalletsFolder } from '../calls/walletsFolder.ts';
import { chainFolder } from '../discovery/dataFolders.ts';
import { connectingCancelled } from '../rpc/connectionErrors.ts';
import { pause } from '../rpc/pause.ts';
import { type EngineProcess, readEngineStart, type StartEngineProcess } from './engineProcess.ts';
import type { StartedNode } from './nodeWatch.ts';

interface EnginePlace {
  /** Absolute; made when it is not there. Null: the app's own folder for the network. */
  readonly walletsFolder: string | null;
  readonly network: Network;
}

export type OfflineEngine = ReturnType<typeof createOfflineEngine>;

export interface OfflineEngineOptions {
  /** The app's own folder. */
  readonly dataFolder: string;
  readonly startProcess: StartEngineProcess;
  readonly foundNodes: () => Promise<readonly FoundNode[]>;
  readonly connect: (engine: StartedNode) => Promise<Connection>;
  /** Whether a job runs on the node of this address. */
  readonly isAtWork: (address: NodeAddress) => boolean;
  /** Called when the engine has ended without being asked to. */
  readonly onEnd: () => void;
  /** Milliseconds that it has to get ready, and to end. Default 60,000 and 10,000. */
  readonly limits?: { readonly startMs?: number; readonly endMs?: number };
}

interface Running {
  readonly process: EngineProcess;
  readonly key: string;
  readonly folder: string;
  readonly node: StartedNode;
  state: 'running' | 'ended';
}

interface Wish {
  readonly folder: string;
  readonly network: Network;
  /** What tells one place from another. */
  readonly key: string;
  readonly signal: AbortSignal;
}

export function createOfflineEngine(options: OfflineEngineOptions) {
  const { dataFolder, startProcess, limits } = options;
  let running: Running | null = null;
  let starting: { readonly key: string; readonly connected: Promise<Connection> } | null = null;
  /** One start, or end, at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  /** Aborted by `stop`: no engine is wanted any more, also not one that is just being started. */
  let wanted = new AbortController();
  /** So that an engine that is started again is the same node as before: jobs on it find back. */
  const ports = new Map<string, number>();

  const folderOf = (network: Network) => join(dataFolder, APP_FOLDERS.offline, network, 'wallets');

  async function launch(wish: Wish): Promise<Running> {
    const known = ports.get(wish.key);
    // The port may be another program's by now.
    const again = known === undefined ? null : await launchAt(known, wish).catch(() => null);
    return again ?? launchAt(0, wish);
  }

  async function launchAt(port: number, { folder, network, key, signal }: Wish): Promise<Running> {
    if (signal.aborted) throw connectingCancelled();
    const process = startProcess([
      ...['--wallets', folder, '--chain', chainOfNetwork(network), '--release', RELEASE],
      ...['--port', String(port), '--state', join(dataFolder, APP_FOLDERS.engineState)],
      '--end-with-parent',
    ]);
    const waiting = new AbortController();
    const limit = pause(limits?.startMs ?? START_MS, AbortSignal.any([signal, waiting.signal]));
    const start = await Promise.race([readEngineStart(process), limit.then(() => null)]);
    waiting.abort();
    if (start?.came !== 'ready') await endProcess(process);
    if (start === null)
      throw signal.aborted
        ? connectingCancelled()
        : new AppError('timed_out', say('The offline engine did not start in time.'), TRY_AGAIN);
    if (start.came === 'refusal')
      throw new AppError(
        'cannot_connect',
        say('The offline engine did not start. {words}', { words: start.words }),
        start.todo === null ? TRY_AGAIN : say('No wallet was changed. {todo}', { todo: start.todo }),
      );
    if (start.came === 'end')
      throw new AppError('cannot_connect', say('The offline engine ended while starting.'), TRY_AGAIN);
    const { address, cookieFile, walletsFolder } = start;
    ports.set(key, address.port);
    const launched: Running = {
      process,
      key,
      folder,
      state: 'running',
      node: {
        label: LABEL,
        address,
        credentials: { by: 'cookie', cookieFile },
        walletsFolder,
        lostBecause: () => (launched.state === 'ended' ? engineEnded() : null),
      },
    };
    void process.ended.then(() => {
      if (launched.state === 'ended') return;
      launched.state = 'ended';
      options.onEnd();
    });
    return launched;
  }

  async function end(engine: Running | null): Promise<void> {
    if (engine === null || engine.state === 'ended') return;
    engine.state = 'ended';
    await endProcess(engine.process);
  }

  async function endProcess(process: EngineProcess): Promise<void> {
    const waiting = new AbortController();
    process.end();
    const ended = process.ended.then(() => true);
    const limit = pause(limits?.endMs ?? END_MS, waiting.signal).then(() => false);
    if (!(await Promise.race([ended, limit]))) process.kill();
    waiting.abort();
    await ended;
  }

  async function begin(wish: Wish): Promise<Connection> {
    const { folder, network, key } = wish;
    const before = running;
    if (before?.state === 'running') {
      if (before.key === key) return options.connect(before.node);
      if (options.isAtWork(before.node.address))
        throw new AppError(
          'job_running',
          say('The offline engine is at work on another folder.'),
          say('Nothing was changed. Wait until its job ends.'),
        );
    }
    if (folder !== folderOf(network)) {
      const node = await overlappingNode(folder, await options.foundNodes());
      if (node)
        throw new AppError(
          'busy',
          say('The node at port {port} uses {folder}.', { port: node.address.port, folder }),
          say('Two programs can damage a wallet. Connect to that node, stop it, or choose another folder.'),
        );
    }
    // One folder is never held by two; from another one the app leaves only once the new engine is there.
    if (before?.folder === folder) await end(before);
    const next = await launch(wish);
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
    /** The app's own folder of wallets for a network. */
    folderOf,
    /** The address of the one that runs, or ran last. */
    address: () => running?.node.address ?? null,
    /**
     * Starts the engine there, unless it runs there already, and connects to it. The one before it ends. Throws AppError
     * in words when it cannot be started, and `job_running` while the one before it is at work.
     */
    async start({ walletsFolder, network }: EnginePlace): Promise<Connection> {
      if (walletsFolder !== null && !isAbsolute(walletsFolder))
        throw new AppError('bad_input', say('This is not a full path.'), say('Choose another folder.'));
      const folder = resolve(walletsFolder ?? folderOf(network));
      const key = `${network}\n${folder}`;
      if (starting?.key === key) return starting.connected;
      const { signal } = wanted;
      const connected = turn.then(() => begin({ folder, network, key, signal }));
      const mine = { key, connected };
      starting = mine;
      turn = connected.catch(() => undefined);
      try {
        return await connected;
      } finally {
        if (starting === mine) starting = null;
      }
    },
    /** Ends it in good order. What it has not decided by then it gives up; the wallet is as it was. */
    stop(): Promise<void> {
      wanted.abort();
      wanted = new AbortController();
      const stopped = turn.then(() => end(running));
      turn = stopped;
      return stopped;
    },
  };
}

/** The one whose calls do most: it loads legacy wallets, restores their backups and migrates them. */
const RELEASE = '28';
const LABEL = say('Without a node');
const START_MS = 60_000;
/** The engine itself waits as long for calls under way. */
const END_MS = 11_000;

const TRY_AGAIN = say('No wallet was changed. Try again, or choose another folder.');

/** The wallets are safe: the engine puts a finished wallet in its place by one renaming. */
function engineEnded(): AppError {
  return new AppError(
    'connection_lost',
    say('The offline engine has stopped.'),
    say('Each wallet is as it was, or finished. Start it again.'),
  );
}

/**
 * The first of these nodes that runs and has its wallets in this folder, above it or below it; null when there is none.
 * The folder need not exist.
 */
export async function overlappingNode(
  walletsFolder: string,
  nodes: readonly FoundNode[],
): Promise<FoundNode | null> {
  const chosen = await resolved(walletsFolder);
  for (const node of nodes) {
    if (doesNotRun(node)) continue;
    const folder = await resolved(await walletsFolderOf(node));
    if (contains(folder, chosen) || contains(chosen, folder)) return node;
  }
  return null;
}

/** One that is only too busy to answer in time does. */
function doesNotRun({ state }: FoundNode): boolean {
  return state.state === 'failed' && state.error.code !== 'timed_out';
}

async function walletsFolderOf({ state, dataFolder, network }: FoundNode): Promise<string> {
  const known = state.state === 'ready' ? state.node.walletsFolder : null;
  return known ?? guessWalletsFolder(chainFolder(dataFolder, network));
}

/** Links resolved, as far as the path exists. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await resolved(above), basename(path));
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  // On Windows the way to another drive is an absolute path.
  return way === '' || !(way === '..' || /^\.\.[/\\]/.test(way) || /^([a-z]:|[/\\])/i.test(way));
}
