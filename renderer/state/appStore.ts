/** The current route, facts about the app, its settings, and the connection to a node. */
import { z } from 'zod/mini';
import { create } from 'zustand';
import type { AppInfo, Input, NodeTarget } from '../../shared/contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { textNote } from '../../shared/model/findings/textLines.ts';
import { haveSameWallets, type JobNode } from '../../shared/model/job.ts';
import { network } from '../../shared/model/network.ts';
import {
  type Connection,
  identityOf,
  isBehind,
  isSameAddress,
  isSameNode,
  isSameRun,
  mayConnect,
  type NodeAddress,
  type NodeIdentity,
  type NodeStatus,
  nodeAddress,
} from '../../shared/model/node.ts';
import { walletSource } from '../../shared/model/plan.ts';
import { setHome } from '../../shared/wording/format/names.ts';
import { attempt, until } from './asking.ts';
import { bridge } from './bridge.ts';
import { findNodes, listSavedNodes, useNodes } from './nodesStore.ts';
import { clearWallets, refreshWallets } from './walletsStore.ts';

export const route = z.discriminatedUnion('at', [
  z.object({ at: z.literal('home') }),
  /**
   * One wallet: a file, or a wallet of the connected node. `job`: the job to show instead of the wallet's newest one.
   * `searched`: a file of any kind, to be searched for keys of this network. `notes`: about the text it was made from.
   * `keyless`: the first lines of its text that hold no key. `tab`: the tab to open.
   */
  z.object({
    at: z.literal('wallet'),
    source: walletSource,
    job: z.optional(z.string()),
    searched: z.optional(z.object({ network: z.nullable(network) })),
    notes: z.optional(z.array(textNote)),
    keyless: z.optional(z.array(z.number())),
    tab: z.optional(z.string()),
  }),
  z.object({ at: z.literal('wallets') }),
  /** Plans for several wallets, see `useDrafts`. */
  z.object({ at: z.literal('batch') }),
  z.object({ at: z.literal('connect') }),
  z.object({ at: z.literal('history') }),
  z.object({ at: z.literal('settings') }),
]);
export type Route = z.infer<typeof route>;
export type WalletRoute = Extract<Route, { at: 'wallet' }>;

interface AppState {
  info: AppInfo | null;
  connection: Connection;
  route: Route;
  help: boolean;
  settings: Settings;
  /** The route after the connect page. Null: all wallets. */
  afterConnect: Route | null;
  /** Whether the app is connecting because the user asked for it. */
  connecting: boolean;
  /** False while the page cannot reach the app (browser entry point). */
  served: boolean;
  failure: AppErrorShape | null;
}

export const useApp = create<AppState>()(() => ({
  info: null,
  connection: { state: 'none' },
  route: { at: 'home' },
  help: false,
  settings: DEFAULT_SETTINGS,
  afterConnect: null,
  connecting: false,
  served: true,
  failure: null,
}));
const { getState: get, setState: set } = useApp;

export async function startApp(): Promise<void> {
  bridge.on('connection', (connection) => {
    events += 1;
    storeConnection(connection);
  });
  bridge.on('settings', (settings) => set({ settings }));
  bridge.on('showRoute', ({ route }) => {
    if (route === 'help') showHelp(true);
    // The shell opens the dialog for a file.
    else if (route !== 'open') go({ at: route });
  });
  bridge.watch((served) => {
    set({ served });
    if (served) void attempt(ask);
  });
  const started = await attempt(() =>
    Promise.all([
      bridge.call('app.info', { languages: [...(globalThis.navigator?.languages ?? [])] }),
      ask(),
    ]),
  );
  if (!started.ok) return set({ failure: started.error });
  const [info] = started.value;
  setHome(info.homeFolder);
  set({ info, settings: info.settings });
}

export function showHelp(help: boolean): void {
  set({ help });
}

/** Applies the settings at once. Resolves with the error of saving them, or null. */
export async function setSettings(settings: Settings): Promise<AppErrorShape | null> {
  set({ settings });
  const changed = await attempt(() => bridge.call('settings.change', settings));
  return changed.ok ? null : changed.error;
}

/** Opens the connect page, and `route` once another node is connected. */
export function connectThen(route: Route): void {
  set({ route: { at: 'connect' }, afterConnect: route });
}

/** Connects to a node, and leaves the connect page. Throws AppError. */
export async function connect(target: NodeTarget): Promise<void> {
  await connectThrough(() => bridge.call('nodes.connect', target));
}

/** Starts the offline engine on a wallets folder and connects to it. Throws AppError. */
export function workOffline(start: Input<'engine.start'>): Promise<void> {
  return connectThrough(() => bridge.call('engine.start', start));
}

export async function disconnect(): Promise<void> {
  await attempt(() => bridge.call('nodes.disconnect', {}));
  storeConnection({ state: 'none' });
}

/** A connection that can be made again without a password. */
export const keptConnection = z.discriminatedUnion('to', [
  z.object({ to: z.literal('none') }),
  z.object({ to: z.literal('engine'), walletsFolder: z.nullable(z.string()), network }),
  z.object({ to: z.literal('node'), address: nodeAddress }),
]);
export type KeptConnection = z.infer<typeof keptConnection>;

export function connectionToKeep(): KeptConnection {
  const node = nodeOf(get().connection);
  if (node === null) return { to: 'none' };
  const { offline, walletsFolder, network, address } = node;
  return offline ? { to: 'engine', walletsFolder, network } : { to: 'node', address };
}

/** Never throws. `kept`: null for one that was not replaced. */
export async function restoreConnection(kept: KeptConnection | null): Promise<void> {
  if (kept?.to === 'none') await disconnect();
  if (kept?.to === 'node') await attempt(() => reconnectTo(kept.address));
  if (kept?.to === 'engine')
    await attempt(() => workOffline({ walletsFolder: kept.walletsFolder, network: kept.network }));
}

