import { beforeEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../shared/contract.ts';
import type { FoundNode } from '../../shared/model/node.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const {
  connect,
  connectionToKeep,
  connectThen,
  go,
  onlyAddsJob,
  restoreConnection,
  setSettings,
  startApp,
  useApp,
  workOffline,
} = await import('./appStore.ts');
const { useNodes } = await import('./nodesStore.ts');
const { attempt } = await import('./asking.ts');
const { useWallets } = await import('./walletsStore.ts');

const node = (port = 8332) => sampleNodeStatus({ address: { host: '127.0.0.1', port, tls: false } });
const connected = (port?: number) => ({ state: 'connected', node: node(port) });
const lost = {
  state: 'lost',
  node: node(),
  since: 1,
  error: { code: 'connection_lost', message: 'Lost.', hint: '' },
};
const target = { by: 'found', id: 'a' } as const;
const at = () => useApp.getState().route.at;

void startApp();

beforeEach(() => {
  ferry.emit('connection', { state: 'none' });
  go({ at: 'connect' });
});

it('tells a page that got the name of its job from one that the user opened again', () => {
  const opened = { at: 'wallet', source: { by: 'file', path: '/w.dat' } } as const;
  const named = { ...opened, job: '1' };
  expect(onlyAddsJob(opened, named)).toBe(true);
  expect(onlyAddsJob(named, opened)).toBe(false);
  expect(onlyAddsJob(opened, { ...named, source: { ...opened.source } })).toBe(false);
});

it('opens and requests the wallets once a node is connected', async () => {
  void connect(target);
  await ferry.answer('nodes.connect', connected());
  expect(at()).toBe('wallets');
  expect(useWallets.getState().refreshing).toBe(true);
});

it('requests the wallets again when the node has a new block, but not for each while it catches up', async () => {
  const atHeight = (blocks: number, behind: { headers?: number; initialBlockDownload?: boolean } = {}) => ({
    state: 'connected',
    node: sampleNodeStatus({ blocks, headers: blocks, ...behind }),
  });
  const isRequested = (connection: unknown) => {
    const before = ferry.waiting('wallets.list');
    ferry.emit('connection', connection);
    return ferry.waiting('wallets.list') > before;
  };
  expect(isRequested(atHeight(800_000))).toBe(true);
  expect(isRequested(atHeight(800_000))).toBe(false);
  expect(isRequested(atHeight(800_001))).toBe(true);
  expect(isRequested(atHeight(800_002, { initialBlockDownload: true }))).toBe(false);
  expect(isRequested(atHeight(800_003))).toBe(true);
  expect(isRequested(atHeight(800_004, { headers: 800_106 }))).toBe(false);
  expect(isRequested(atHeight(800_005, { headers: 800_106 }))).toBe(false);
  expect(isRequested(atHeight(800_006))).toBe(true);
});

it('stays on the connect page while the node starts, then leaves it', async () => {
  void connect(target);
  await ferry.answer('nodes.connect', { state: 'starting', label: 'node', message: 'Loading…' });
  expect(at()).toBe('connect');
  ferry.emit('connection', connected());
  expect(at()).toBe('wallets');
});

it('ignores an answer that says "starting" after an event that says "connected"', async () => {
  void connect(target);
  ferry.emit('connection', connected());
  await ferry.answer('nodes.connect', { state: 'starting', label: 'node', message: 'Loading…' });
  expect(useApp.getState().connection.state).toBe('connected');
});

it('prefers an event to the answer of an earlier request, also at the start', async () => {
  ferry.emit('connection', connected());
  await ferry.answer('nodes.connection', { state: 'none' });
  await ferry.answer('app.info', {
    version: '1.0.0',
    entry: 'electron',
    platform: 'linux',
    ...{
      homeFolder: '/home/ana',
      dataFolder: '/data',
      copiesFolder: '/data/safety copies',
      logPath: '/data/app.log',
    },
    canShowInFolder: true,
    canSaveSecrets: true,
    canSavePdf: true,
    settings: DEFAULT_SETTINGS,
  });
  expect(useApp.getState().connection.state).toBe('connected');
  expect(useApp.getState().info).not.toBeNull();
});

it.each([{ at: 'batch' }, { at: 'wallet', source: { by: 'file', path: '/old.dat' } }] as const)(
  'returns to the page that waited for a node: $at',
  async (waiting) => {
    go(waiting);
    go({ at: 'connect' });
    void connect(target);
    await ferry.answer('nodes.connect', connected());
    expect(useApp.getState().route).toEqual(waiting);
  },
);

it('stays on the page when a lost connection returns', () => {
  ferry.emit('connection', connected());
  go({ at: 'connect' });
  ferry.emit('connection', lost);
  ferry.emit('connection', connected());
  expect(at()).toBe('connect');
});

