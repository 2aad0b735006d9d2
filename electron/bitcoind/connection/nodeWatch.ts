/** Stays with one node: asks how it is again and again, and tells what changed. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Connection, NodeStatus } from '../../../shared/model/node.ts';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { writeError } from '../../files/fileError.ts';
import { isLoopback } from '../../http/loopback.ts';
import { readNodeStatus } from '../calls/status.ts';
import { probeWalletsFolder } from '../calls/walletsFolder.ts';
import type { NodeLogin } from '../rpc/credentials.ts';
import { pause } from '../rpc/pause.ts';
import type { NodeClient, Session } from '../rpc/session.ts';

export interface WatchPauses {
  /** Milliseconds between two looks at a node that answers. Default 5,000. */
  readonly refreshMs?: number;
  /** While it starts up. Default 1,000. */
  readonly startingMs?: number;
  /** While it does not answer. Default 2,000. */
  readonly lostMs?: number;
}

interface WatchOptions {
  readonly client: NodeClient;
  readonly label: string;
  readonly pauses: WatchPauses;
  /** What the app knows of a node that it started itself. */
  readonly own?: StartedNode | undefined;
  /** After each look but the first. */
  onLook(connection: Connection): void;
}

export type NodeWatch = ReturnType<typeof createNodeWatch>;

export function createNodeWatch({ client, label, pauses, own, onLook }: WatchOptions) {
  const local = isLoopback(client.address.host);
  const stopped = new AbortController();
  const { signal } = stopped;
  let session: { readonly client: NodeClient; status: NodeStatus } | null = null;
  let current: Connection = { state: 'none' };
  let looksSinceProof = 0;
  /** The wallets folder that the user named. */
  let chosen: string | null = null;
  /** Ends the pause before the next look, which begins at once: the next pause, where a look is under way. */
  let awake = new AbortController();

  async function askStatus(): Promise<NodeStatus> {
    // A node that was away may have come back with another wallets folder, so it is proved anew.
    const isFresh = current.state === 'connected' && looksSinceProof < LOOKS_PER_PROOF;
    looksSinceProof = isFresh ? looksSinceProof + 1 : 0;
    const known = isFresh ? session?.status : undefined;
    const startedBefore = session?.status.started;
    const { walletsFolder } = own ?? {};
    return readNodeStatus(client, { local, label, known, startedBefore, walletsFolder, chosen, signal });
  }

  async function look(): Promise<Connection> {
    try {
      const status = await askStatus();
      if (session === null) session = { client, status };
      else session.status = status;
      return { state: 'connected', node: status };
    } catch (thrown) {
      return standingAfter(thrown);
    }
  }

  function standingAfter(thrown: unknown): Connection {
    const error = errorShapeOf(thrown);
    if (error.code === 'starting_up') {
      return { state: 'starting', label, message: error.node?.message ?? error.message };
    }
    if (session === null) {
      if (current.state === 'none') throw thrown;
      // It stopped while it was starting; whoever waits for it goes on waiting.
      return { state: 'starting', label, message: error.message };
    }
    // Too busy to answer is an answer.
    if (error.code === 'busy' && current.state === 'connected') return current;
    const since = current.state === 'lost' ? current.since : Math.floor(Date.now() / 1000);
    return { state: 'lost', node: session.status, error: own?.lostBecause()?.toShape() ?? error, since };
  }

  async function lookAgain(): Promise<void> {
    const next = await look();
    if (signal.aborted) return;
    current = next;
    onLook(next);
  }

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      await pause(pauseAfter(current, pauses), awake.signal);
      awake = new AbortController();
      if (!signal.aborted) await lookAgain();
    }
  }

  return {
    /** The first look. Throws AppError for a node that neither answers nor is starting up. */
    async reach(): Promise<Connection> {
      current = await look();
      return current;
    },
    /** Goes on looking until `stop`. */
    start: () => void keepLooking(),
    stop(): void {
      stopped.abort();
      awake.abort();
    },
    /** Ends the pause before the next look. */
    lookNow: () => awake.abort(),
    /** Looks at once where another program listens by now than at the last look: what is known of the node is of before. */
    async catchUp(): Promise<void> {
      if (session?.status.listener?.socket !== client.listener()?.socket) await lookAgain();
    },
    /**
     * Takes the folder for that of the node's wallets, once the node lists what is put there. Throws AppError
     * `not_available_here` where it does not, or the node was not ready yet.
     */
    async useWalletsFolder(folder: string): Promise<void> {
      if (session === null || !local || !(await isWalletsFolder(session, folder)))
        throw new AppError(
          'not_available_here',
          say('The node does not keep its wallets here: {folder}', { folder }),
          say('Nothing was changed. Choose another folder, or work without a node.'),
        );
      chosen = folder;
      looksSinceProof = LOOKS_PER_PROOF;
      await lookAgain();
    },
    /** Null until the node was ready once. */
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

/** With the usual pause, a proof a minute: the node opens every wallet's file for it. */
const LOOKS_PER_PROOF = 12;

function pauseAfter(current: Connection, pauses: WatchPauses): number {
  if (current.state === 'starting') return pauses.startingMs ?? 1000;
  return current.state === 'lost' ? (pauses.lostMs ?? 2000) : (pauses.refreshMs ?? 5000);
}

/** A node that the app itself has started, such as the offline engine, and what it knows of that. */
export interface StartedNode extends NodeLogin {
  /** The folder it was started on. */
  readonly walletsFolder: string;
  /** Why it does not answer, when the app knows better than that it does not. */
  lostBecause(): AppError | null;
}