/** Stores the connection and updates the wallets and the route. */
function storeConnection(connection: Connection): void {
  const before = get().connection;
  set({ connection });
  const [was, is] = [nodeOf(before), nodeOf(connection)];
  const isKnown = was !== null && is !== null;
  // Another node can take the address of the first.
  const isOther = isKnown ? !isSameAddress(was.address, is.address) || !haveSameWallets(was, is) : was !== is;
  if (isOther) clearWallets();
  const isRestarted = isKnown && !isSameRun(identityOf(was), identityOf(is));
  const arrived =
    connection.state === 'connected' && (before.state !== 'connected' || isOther || isRestarted);
  if (arrived || hasNewBlock(before, connection)) void refreshWallets();
  if (arrived && isOther) leaveConnect();
}

/** The number of connection events so far. */
let events = 0;

/** Stores the connection of an answer, unless a newer event has overtaken it. */
async function storeAnswer(work: () => Promise<Connection>): Promise<void> {
  const before = events;
  const answer = await work();
  if (events === before) storeConnection(answer);
}

const ask = () => storeAnswer(() => bridge.call('nodes.connection', {}));

/** The connect page on which the user chose a node. The answer or the event, whichever comes first, leaves it. */
let chosenAt: Route | null = null;

/** Leaves the connect page, unless the user already did. */
function leaveConnect(): void {
  if (get().route !== chosenAt) return;
  chosenAt = null;
  set(({ afterConnect }) => ({ route: afterConnect ?? { at: 'wallets' }, afterConnect: null }));
}

/** Connects to a node of an earlier connection, if that needs no password. */
async function reconnectTo(address: NodeAddress): Promise<void> {
  if (useNodes.getState().found === null) await findNodes();
  await until(useNodes.subscribe, () => !useNodes.getState().looking || null);
  const near = useNodes
    .getState()
    .found?.find((one) => isSameAddress(one.address, address) && mayConnect(one));
  if (near && (await attempt(() => connect({ by: 'found', id: near.id }))).ok) return;
  await listSavedNodes();
  const known = useNodes
    .getState()
    .profiles.find(
      ({ address: its, login }) =>
        isSameAddress(its, address) && (login.by === 'cookie' || login.passwordSaved),
    );
  if (known !== undefined) await connect({ by: 'profile', id: known.id });
}

async function connectThrough(work: () => Promise<Connection>): Promise<void> {
  const { route } = get();
  chosenAt = route.at === 'connect' ? route : null;
  set({ connecting: true });
  try {
    await storeAnswer(work);
  } finally {
    set({ connecting: false });
  }
  if (get().connection.state === 'connected') leaveConnect();
}

/** Balances change with blocks. A node that catches up adds too many, so only its last one counts. */
function hasNewBlock(before: Connection, now: Connection): boolean {
  if (before.state !== 'connected' || now.state !== 'connected' || isBehind(now.node)) return false;
  return now.node.blocks !== before.node.blocks || isBehind(before.node);
}

export function go(route: Route): void {
  const { route: left, connection } = useApp.getState();
  // Return to a page that waits for a node once one is connected.
  const waits = (left.at === 'wallet' || left.at === 'batch') && connection.state === 'none';
  useApp.setState({ route, afterConnect: route.at === 'connect' && waits ? left : null });
}

/** Goes to a route that takes the place of the current one for Back and a reload. */
export function replaceRoute(route: Route): void {
  history.replaceState({ ...history.state, route }, '');
  useApp.setState({ route });
}

/** Whether `now` is the opened page, only with the name of its job added. */
export function onlyAddsJob(opened: WalletRoute, now: WalletRoute): boolean {
  return opened.source === now.source && opened.job === undefined && now.job !== undefined;
}

export function openFile(path: string): void {
  go({ at: 'wallet', source: { by: 'file', path } });
}

/** The node, also while the connection is lost; null without one. */
export function useNode(): NodeStatus | null {
  return useApp(({ connection }) => nodeOf(connection));
}

/** Whether the node answers and has all blocks, so that what it says of its wallets is true now. */
export function isNodeCurrent({ connection }: Pick<AppState, 'connection'>): boolean {
  return connection.state === 'connected' && !isBehind(connection.node);
}

/** Whether the node in use does not answer now. */
export function isNodeLost({ connection }: Pick<AppState, 'connection'>): boolean {
  return connection.state === 'lost';
}

/** Whether there is a node, also while the connection is lost. */
export function hasNode(): boolean {
  return nodeOf(useApp.getState().connection) !== null;
}

function nodeOf(connection: Connection): NodeStatus | null {
  return 'node' in connection ? connection.node : null;
}

/** Whether the app is connected to this node, such as that of a job. */
export function useIsNodeInUse(itsNode: JobNode | undefined): boolean {
  const node = useNode();
  return node !== null && itsNode !== undefined && haveSameWallets(itsNode, node);
}

/** Whether the app is connected to another node than this one. */
export function isOtherNode(itsNode: JobNode): boolean {
  const node = nodeOf(useApp.getState().connection);
  return node !== null && !haveSameWallets(itsNode, node);
}

/** The identity of the connected node; null without one. */
export function nodeInUse(): NodeIdentity | null {
  const { connection } = useApp.getState();
  return connection.state === 'connected' ? identityOf(connection.node) : null;
}

/** Waits for a connection, and resolves with whether it is to this node. A restarted node may have another port. */
export function isConnectedTo(node: NodeIdentity): Promise<boolean> {
  return until(useApp.subscribe, () => {
    const now = nodeInUse();
    return now && isSameNode(node, now);
  });
}
