/** Finds the outcome of a job whose answer is lost: asks the node, or reads its files. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, nullFor } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { isSameNode, isSameRun, isSameStart, type NodeIdentity } from '../../../shared/model/node.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { rpcInfo } from '../../bitcoind/calls/call.ts';
import { readIdentity } from '../../bitcoind/calls/status.ts';
import { listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { Evidence, Outcome, ResumedJob } from '../jobKind.ts';
import { unknownOutcome, withHint } from '../outcomes.ts';
import type { RunContext } from './watch.ts';

/**
 * Polls until the outcome is known. Accepts answers of the job's own node only, restarted or not, and waits while another node
 * answers. If the node is gone, its files alone may show the outcome.
 */
export async function resolveUntilKnown(
  jobKind: ResumedJob,
  context: RunContext,
  how: Pick<Evidence, 'isSender'> = {},
): Promise<Outcome> {
  setConnection(context, 'lost');
  const find = (options: FindOptions) => findCertainOutcome(jobKind, context, { ...options, ...how });
  for (;;) {
    const outcome = await checkAndPause(context, find);
    if (outcome !== null) return outcome;
  }
}

/**
 * The outcome of a job that the node refused, but after which the wallet is incomplete, or has been migrated all the same, such
 * as by another client; null if neither. Reads the files of a node on this machine until they show which, because the node may be
 * stopping, or another client may be migrating the same wallet. Gives up after 30 attempts: the outcome is then unknown, and a later
 * attempt may find it.
 */
export async function resolveRefused(
  jobKind: ResumedJob,
  context: RunContext,
  error: AppError,
): Promise<Outcome | null> {
  const { node: nodeError, message, hint } = error;
  const { node, signal } = context;
  if (jobKind.method === 'restorewallet' && nodeError?.code === RPC_MISC_ERROR) {
    const loaded = await listWallets(context.session().client, signal).catch((): string[] => []);
    const { name: wallet } = jobKind.checkpoint;
    // The app may not see the file, so only one that is there refutes it.
    const isThere =
      node.walletsFolder !== null && (await walletFilePath(node.walletsFolder, wallet)) !== null;
    if (!loaded.includes(wallet)) return null;
    if (!isThere) return fileDeletedOutcome(error);
    const restored = { refused: { failedMidway: true } };
    const { outcome } = await findOutcome(jobKind, context, restored).catch(() => ({ outcome: null }));
    return outcome?.state === 'done' ? { ...outcome, warnings: [nodeError.message] } : null;
  }
  if (jobKind.method !== 'migratewallet') return null;
  const refused = { failedMidway: nodeError?.code === RPC_MISC_ERROR };
  const look = (options: FindOptions) =>
    findOutcome(jobKind, context, { ...options, filesSuffice: true, refused });
  const ifChanged = (outcome: Outcome | null) => {
    if (outcome?.state === 'interrupted') return outcome;
    // A copy that the app placed has a name of its own, so nobody else migrates it.
    if (outcome?.state !== 'done' || jobKind.checkpoint.kind !== 'migrate') return null;
    return { ...outcome, warnings: nodeError === undefined ? [] : [nodeError.message] };
  };
  // The engine undoes a failed migration before it answers.
  if (node.walletsFolder !== null && !node.offline) {
    for (let looks = 0; looks < CHECKS_AFTER_REFUSAL; looks += 1) {
      const outcome = await checkAndPause(context, look);
      if (outcome !== null) return ifChanged(outcome);
    }
    return unknownOutcome(hint, nodeError?.message ?? message);
  }
  try {
    return ifChanged((await look({})).outcome);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return null;
  }
}

const CHECKS_AFTER_REFUSAL = 30;

/** `RPC_MISC_ERROR` of `src/rpc/protocol.h`, also for an exception in the middle of a call. */
const RPC_MISC_ERROR = -1;

/**
 * With -nosettings, a node cannot save `load_on_startup`: it fails after loading the wallet, and deletes the wallet's file (measured on
 * 29.3 and 31.0).
 */
function fileDeletedOutcome(error: AppError): Outcome {
  const hint = say('The node deleted its file. Unload it, then restore without load at start.');
  return { state: 'failed', error: errorShapeOf(withHint(error, () => hint)) };
}

/** The outcome that `find` finds. Null after a pause if it is unknown, or if the job's node does not answer. */
async function checkAndPause(
  context: RunContext,
  find: (options: FindOptions) => Promise<FoundOutcome>,
): Promise<Outcome | null> {
  const { signal, pollMs } = context;
  const onConnection = (connection: Job['connection']) => setConnection(context, connection);
  signal.throwIfAborted();
  try {
    const { outcome } = await find({ onConnection });
    if (outcome !== null) return outcome;
  } catch (thrown) {
    const isAnother = thrown instanceof AnotherNodeError;
    if (!isAnother && !(thrown instanceof AppError)) throw thrown;
    onConnection(isAnother ? 'another-node' : 'lost');
  }
  await pause(pollMs, undefined, { signal, ref: false });
  return null;
}

interface FindOptions {
  /** See `Evidence`. */
  readonly filesSuffice?: boolean;
  readonly isSender?: boolean | undefined;
  /** Set if the node refused the job's call, so that a running call of the method is another client's. */
  readonly refused?: Required<Pick<Evidence, 'failedMidway'>>;
  /** Called with whether the node answers. */
  readonly onConnection?: (connection: 'ok' | 'lost') => void;
}

interface FoundOutcome {
  /** Null while it is unknown. */
  readonly outcome: Outcome | null;
  /** Null if the node is gone, so that only its files were read. */
  readonly session: Session | null;
}

