import fs from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm, stat, statfs, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type NodeStatus, UNIDENTIFIED_USER } from '../../../shared/model/node.ts';
import { failing } from '../../files/testing/failing.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { CAN_LINK } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createInterruptions } from '../safetyCopies/interruptions.ts';
import { createSafetyCopies } from '../safetyCopies/safetyCopies.ts';
import { createBench, infoOf, putWallet } from '../testing/bench.ts';
import { readResult } from '../testing/testFacts.ts';
import { checkName } from './checkName.ts';
import { gatherMigration, gatherRestore, type InspectResult } from './gatherFacts.ts';
import { checkOpenElsewhere } from './walletChecks.ts';

vi.mock('node:fs/promises', { spy: true });
afterEach(() => {
  vi.mocked(statfs).mockReset();
});

const LAST = 'ab'.repeat(32);
const LOWEST = 'cd'.repeat(32);

/** A node with the closed legacy wallet `old` in its folder. */
async function bench(
  status: Partial<NodeStatus> = {},
  inspect: () => Promise<InspectResult> = async () => readResult(),
) {
  const { folder, node, session } = await createBench(status);
  const file = await putWallet(folder, 'old', 'legacy-hd');
  node.handlers.listwalletdir = () => ({ wallets: [{ name: 'old' }] });
  const copiesFolder = join(folder, 'app', 'not made yet');
  const ending = new AbortController();
  const copies = createSafetyCopies({ work: walletWorkHere, folder: copiesFolder });
  const deps = {
    inspect,
    work: walletWorkHere,
    copies,
    interruptions: createInterruptions({ work: walletWorkHere, copies }),
    copiesFolder,
    now: () => 1_795_200_000,
    created: 0,
    walletElsewhere: async (_: NodeStatus, onDisk: readonly string[]) => `not ${onDisk.join()}`,
    signal: ending.signal,
  };
  const gather = (name = 'old') => gatherMigration(session, name, deps);
  const gatherBackup = (name: string, backupFile = fixtureFile('legacy-hd')) =>
    gatherRestore(session, { name, backupFile, undoes: false, rescue: null, putsBack: null }, deps);
  const questions = () =>
    node.calls.map(({ method }) => method).filter((method) => method.startsWith('getblock'));
  return { folder, session, node, file, copiesFolder, deps, gather, gatherBackup, questions, ending };
}

/** Has the node show the wallet as loaded. */
function load({ handlers }: Awaited<ReturnType<typeof bench>>['node']): void {
  handlers.listwallets = () => ['old'];
  handlers.getwalletinfo = () => infoOf({ walletname: 'old', format: 'bdb', descriptors: false });
}

/** Makes a folder with a wallet file. */
async function putFile(folder: string, content: string | Uint8Array): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'wallet.dat'), content);
}

it.runIf(CAN_LINK).each([
  ['folder', ''],
  ['file', 'wallet.dat'],
])('sees a link in place of the wallet’s %s', async (_, below) => {
  const { folder, gather } = await bench();
  expect(await gather()).toMatchObject({ isLinked: false });
  const [own, elsewhere] = [join(folder, 'old', below), join(makeTestFolder(), 'elsewhere')];
  await rename(own, elsewhere);
  await symlink(elsewhere, own);
  expect(await gather()).toMatchObject({ isLinked: true });
});

