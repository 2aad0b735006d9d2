/** Polls one node's status, and reports each change. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Network } from '../../../shared/model/network.ts';
import {
  type Connection,
  isLoopback,
  isSameStart,
  type NodeStart,
  type NodeStatus,
} from '../../../shared/model/node.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { nothingChanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { writeError } from '../../files/fileError.ts';
import { blockchainInfo, nullIfUnavailable, startTime } from '../calls/call.ts';
import { findProbedFolder, probeWalletsFolder } from '../calls/proveWalletsFolder.ts';
import { readNodeStatus } from '../calls/status.ts';
import { waitUnlessAborted } from '../rpc/client.ts';
import type { NodeLogin } from '../rpc/credentials.ts';
import type { NodeClient, Session } from '../rpc/session.ts';

export interface WatchPauses {
  /** Milliseconds between two polls of a connected node. Default 5,000, and 60,000 for one that the app started itself. */
  readonly refreshMs?: number;
  /** The same while the node starts up. Default 1,000. */
  readonly startingMs?: number;
  /** The same while the node does not answer. Default 2,000. */
  readonly lostMs?: number;
}

interface WatchOptions {
  readonly client: NodeClient;
  readonly label: string;
  /** A status from before this connection. */
  readonly known?: NodeStatus | undefined;
  readonly pauses: WatchPauses;
  /** Set for a node that the app started itself. */
  readonly started?: StartedNode | undefined;
  /** Where the node may keep its wallets, for one whose log does not say it. */
  folders?(network: Network): Promise<readonly string[]>;
  /** Called after each poll except the first. */
  onPoll(connection: Connection): void;
}

export type NodeWatch = ReturnType<typeof createNodeWatch>;