type FoundBy = Pick<ResumedJob, 'checkpoint' | 'method' | 'resolve'>;
type FindContext = Pick<RunContext, 'watch' | 'session' | 'node' | 'signal' | 'stoppedNodeFolder'>;

/**
 * Looks for the outcome, twice unless it is `done`: a call that waits in the node's queue is not running yet. Throws AppError if
 * neither the node nor its files show the outcome.
 */
export async function findCertainOutcome(
  jobKind: FoundBy,
  context: FindContext & Pick<RunContext, 'pollMs'>,
  options: FindOptions,
): Promise<FoundOutcome> {
  const { signal, pollMs } = context;
  const first = await findOutcome(jobKind, context, options);
  if (first.outcome === null || first.outcome.state === 'done') return first;
  await pause(pollMs, undefined, { signal, ref: false });
  const again = await findOutcome(jobKind, context, options);
  const isCertain = again.outcome?.state === 'done' || again.outcome?.state === first.outcome.state;
  return isCertain ? again : { ...again, outcome: null };
}

/** Looks once: asks the node, or reads its files if the node is gone. */
async function findOutcome(
  jobKind: FoundBy,
  context: FindContext,
  options: FindOptions,
): Promise<FoundOutcome> {
  try {
    return await askNode(jobKind, context, options);
  } catch (thrown) {
    const isAnother = thrown instanceof AnotherNodeError;
    const mayBeGone = isAnother || thrown instanceof AppError;
    const walletsFolder = mayBeGone ? await context.stoppedNodeFolder(context.node, isAnother) : null;
    if (walletsFolder === null) throw thrown;
    options.onConnection?.('lost');
    const outcome = await jobKind.resolve({
      ...(await readLog(context)),
      session: null,
      walletsFolder,
      stillRunning: false,
      filesSuffice: options.filesSuffice === true,
    });
    return { outcome, session: null };
  }
}

/**
 * While the node is still at work, only `done` is an outcome. While it works for another client, every outcome is one but
 * `interrupted`: that work may be on the same wallet.
 */
async function askNode(
  jobKind: FoundBy,
  context: FindContext,
  { refused, isSender = false, onConnection }: FindOptions,
): Promise<FoundOutcome> {
  const session = context.session();
  const identity = await readJobNode(session, context);
  const isAtWork = await isRunning(session.client, methodsOf(jobKind), context.signal);
  if (isAtWork === true) context.watch.seeWork();
  const isRestarted = wasRestarted(context.node, identity);
  const sameRun = isSameStart(context.node, identity) && !isRestarted;
  // If the login may not ask, the call still runs unless the node was restarted.
  const stillRunning = refused === undefined && (isAtWork ?? !isRestarted);
  onConnection?.('ok');
  const outcome = await jobKind.resolve({
    ...(await readLog(context)),
    session,
    walletsFolder: session.status.walletsFolder,
    stillRunning,
    sameRun,
    isSender,
    ...refused,
  });
  // Another node may have taken its place between these calls.
  if (outcome !== null && !isSameRun(identity, await readJobNode(session, context)))
    throw new AnotherNodeError();
  const mayChange = stillRunning
    ? outcome?.state !== 'done'
    : isAtWork === true && outcome?.state === 'interrupted';
  return { outcome: mayChange ? null : outcome, session };
}

/**
 * Whether the node has another start since, or another process listens at its address. For a node that is not proven to be on this
 * computer, that may be a tunnel that connected again. Unknown facts decide nothing.
 */
function wasRestarted(before: NodeIdentity, now: NodeIdentity): boolean {
  const isKnown = before.started !== null && now.started !== null;
  if (isKnown && !isSameStart(before, now)) return true;
  const [listener, listenerNow] = [before.listener, now.listener];
  const mayBeTunnel = before.walletsFolder === null || listener === null || listenerNow === null;
  return !mayBeTunnel && listener.socket !== listenerNow.socket;
}

async function readLog({ watch, signal }: FindContext) {
  const logWasRead = await watch.drainLog();
  return { log: watch.state(), logWasRead, signal };
}

/** Reads the identity of the node that answers. Throws AnotherNodeError unless it is the job's node. */
async function readJobNode(
  { client }: Session,
  { node, signal }: Pick<RunContext, 'node' | 'signal'>,
): Promise<NodeIdentity> {
  const identity = await readIdentity(client, node, signal);
  if (!isSameNode(node, identity)) throw new AnotherNodeError();
  return identity;
}

class AnotherNodeError extends Error {}

/** The methods of a job's calls. The others may be calls of other clients. */
export function methodsOf({ method, checkpoint }: Pick<ResumedJob, 'method' | 'checkpoint'>): string[] {
  return [method, ...(checkpoint.precedingMethods ?? PRECEDING_METHODS)];
}

/** Whether a call of these methods runs, for any client. Null if the login may not ask that. */
export async function isRunning(
  client: NodeClient,
  methods: readonly string[],
  signal: AbortSignal,
): Promise<boolean | null> {
  const info = await rpcInfo(client, signal).catch(nullFor('forbidden', 'unknown_method'));
  return info === null ? null : info.activeCommands.some(({ method }) => methods.includes(method));
}

/** Of a job of an earlier version: a wallet is loaded for its backup or unlocked, and renamed before an undo in the engine. */
const PRECEDING_METHODS = ['loadwallet', 'walletpassphrase', 'renamewallet'];

/** Shows since when the node does not answer. */
function setConnection(
  { tracker, now }: Pick<RunContext, 'tracker' | 'now'>,
  connection: Job['connection'],
): void {
  const { connection: before, silentSince } = tracker.current();
  const since = connection === 'ok' ? undefined : (silentSince ?? now());
  if (before !== connection || silentSince !== since) tracker.change({ connection, silentSince: since });
}
