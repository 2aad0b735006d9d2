import { copyFile, mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createInterruptions } from '../safetyCopies/interruptions.ts';
import { createSafetyCopies } from '../safetyCopies/safetyCopies.ts';
import { createBench, infoOf } from '../testing/bench.ts';
import { seenAs } from '../testing/testFacts.ts';
import { gatherMigration, type InspectResult } from './gatherFacts.ts';

vi.mock('node:fs/promises', { spy: true });
afterEach(() => {
  vi.mocked(statfs).mockReset();
});

const LAST = 'ab'.repeat(32);
const LOWEST = 'cd'.repeat(32);

/** A node with the closed legacy wallet `old` in its folder. */
async function bench(
  status: Partial<NodeStatus> = {},
  inspect: () => Promise<InspectResult> = async () => seenAs(),
) {
  const { folder, node, session } = await createBench(status);
  await mkdir(join(folder, 'old'));
  const file = join(folder, 'old', 'wallet.dat');
  await copyFile(fixtureFile('legacy-hd'), file);
  node.handlers.listwalletdir = () => ({ wallets: [{ name: 'old' }] });
  const copiesFolder = join(folder, 'app', 'not made yet');
  const ending = new AbortController();
  const copies = createSafetyCopies({ work: walletWorkHere, folder: copiesFolder });
  const deps = {
    inspect,
    copies,
    interruptions: createInterruptions({ work: walletWorkHere, copies }),
    copiesFolder,
    now: () => 1_795_200_000,
    planned: 0,
    signal: ending.signal,
  };
  const gather = (name = 'old') => gatherMigration(session, name, deps);
  const asked = () =>
    node.calls.map(({ method }) => method).filter((method) => method.startsWith('getblock'));
  return { folder, node, file, copiesFolder, gather, asked, ending };
}

describe.runIf(canLockAsNode)('a wallet that another process holds', () => {
  /** As a node of release 29 or earlier locks the folder of a legacy wallet, until it is ended. */
  const holdLock = (folder: string) => lockAsNode(join(folder, '.walletlock'));

  it('is told, until it is let go', async () => {
    const { folder, gather } = await bench();
    expect(await gather()).toMatchObject({ openElsewhere: false });
    const release = await holdLock(join(folder, 'old'));
    expect(await gather()).toMatchObject({ openElsewhere: true });
    await release();
    expect(await gather()).toMatchObject({ openElsewhere: false });
  });

  it('is not told of one that this node itself has open', async () => {
    const { folder, node, gather } = await bench();
    node.handlers.listwallets = () => ['old'];
    node.handlers.getwalletinfo = () => infoOf({ walletname: 'old', format: 'bdb', descriptors: false });
    await holdLock(join(folder, 'old'));
    expect(await gather()).toMatchObject({ openElsewhere: null, info: { descriptors: false } });
  });
});

describe('the SHA-256 that was read', () => {
  it('is that of the file, and of no file where the node has it open and wrote a copy', async () => {
    const { node, gather } = await bench();
    expect((await gather()).fileInspection).toEqual(seenAs());
    node.handlers.listwallets = () => ['old'];
    node.handlers.getwalletinfo = () => infoOf({ walletname: 'old', format: 'bdb', descriptors: false });
    expect((await gather()).fileInspection).toEqual({ ...seenAs(), sha256: null });
  });

  it('is not taken for unseen where nobody waits for it any more', async () => {
    const reason = new AppError('cancelled', 'It was ended.', 'Nothing was changed.');
    const { gather, ending } = await bench({}, async () => {
      ending.abort(reason);
      throw reason;
    });
    await expect(gather()).rejects.toBe(reason);
  });
});

describe('the room for a migration', () => {
  it('is that of each disk, the app’s copies on the nearest folder that is there', async () => {
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

  it('is what the system tells, of a real folder', async () => {
    const { folder, gather } = await bench();
    const { bsize, blocks } = await statfs(folder);
    const { space } = await gather();
    for (const free of [space?.free, space?.freeForCopies]) {
      expect(free).toBeGreaterThan(0);
      expect(free).toBeLessThanOrEqual(bsize * blocks);
    }
  });

  it('is not known for a wallet whose file is not', async () => {
    const { gather } = await bench({ walletsFolder: null });
    expect(await gather()).toMatchObject({
      space: null,
      openElsewhere: null,
      fileInspection: { state: 'out-of-reach' },
    });
  });
});

describe('where the chain stands to the wallet', () => {
  const header = (hash: unknown) => {
    if (hash === LAST) return { height: 899_990, time: 1_795_194_000, confirmations: 11 };
    if (hash === LOWEST) return { height: 800_000, time: 1_690_000_000, confirmations: 100_001 };
    throw rpc(-5, 'Block not found');
  };
  const first = (params: unknown) => (Array.isArray(params) ? params[0] : undefined);

  async function onChain(...given: Parameters<typeof bench>) {
    const made = await bench(...given);
    made.node.handlers.getblockheader = ({ params }) => header(first(params));
    made.node.handlers.getblockhash = ({ params }) => {
      if (first(params) !== 800_000) throw rpc(-8, 'Block height out of range');
      return LOWEST;
    };
    return made;
  }

  it('is told by its last block, and by the lowest one that a pruned node has', async () => {
    const { gather } = await onChain({ pruned: true, pruneHeight: 800_000 });
    expect((await gather()).chain).toMatchObject({
      lastBlock: { height: 899_990, time: 1_795_194_000 },
      pruneTime: 1_690_000_000,
      now: 1_795_200_000,
    });
  });

  it('does not ask for a lowest block where all are there', async () => {
    const { gather, asked } = await onChain();
    expect((await gather()).chain).toMatchObject({ lastBlock: { height: 899_990 }, pruneTime: null });
    expect(asked()).toEqual(['getblockheader']);
  });

  it('is not known where the node has no such block, or has left it for another chain', async () => {
    const { gather, node } = await onChain({ pruned: true, pruneHeight: 800_000 });
    node.handlers.getblockheader = () => {
      throw rpc(-5, 'Block not found');
    };
    expect((await gather()).chain).toMatchObject({ lastBlock: null, pruneTime: null });
    node.handlers.getblockheader = ({ params }) => ({
      ...header(first(params)),
      ...(first(params) === LAST && { confirmations: -1 }),
    });
    expect((await gather()).chain).toMatchObject({ lastBlock: null, pruneTime: 1_690_000_000 });
  });

  it('is no reason to go on without an answer when the line is lost', async () => {
    const { gather, node } = await onChain();
    node.handlers.getblockheader = () => {
      throw lost();
    };
    await expect(gather()).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('is asked neither of the offline engine nor for a file that cannot be read', async () => {
    const offline = await onChain({ offline: true, pruned: true, pruneHeight: 800_000 });
    expect((await offline.gather()).chain).toMatchObject({ lastBlock: null, pruneTime: null });
    expect(offline.asked()).toEqual([]);
    const unseen = await onChain({}, async () => {
      throw new AppError('file_unreadable', 'It cannot be read.', 'Nothing was changed.');
    });
    expect(await unseen.gather()).toMatchObject({
      fileInspection: { state: 'unreadable', error: { code: 'file_unreadable' } },
      chain: { lastBlock: null, pruneTime: null },
    });
    expect(unseen.asked()).toEqual([]);
  });
});
