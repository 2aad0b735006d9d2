import { chmod, copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { UNTOLD_USER } from '../../../shared/model/node.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createInterruptions } from '../safetyCopies/interruptions.ts';
import { createSafetyCopies } from '../safetyCopies/safetyCopies.ts';
import { createBench } from '../testing/bench.ts';
import { seenAs } from '../testing/testFacts.ts';
import { gatherMigration, gatherRestore } from './gatherFacts.ts';

const BACKUP = fileURLToPath(new URL('../../../e2e/fixtures/wallets/legacy-hd/wallet.dat', import.meta.url));

async function bench() {
  const { folder, session, node } = await createBench();
  const copiesFolder = join(folder, 'copies');
  const copies = createSafetyCopies({ work: walletWorkHere, folder: copiesFolder });
  const deps = {
    inspect: async () => seenAs(),
    copies,
    interruptions: createInterruptions({ work: walletWorkHere, copies }),
    copiesFolder,
    now: () => 0,
    planned: 0,
    signal: new AbortController().signal,
  };
  const gather = (name: string, backupFile = BACKUP) =>
    gatherRestore(session, { name, backupFile, undoes: false, rescue: null, putsBack: null }, deps);
  const gatherUnnamed = () => gatherMigration(session, '', deps);
  return { folder, session, node, gather, gatherUnnamed };
}

describe('gatherRestore', () => {
  it('sees what is in the way in the wallets folder though no wallet is listed', async () => {
    const { folder, gather } = await bench();
    await mkdir(join(folder, 'old'));
    expect(await gather('old')).toMatchObject({ inTheWay: true, onDisk: [] });
    expect(await gather('new')).toMatchObject({ inTheWay: false });
  });

  it('looks for nothing in a folder of another machine', async () => {
    const { session, folder, gather } = await bench();
    await mkdir(join(folder, 'old'));
    Object.assign(session.status, { local: false });
    expect(await gather('old')).toMatchObject({ inTheWay: null, file: null, fileError: null });
  });

  it.skipIf(process.platform === 'win32')('knows what a node of another user cannot read', async () => {
    const { session, folder, gather } = await bench();
    const backup = join(folder, 'backup.dat');
    await copyFile(BACKUP, backup);
    const seenBy = async (user: number, mode: number) => {
      await chmod(backup, mode);
      Object.assign(session.status, { listener: { user, socket: '1' } });
      return (await gather('new', backup)).closedToNode;
    };
    const own = process.getuid?.() ?? 0;
    expect(await seenBy(own + 1, 0o600)).toEqual({ file: true, copies: true });
    expect(await seenBy(own, 0o600)).toEqual({ file: false, copies: false });
    expect(await seenBy(0, 0o600)).toEqual({ file: false, copies: false });
    expect(await seenBy(UNTOLD_USER, 0o600)).toEqual({ file: false, copies: false });
    // The group may be one of that user’s, and so may that of the folder.
    await chmod(folder, 0o750);
    expect(await seenBy(own + 1, 0o640)).toEqual({ file: false, copies: true });
    await chmod(folder, 0o700);
    expect(await seenBy(own + 1, 0o644)).toEqual({ file: true, copies: true });
  });

  it('does not look for a relative path beside the app’s program', async () => {
    const { gather } = await bench();
    expect(await gather('new', 'package.json')).toMatchObject({
      file: null,
      fileError: { code: 'bad_input' },
      fileInspection: { state: 'out-of-reach' },
    });
  });
});

describe('gatherMigration', () => {
  it('sees which wallets beside an unnamed one can be copied along', async () => {
    const { folder, session, node, gatherUnnamed } = await bench();
    await mkdir(join(folder, 'found'));
    await copyFile(BACKUP, join(folder, 'found', 'wallet.dat'));
    await copyFile(BACKUP, join(folder, 'wallet.dat'));
    const names = ['', 'found', 'gone', 'loaded'];
    node.handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
    node.handlers.listwallets = () => ['loaded'];
    const { size } = await stat(BACKUP);
    expect(await gatherUnnamed()).toMatchObject({
      copy: { notFound: ['gone'] },
      space: { size, beside: size, oneDisk: true },
    });
    Object.assign(session.status, { walletsFolder: null });
    expect(await gatherUnnamed()).toMatchObject({ copy: { beside: 0, notFound: [] }, space: null });
  });
});