export function createNodeWatch({ client, label, known, pauses, started, folders, onPoll }: WatchOptions) {
  const local = isLoopback(client.address.host);
  const stopped = new AbortController();
  const { signal } = stopped;
  let session: { readonly client: NodeClient; status: NodeStatus } | null = null;
  let current: Connection = { state: 'none' };
  /** Polls since the last one that read the whole status. */
  let chainPolls = 0;
  /** The wallets folder that the user chose. */
  let chosen: string | null = null;
  /** The one that the app found for the run in `searched`. */
  let found: string | null = null;
  /** The run for which the app has searched. It searches once a run, because it writes a probe. */
  let searched: NodeStatus | null = null;
  /** Aborts the pause before the next poll. During a poll, it aborts the pause after it. */
  let pauseEnd = new AbortController();

  async function readStatus(): Promise<NodeStatus> {
    // A node that was unreachable may have restarted with other settings, so read them again.
    if (session !== null && current.state === 'connected' && chainPolls < MAX_CHAIN_POLLS) {
      chainPolls += 1;
      const [chain, start] = await Promise.all([blockchainInfo(client, signal), startIfNeeded()]);
      // Another poll may have read the whole status in between.
      const { status } = session;
      const isSame =
        chain.network === status.network &&
        client.listener()?.socket === status.listener?.socket &&
        (start === null || isSameStart(status, start));
      if (isSame) return { ...status, ...chain };
    }
    const previous = session?.status ?? known;
    const { walletsFolder } = started ?? {};
    const read = () =>
      readNodeStatus(client, { local, label, previous, walletsFolder, chosen: chosen ?? found, signal });
    let status = await read();
    chainPolls = 0;
    const { network, started: start } = status;
    const isSearched = searched !== null && (start === null || isSameStart(searched, status));
    // Another run may use another folder, or run in a container.
    if (found !== null && !isSearched) {
      found = null;
      status = await read();
    }
    if (!status.local || status.walletsFolder !== null || isSearched) return status;
    searched = status;
    const likely = (await folders?.(network)) ?? [];
    found = await findProbedFolder(client, likely, network).catch(() => null);
    return found === null ? status : read();
  }

  /** When the node started, if its socket does not show a restart; null if that is not needed, or the login may not ask. */
  async function startIfNeeded(): Promise<NodeStart | null> {
    return client.listener() === null ? startTime(client, signal).catch(nullIfUnavailable) : null;
  }

  async function poll(): Promise<Connection> {
    try {
      const status = await readStatus();
      if (session === null) session = { client, status };
      else session.status = status;
      return { state: 'connected', node: status };
    } catch (thrown) {
      return connectionAfter(thrown);
    }
  }

  function connectionAfter(thrown: unknown): Connection {
    const error = errorShapeOf(thrown);
    if (error.code === 'starting_up') {
      return { state: 'starting', label, message: error.node?.message ?? error.message };
    }
    if (session === null) {
      if (current.state === 'none') throw thrown;
      // The node stopped during startup; the caller keeps waiting.
      return { state: 'starting', label, message: error.message };
    }
    // A busy node is still connected.
    if (error.code === 'busy' && current.state === 'connected') return current;
    const since = current.state === 'lost' ? current.since : Math.floor(Date.now() / 1000);
    return {
      state: 'lost',
      node: session.status,
      error: errorShapeOf(started?.lostBecause() ?? thrown),
      since,
    };
  }

  async function pollAgain(): Promise<void> {
    const next = await poll();
    if (signal.aborted) return;
    current = next;
    onPoll(next);
  }

  async function keepPolling(): Promise<void> {
    while (!signal.aborted) {
      await waitUnlessAborted(pauseAfter(current, pauses, started !== undefined), pauseEnd.signal);
      pauseEnd = new AbortController();
      if (!signal.aborted) await pollAgain();
    }
  }

  return {
    /** Polls for the first time. Throws AppError if the node neither answers nor is starting up. */
    async reach(): Promise<Connection> {
      current = await poll();
      return current;
    },
    /** Polls until `stop`. */
    start: () => void keepPolling(),
    stop(): void {
      stopped.abort();
      pauseEnd.abort();
    },
    /** Reads the whole status without waiting for the pause to end. */
    pollNow(): void {
      chainPolls = MAX_CHAIN_POLLS;
      pauseEnd.abort();
    },
    /** Polls at once if another program listens than at the last poll: the status describes the earlier one. */
    async pollIfReplaced(): Promise<void> {
      if (session?.status.listener?.socket !== client.listener()?.socket) await pollAgain();
    },
    /**
     * Uses the folder as the node's wallets folder after the node lists a probe file in it. Throws AppError
     * `not_available_here` if the node does not, or was not ready yet.
     */
    async useWalletsFolder(folder: string): Promise<void> {
      if (session === null || !local || !(await isWalletsFolder(session, folder)))
        throw new AppError(
          'not_available_here',
          say('Not the node’s wallets folder: {folder}', { folder }),
          nothingChanged(say('Choose another folder.')),
        );
      chosen = folder;
      chainPolls = MAX_CHAIN_POLLS;
      await pollAgain();
    },
    /** Null until the node is ready for the first time. */
    session: () => session,
  };
}

async function isWalletsFolder({ client, status }: Session, folder: string): Promise<boolean> {
  try {
    return await probeWalletsFolder(client, folder, status.network);
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : writeError(thrown, folder);
  }
}

/** With the default pause, the whole status is read once a minute. Only the chain changes while a node runs. */
const MAX_CHAIN_POLLS = 11;

function pauseAfter(current: Connection, pauses: WatchPauses, isOwn: boolean): number {
  if (current.state === 'starting') return pauses.startingMs ?? 1000;
  if (current.state === 'lost') return pauses.lostMs ?? 2000;
  // Its program says when it ends, and it has no chain that grows.
  return pauses.refreshMs ?? (isOwn ? 60_000 : 5000);
}

/** A node that the app started itself, such as the offline engine. */
export interface StartedNode extends NodeLogin {
  /** The wallets folder that the app started it with. */
  readonly walletsFolder: string;
  /** Why the node does not answer, if the app knows more than that. */
  lostBecause(): AppError | null;
}