it('drops the wallets of the earlier node, also where another node took its address', () => {
  const inFolder = (walletsFolder: string, port?: number) =>
    ferry.emit('connection', { ...connected(), node: { ...node(port), walletsFolder } });
  inFolder('/a');
  for (const arrives of [() => inFolder('/b'), () => inFolder('/b', 18443)]) {
    useWallets.setState({ wallets: [] });
    arrives();
    expect(useWallets.getState()).toMatchObject({ wallets: null, refreshing: true });
  }
});

it('requests the wallets again after a restart of the node that no poll has missed, and keeps those shown', () => {
  const run = (socket: string) =>
    ferry.emit('connection', { ...connected(), node: { ...node(), listener: { user: 1, socket } } });
  run('1');
  useWallets.setState({ wallets: [], refreshing: false });
  run('1');
  expect(useWallets.getState()).toMatchObject({ wallets: [], refreshing: false });
  run('2');
  expect(useWallets.getState()).toMatchObject({ wallets: [], refreshing: true });
});

it('starts the offline engine from the connect page like a node, or throws', async () => {
  const place = { walletsFolder: null, network: 'main' } as const;
  void workOffline(place);
  expect(useApp.getState().connecting).toBe(true);
  await ferry.answer('engine.start', { ...connected(), node: { ...node(), offline: true } });
  expect(useApp.getState().connecting).toBe(false);
  expect(at()).toBe('wallets');
  const failure = { code: 'busy', message: 'The folder is in use.', hint: 'Choose another one.' };
  const again = attempt(() => workOffline(place));
  await ferry.refuse('engine.start', failure);
  expect(await again).toEqual({ ok: false, error: failure });
  expect(useApp.getState().connection.state).toBe('connected');
});

it('opens the wanted page once another node is connected', async () => {
  ferry.emit('connection', connected());
  connectThen({ at: 'batch' });
  expect(at()).toBe('connect');
  void connect(target);
  // The event comes before the answer.
  ferry.emit('connection', connected(18443));
  await ferry.answer('nodes.connect', connected(18443));
  expect(useApp.getState().route).toEqual({ at: 'batch' });
});

it('opens the page that the menu names', () => {
  ferry.emit('showRoute', { route: 'home' });
  expect(useApp.getState().route).toEqual({ at: 'home' });
  ferry.emit('showRoute', { route: 'help' });
  expect(useApp.getState()).toMatchObject({ route: { at: 'home' }, help: true });
});

it('applies a setting at once, and takes settings from another page', async () => {
  const dark = { ...DEFAULT_SETTINGS, theme: 'dark' } as const;
  const saved = setSettings(dark);
  expect(useApp.getState().settings).toEqual(dark);
  await ferry.answer('settings.change', {});
  expect(await saved).toBeNull();
  ferry.emit('settings', DEFAULT_SETTINGS);
  expect(useApp.getState().settings).toEqual(DEFAULT_SETTINGS);
});

it('stays on the page when the app reconnects at its start', () => {
  go({ at: 'home' });
  ferry.emit('connection', connected());
  expect(at()).toBe('home');
});

it('restores a replaced connection', async () => {
  ferry.emit('connection', { state: 'none' });
  const none = connectionToKeep();
  ferry.emit('connection', connected());
  void restoreConnection(none);
  await ferry.answer('nodes.disconnect', {});
  expect(useApp.getState().connection.state).toBe('none');

  const engine = { ...connected(18443), node: { ...node(18443), offline: true, walletsFolder: '/own' } };
  ferry.emit('connection', engine);
  const before = connectionToKeep();
  ferry.emit('connection', connected());
  void restoreConnection(before);
  await ferry.answer('engine.start', engine);
  expect(useApp.getState().connection).toMatchObject({ node: { offline: true } });
});

it('restores the connection to a saved or a found node', async () => {
  ferry.emit('connection', connected(18443));
  const kept = connectionToKeep();
  ferry.emit('connection', { ...connected(), node: { ...node(), offline: true } });
  void restoreConnection(kept);
  await ferry.answer('nodes.discover', { nodes: [] });
  const profile = (id: string, port: number) => ({
    id,
    label: id,
    lastUsed: 1,
    address: node(port).address,
    login: { by: 'cookie', cookieFile: '/node/.cookie' },
  });
  await ferry.answer('nodes.profiles', { profiles: [profile('other', 1), profile('mine', 18443)] });
  expect(ferry.asked('nodes.connect')).toEqual({ by: 'profile', id: 'mine' });
  await ferry.answer('nodes.connect', connected(18443));
  expect(useApp.getState().connection).toMatchObject({ node: { offline: false } });

  const found = (id: string, state: object) => ({ id, address: node(18443).address, state });
  const refused = found('refused', { state: 'failed', error: { code: 'credentials_refused' } });
  useNodes.setState({
    found: [refused, found('near', { state: 'asks-login' })] as FoundNode[],
    looking: true,
  });
  void restoreConnection(kept);
  await new Promise(setImmediate);
  expect(ferry.waiting('nodes.connect')).toBe(0);
  useNodes.setState({ looking: false });
  await new Promise(setImmediate);
  expect(ferry.asked('nodes.connect')).toEqual({ by: 'found', id: 'near' });
});