describe.runIf(canLockAsNode)('a wallet that another process has open', () => {
  /** As a node of release 29 or earlier locks the folder of a legacy wallet, until it is ended. */
  const holdLock = (folder: string) => lockAsNode(join(folder, '.walletlock'));

  it('is reported until that process closes it', async () => {
    const { folder, gather } = await bench();
    expect(await gather()).toMatchObject({ openElsewhere: false });
    const release = await holdLock(join(folder, 'old'));
    expect(await gather()).toMatchObject({ openElsewhere: true });
    await release();
    expect(await gather()).toMatchObject({ openElsewhere: false });
  });

  it('is perhaps one in a container, which hides locks, if the log of its database is there', async () => {
    const { folder, session, gather } = await bench();
    const read = vi.spyOn(fs, 'readlinkSync').mockReturnValue('pid:[4026532201]');
    syncBuiltinESMExports();
    try {
      expect(await gather()).toMatchObject({ openElsewhere: null, mayHideUse: false });
      await mkdir(join(folder, 'old', 'database'));
      await writeFile(join(folder, 'old', 'database', 'log.0000000001'), '');
      const facts = await gather();
      expect(checkOpenElsewhere(facts)).toMatchObject({ verdict: 'warning' });
      session.status.offline = true;
      const inEngine = await gather();
      expect(inEngine.mayHideUse).toBe(true);
      expect(checkOpenElsewhere(inEngine)).toMatchObject({ verdict: 'warning' });
    } finally {
      read.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('is not reported if this node itself has it open', async () => {
    const { folder, node, gather } = await bench();
    load(node);
    await holdLock(join(folder, 'old'));
    expect(await gather()).toMatchObject({ openElsewhere: null, info: { descriptors: false } });
  });

  it('is not reported if this node has its neighbour open, whose folder is locked', async () => {
    const { folder, node, gather, gatherBackup } = await bench();
    await rename(join(folder, 'old', 'wallet.dat'), join(folder, 'bare'));
    await rm(join(folder, 'old'), { recursive: true });
    await rename(join(folder, 'bare'), join(folder, 'old'));
    await copyFile(fixtureFile('legacy-imported'), join(folder, 'wallet.dat'));
    await holdLock(folder);
    expect(await gather()).toMatchObject({ openElsewhere: true });
    // A file is asked for without its name.
    const isUnnamedOpen = async () => (await gatherBackup('new', join(folder, 'wallet.dat'))).isOpen;
    expect(await isUnnamedOpen()).toBe(true);
    node.handlers.listwallets = () => [''];
    expect(await gather()).toMatchObject({ openElsewhere: false });
    expect(await isUnnamedOpen()).toBe(true);
    node.handlers.listwallets = () => ['old'];
    expect(await isUnnamedOpen()).toBe(false);
  });
});

describe('the SHA-256 of the inspected file', () => {
  it('is unknown for a copy that the node wrote of an open wallet', async () => {
    const { node, gather } = await bench();
    expect((await gather()).fileInspection).toEqual(readResult());
    load(node);
    expect((await gather()).fileInspection).toEqual({ ...readResult(), sha256: null });
  });

  it('is not unknown after a cancelled inspection, which throws', async () => {
    const reason = new AppError('cancelled', 'It was ended.', 'Nothing was changed.');
    const { gather, ending } = await bench({}, async () => {
      ending.abort(reason);
      throw reason;
    });
    await expect(gather()).rejects.toBe(reason);
  });
});

describe('the free space for a migration', () => {
  it('finds the other wallets that the app can copy with an unnamed one', async () => {
    const { folder, file, session, node, gather } = await bench();
    await copyFile(file, join(folder, 'wallet.dat'));
    const names = ['', 'old', 'gone', 'loaded'];
    node.handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
    node.handlers.listwallets = () => ['loaded'];
    const { size } = await stat(file);
    expect(await gather('')).toMatchObject({
      copy: { notFound: ['gone'] },
      space: { size, otherWalletsSize: size, oneDisk: true },
    });
    Object.assign(session.status, { walletsFolder: null });
    expect(await gather('')).toMatchObject({ copy: { otherWalletsSize: 0, notFound: [] }, space: null });
  });

  it('is read for each disk, at the nearest existing folder for the app’s copies', async () => {
    const { folder, file, copiesFolder, gather } = await bench();
    await mkdir(join(folder, 'app'));
    const room = new Map([
      [folder, 7],
      [join(folder, 'app'), 11],
    ]);
    vi.mocked(statfs).mockImplementation((async (path: string) => {
      const blocks = room.get(path);
      if (blocks === undefined) throw Object.assign(new Error('no such folder'), { code: 'ENOENT' });
      return { bsize: 4096, blocks: 1_000_000, bfree: 500_000, bavail: blocks };
    }) as unknown as typeof statfs);
    expect((await gather()).space).toMatchObject({
      size: (await stat(file)).size,
      free: 7 * 4096,
      freeForCopies: 11 * 4096,
    });
    expect(vi.mocked(statfs)).toHaveBeenCalledWith(copiesFolder);
  });

  it('is what the system reports for a real folder', async () => {
    const { folder, gather } = await bench();
    const { bsize, blocks } = await statfs(folder);
    const { space } = await gather();
    for (const free of [space?.free, space?.freeForCopies]) {
      expect(free).toBeGreaterThan(0);
      expect(free).toBeLessThanOrEqual(bsize * blocks);
    }
  });

  it('is unknown without the wallet’s file', async () => {
    const { gather } = await bench({ walletsFolder: null });
    const fileInspection = { state: 'out-of-reach' };
    expect(await gather()).toMatchObject({ space: null, openElsewhere: null, fileInspection });
  });
});

describe('the chain', () => {
  const header = (hash: unknown) => {
    if (hash === LAST) return { height: 899_990, time: 1_795_194_000, confirmations: 11 };
    if (hash === LOWEST) return { height: 800_000, time: 1_690_000_000, confirmations: 100_001 };
    throw rpc(-5, 'Block not found');
  };
  const first = (params: unknown) => (Array.isArray(params) ? params[0] : undefined);

  async function onChain(...args: Parameters<typeof bench>) {
    const its = await bench(...args);
    its.node.handlers.getblockheader = ({ params }) => header(first(params));
    its.node.handlers.getblockhash = ({ params }) => {
      if (first(params) !== 800_000) throw rpc(-8, 'Block height out of range');
      return LOWEST;
    };
    return its;
  }

  it('gives the wallet’s last block, and the lowest one of a pruned node', async () => {
    const { gather } = await onChain({ pruned: true, pruneHeight: 800_000 });
    expect((await gather()).chain).toMatchObject({
      lastBlock: { height: 899_990, time: 1_795_194_000 },
      pruneTime: 1_690_000_000,
      now: 1_795_200_000,
    });
  });

  it('needs no lowest block on a node with all blocks', async () => {
    const { gather, questions } = await onChain();
    expect((await gather()).chain).toMatchObject({ lastBlock: { height: 899_990 }, pruneTime: null });
    expect(questions()).toEqual(['getblockheader']);
  });

  it('is unknown if the node lacks the block, or has it in a stale chain', async () => {
    const { gather, node } = await onChain({ pruned: true, pruneHeight: 800_000 });
    node.handlers.getblockheader = failing(rpc(-5, 'Block not found'));
    expect((await gather()).chain).toMatchObject({ lastBlock: null, pruneTime: null });
    node.handlers.getblockheader = ({ params }) => ({
      ...header(first(params)),
      ...(first(params) === LAST && { confirmations: -1 }),
    });
    expect((await gather()).chain).toMatchObject({ lastBlock: null, pruneTime: 1_690_000_000 });
  });

  it('throws if the connection is lost', async () => {
    const { gather, node } = await onChain();
    node.handlers.getblockheader = failing(lost());
    await expect(gather()).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('is not asked of the offline engine, or for an unreadable file', async () => {
    const offline = await onChain({ offline: true, pruned: true, pruneHeight: 800_000 });
    expect((await offline.gather()).chain).toMatchObject({ lastBlock: null, pruneTime: null });
    expect(offline.questions()).toEqual([]);
    const unseen = await onChain({}, failing(new AppError('file_unreadable', 'It is unreadable.', '')));
    const fileInspection = { state: 'unreadable', error: { code: 'file_unreadable' } };
    const chain = { lastBlock: null, pruneTime: null };
    expect(await unseen.gather()).toMatchObject({ fileInspection, chain });
    expect(unseen.questions()).toEqual([]);
  });
});

describe('gatherRestore', () => {
  it('finds a folder with the name of the new wallet, although the node lists no wallet', async () => {
    const { folder, gatherBackup } = await bench();
    await mkdir(join(folder, 'empty'));
    expect(await gatherBackup('empty')).toMatchObject({
      blockingPath: join(folder, 'empty'),
      onDisk: ['old'],
    });
    const facts = { blockingPath: null, walletElsewhere: 'not old' };
    expect(await gatherBackup('new')).toMatchObject(facts);
  });

  it('moves the folder that a killed migration left without a wallet out of the way of the old one', async () => {
    const { folder, session, deps } = await bench();
    const copy = { path: fixtureFile('legacy-hd'), from: 'safety-copy', made: 1, size: 1 } as const;
    const copies = [{ ...copy, sha256: 'ab'.repeat(32), matches: true, network: 'regtest' as const }];
    const putsBack = { wallet: 'left', file: null, cause: 'missing' as const, copies };
    const backup = { name: 'left', backupFile: copy.path, undoes: false, rescue: null, putsBack };
    expect(await gatherRestore(session, backup, deps)).toMatchObject({ blockingPath: null, renames: [] });
    await mkdir(join(folder, 'left'));
    const facts = await gatherRestore(session, backup, deps);
    const newName = expect.stringMatching(/^left\.interrupted-/);
    expect(facts).toMatchObject({ blockingPath: join(folder, 'left'), renames: [{ name: 'left', newName }] });
    expect(checkName(facts).verdict).toBe('fine');
  });

  it('finds a folder that blocks the engine’s watch-only wallet', async () => {
    for (const offline of [true, false]) {
      const { folder, gather, gatherBackup } = await bench({ offline });
      await mkdir(join(folder, 'old_watchonly'));
      const blockedCompanions = offline ? ['old_watchonly'] : [];
      expect(await gather()).toMatchObject({ blockedCompanions });
      expect(await gatherBackup('old')).toMatchObject({ blockedCompanions });
      expect(await gatherBackup('new')).toMatchObject({ blockedCompanions: [] });
    }
  });

  it.each([
    ['a file', (path: string) => writeFile(path, 'notes')],
    // A node removes the folder if the migration fails, and stops at anything in it.
    ['a folder with another file', (path: string) => mkdir(join(path, 'database'), { recursive: true })],
    ['a folder with an unreadable wallet', (path: string) => putFile(path, Buffer.alloc(4096))],
    ...(CAN_LINK
      ? ([['a link that leads nowhere', (path: string) => symlink('nowhere', path)]] as const)
      : []),
  ] as const)('finds %s that blocks a node’s watch-only wallet', async (_, make) => {
    const { folder, gather, gatherBackup } = await bench();
    await make(join(folder, 'old_watchonly'));
    const blocked = { blockedCompanions: ['old_watchonly'] };
    expect(await gather()).toMatchObject(blocked);
    expect(await gatherBackup('old')).toMatchObject(blocked);
  });

  it('lets a node use a folder with an empty wallet file', async () => {
    const { folder, gather } = await bench();
    await putFile(join(folder, 'old_watchonly'), '');
    expect(await gather()).toMatchObject({ blockedCompanions: [] });
  });

  it('must have a full path on the machine of its node', async () => {
    const { gatherBackup } = await bench({ local: false, walletsFolder: null });
    const problemOf = async (path: string) => (await gatherBackup('new', path)).fileError?.finding;
    expect(await problemOf('old.dat')).toEqual({ code: 'path_not_absolute' });
    expect(await problemOf('D:\\old.dat')).toBeUndefined();
    expect(await problemOf('/old.dat')).toBeUndefined();
  });

  it('looks for nothing on another machine', async () => {
    const { gatherBackup } = await bench({ local: false, walletsFolder: null });
    expect(await gatherBackup('old')).toMatchObject({ blockingPath: null, file: null, fileError: null });
  });

  it.skipIf(process.platform === 'win32')('finds out what a node of another user cannot read', async () => {
    const { session, folder, gatherBackup } = await bench();
    const backup = join(folder, 'backup.dat');
    await copyFile(fixtureFile('legacy-hd'), backup);
    const seenBy = async (user: number, mode: number) => {
      await chmod(backup, mode);
      Object.assign(session.status, { listener: { user, socket: '1' } });
      return (await gatherBackup('new', backup)).unreadableByNode;
    };
    const own = process.getuid?.() ?? 0;
    expect(await seenBy(own + 1, 0o600)).toEqual({ file: true, copies: true });
    expect(await seenBy(own, 0o600)).toEqual({ file: false, copies: false });
    expect(await seenBy(0, 0o600)).toEqual({ file: false, copies: false });
    expect(await seenBy(UNIDENTIFIED_USER, 0o600)).toEqual({ file: false, copies: false });
    // The group of the file, or of the folder, may be one of that user’s.
    await chmod(folder, 0o750);
    expect(await seenBy(own + 1, 0o640)).toEqual({ file: false, copies: true });
    await chmod(folder, 0o700);
    expect(await seenBy(own + 1, 0o644)).toEqual({ file: true, copies: true });
  });

  it.skipIf(process.platform === 'win32')('finds out which folder its node cannot write to', async () => {
    const { session, folder, gatherBackup } = await bench();
    const wallets = session.status.walletsFolder ?? '';
    const seenBy = async (user: number, mode: number) => {
      await chmod(wallets, mode);
      Object.assign(session.status, { listener: { user, socket: '1' } });
      return (await gatherBackup('new', join(folder, 'backup.dat'))).unwritable;
    };
    const own = process.getuid?.() ?? 0;
    expect(await seenBy(own + 1, 0o755)).toBe(wallets);
    expect(await seenBy(own + 1, 0o775)).toBeNull();
    expect(await seenBy(own, 0o755)).toBeNull();
    expect(await seenBy(UNIDENTIFIED_USER, 0o755)).toBeNull();
  });

  it('does not look for a relative path', async () => {
    const { gatherBackup } = await bench();
    const [fileError, fileInspection] = [{ code: 'bad_input' }, { state: 'out-of-reach' }];
    const facts = await gatherBackup('new', 'package.json');
    expect(facts).toMatchObject({ file: null, fileError, fileInspection });
  });
});
