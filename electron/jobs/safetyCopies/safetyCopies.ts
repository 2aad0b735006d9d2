/**
 * The app's own copies of wallets before a migration or a rescue, outside the node's folders, and what it knows of the copies that a
 * node wrote beside its log. After a crash the app completes or removes the unfinished ones.
 */
import { rmSync } from 'node:fs';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod/mini';
import { AppError } from '../../../shared/model/errors.ts';
import { isSameFolder, type NodeStatus } from '../../../shared/model/node.ts';
import { type CopyState, type SafetyCopy, safetyCopy } from '../../../shared/model/safety.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { copyError, makePrivateFolder } from '../../files/copySafely.ts';
import { isGone, isPartName, replaceFile, writeWholeFile } from '../../files/durableFile.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { hashFile } from '../../files/hash.ts';
import { refuseSharedCopies } from '../../files/lock/refuseSharedFolder.ts';
import { isWithin, readOwnFile, realPath } from '../../files/openFile.ts';
import { removeFolder } from '../../files/temporaryFolders.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { mainNameOf } from '../../walletfile/database/relatedFiles.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import {
  type CopiedFiles,
  type CopyPlan,
  type CopyRequest,
  copyFile,
  copyWallet,
  fileName,
  fileTime,
  planCopy,
} from './copyWallet.ts';

export type SafetyCopies = ReturnType<typeof createSafetyCopies>;

interface SafetyCopiesOptions {
  /** The app's folder for copies, outside any node's folders. Created when it is first needed. */
  folder: string;
  /** Reads the copies to find out which are whole. */
  work: WalletWork;
  /** Unix seconds. */
  now?: () => number;
}

export function createSafetyCopies({ folder, work, now = () => Date.now() / 1000 }: SafetyCopiesOptions) {
  const settled = cleanUpCopies(folder);

  /** The state of each file that the app can see. Never throws. */
  async function statesOf(files: SafetyCopy['files'], signal: AbortSignal): Promise<SafetyCopy['files']> {
    const visible = files.filter(({ sha256 }) => sha256 !== null);
    const task = { paths: visible.map(({ path }) => path) };
    const states = await work({ kind: 'copyStates', task }, signal).catch((): CopyState[] => []);
    return files.map((file) => ({ ...file, state: states[visible.indexOf(file)] ?? 'unknown' }));
  }

  /** Adds the states to a copy of an earlier version, and to one whose files have changed since, and keeps them in its manifest. */
  async function withStates(copyFolder: string, copy: SafetyCopy): Promise<SafetyCopy> {
    const { ctimeMs } = await stat(join(copyFolder, MANIFEST));
    const times = await Promise.all(
      copy.files.map(({ path }) =>
        stat(path).then(
          (now) => now.ctimeMs,
          () => 0,
        ),
      ),
    );
    const isOpen = copy.files.some(
      ({ sha256, state }, at) => sha256 !== null && (state === undefined || (times[at] ?? 0) >= ctimeMs),
    );
    if (!isOpen) return copy;
    const read = { ...copy, files: await statesOf(copy.files, new AbortController().signal) };
    for (const file of read.files) {
      if (file.state !== 'whole') continue;
      // A node that loads a copy changes it.
      const hash = await hashFile(file.path).catch(() => null);
      if (hash !== file.sha256) file.state = 'unknown';
    }
    // Read a copy again that could not be read, or whose manifest cannot be written.
    if (read.files.every(({ sha256, state }) => sha256 === null || state !== 'unknown'))
      orNull(() => writeManifest(copyFolder, read));
    return read;
  }

  async function create(
    node: NodeStatus,
    wallet: string,
    { into, signal }: { into: string; signal: AbortSignal },
    make: () => Promise<CopiedFiles>,
  ): Promise<SafetyCopy> {
    await settled;
    const created = now();
    await makePrivateFolder(into);
    try {
      refuseSharedCopies(into);
      writeOrExplain(into, () => markUnfinished(into, wallet));
      const { files, ...how } = await make();
      const copy: SafetyCopy = {
        id: basename(into),
        wallet,
        node: {
          label: node.label,
          network: node.network,
          walletsFolder: node.walletsFolder,
          walletsFolderMark: node.walletsFolderMark,
        },
        made: created,
        ...how,
        files: await statesOf(files, signal),
      };
      writeOrExplain(into, () => writeManifest(into, copy));
      return copy;
    } catch (error) {
      // A folder that others can change is removed only if it is empty.
      if (!removeFolder(into)) await rmdir(into).catch(() => undefined);
      throw error;
    }
  }

  /** A new folder for a copy, named after `at` (Unix seconds). For a plan, that is the time of its first version. */
  async function folderFor(wallet: string, at = now()): Promise<string> {
    const name = `${fileTime(at)} ${fileName(wallet)}`;
    for (let turn = 1; ; turn++) {
      const path = join(folder, turn === 1 ? name : `${name} (${turn})`);
      if ((await stat(path).catch(() => null)) === null) return path;
    }
  }

  return {
    folderFor,
    /** Plans the copy of a wallet of this node, without asking the node. `at` as for `folderFor`. */
    planFor: async (
      status: NodeStatus,
      wallet: Pick<CopyRequest, 'name' | 'onDisk' | 'loaded'>,
      at = now(),
    ) => planCopy(status, { ...wallet, folder: await folderFor(wallet.name, at), at }),
    /**
     * Copies a wallet's file as planned, and for the unnamed wallet every other wallet in the folder. The node itself copies
     * what it has open. Calls `onUnload` before it unloads the wallet, which then stays unloaded. Throws AppError: `stopped_by_check`
     * if no copy is possible, and what `copySafely`, the node's calls and `onUnload` throw. It then removes the copies.
     */
    async copyWallet(
      session: Session,
      name: string,
      plan: CopyPlan,
      signal: AbortSignal,
      onUnload: () => void,
    ): Promise<SafetyCopy> {
      if (plan.how === 'cannot')
        throw new AppError(
          'stopped_by_check',
          say('The app cannot copy it.'),
          notSent(`${plan.text} ${say('Copy it yourself, then confirm.')}`),
        );
      const into = plan.folder ?? (await folderFor(name));
      return create(session.status, name, { into, signal }, () =>
        copyWallet(session, plan, { signal, work, onUnload }),
      );
    },
    /** Copies any file of a wallet, such as a backup, into a folder that `folderFor` gave. `note`: see `SafetyCopy`. */
    copyFile: (
      node: NodeStatus,
      name: string,
      {
        file,
        folder: into,
        note = null,
      }: { readonly file: string; readonly folder: string; readonly note?: string | null },
      signal: AbortSignal,
    ) =>
      create(node, name, { into, signal }, async () => ({
        how: 'copied',
        note,
        files: [await copyFile(name, file, join(into, 'wallet.dat'), { signal, work })],
      })),
    /** Without what is gone. Whole copies first, then those that the app cannot see; the newest first in each group. */
    async list(): Promise<SafetyCopy[]> {
      await settled;
      const names = await readdir(folder).catch(() => []);
      const all: SafetyCopy[] = [];
      for (const place of names.map((name) => join(folder, name))) {
        const copy = readManifest(place);
        // The user may have moved the app's folders.
        const seen = copy?.files.map((file) =>
          file.sha256 !== null && isGone(file.path)
            ? { ...file, path: join(place, basename(file.path)) }
            : file,
        );
        const files = seen?.filter(({ path, sha256 }) => sha256 === null || !isGone(path)) ?? [];
        if (copy !== null && files[0] !== undefined && files[0] === seen?.[0])
          all.push(await withStates(place, { ...copy, files }));
      }
      return all.sort((a, b) => rankOf(a) - rankOf(b) || b.made - a.made);
    },
    /** The result for copies that an earlier run of the app left unfinished. */
    cleanup: () => settled,
  };
}

/** Whether the app made the copy of the wallet at this place. Null: by the path, but another disk may have taken it since. */
export async function isCopyFrom(
  { node, source }: { node: SafetyCopy['node']; source: string | null },
  { file, name, walletsFolder }: { file: string | null; name: string | null; walletsFolder: string | null },
): Promise<boolean | null> {
  const real = async (path: string | null = null) => path && realPath(path).catch(() => path);
  const origin = await real(node.walletsFolder ?? source);
  const [ownFile, folder] = await Promise.all([real(file), real(name === null ? null : walletsFolder)]);
  if (origin === null) return false;
  const isAtOrigin =
    (ownFile !== null && isWithin(ownFile, origin)) || (folder !== null && isWithin(origin, folder));
  if (!isAtOrigin) return false;
  return isSameFolder(node, { walletsFolderMark: await folderMarkAt(origin) });
}

/** The state of the wallet's own file decides. */
function rankOf({ files: [own] }: SafetyCopy): number {
  if (own?.state === 'whole') return 0;
  return own?.state === 'unknown' || own?.state === undefined ? 1 : 2;
}

/** Runs `write`. A full disk and other errors become an AppError about the copy. */
function writeOrExplain(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw copyError(error, join(folder, 'wallet.dat'));
  }
}

export interface CopyCleanup {
  /** Complete copies that were still marked as unfinished. */
  readonly listed: readonly SafetyCopy[];
  readonly removed: readonly { readonly id: string; readonly wallet: string | null }[];
}

/** Marks a copy's folder as unfinished. Without this mark the app never removes anything from it. */
export function markUnfinished(folder: string, wallet: string): void {
  writeWholeFile(join(folder, UNFINISHED_FILE), new TextEncoder().encode(`${JSON.stringify({ wallet })}\n`));
}

/** Marks the copy as whole. */
function writeManifest(folder: string, copy: SafetyCopy): void {
  replaceFile(join(folder, MANIFEST), new TextEncoder().encode(`${JSON.stringify(copy, null, 2)}\n`));
  // If this fails, the next start of the app removes it. The manifest takes precedence.
  orNull(() => rmSync(join(folder, UNFINISHED_FILE)));
}

/** The manifest of a whole copy; null for any other folder. */
function readManifest(folder: string): SafetyCopy | null {
  return readAs(safetyCopy, join(folder, MANIFEST));
}

/**
 * Lists the copies in `folder` that were complete at a crash, and removes the incomplete ones: no job had begun with them. The
 * manifest is written last, so a copy with one is whole, also if only a newer version can read it. Never throws.
 */
export async function cleanUpCopies(folder: string): Promise<CopyCleanup> {
  const listed: SafetyCopy[] = [];
  const removed: { id: string; wallet: string | null }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || !COPY_NAME.test(entry.name)) continue;
    const place = join(folder, entry.name);
    const names = await readdir(place).catch(() => null);
    if (names?.length === 0) await rmdir(place).catch(() => undefined);
    if (!names?.includes(UNFINISHED_FILE)) continue;
    const wallet = readAs(unfinishedCopy, join(place, UNFINISHED_FILE))?.wallet ?? null;
    const whole = readManifest(place);
    if (whole !== null) {
      listed.push(whole);
      await removeFiles(place, [...names.filter(isPartName), UNFINISHED_FILE]);
    } else if (!names.includes(MANIFEST)) {
      await removeIncomplete(place, names);
      removed.push({ id: entry.name, wallet });
    }
  }
  return { listed, removed };
}

const MANIFEST = 'copy.json';
const UNFINISHED_FILE = '.wallet-ferry-begun.json';
/** The time in UTC, then the wallet's name. */
const COPY_NAME = /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d /;
/** The names that the app gives to the files of a copy. */
const COPY_FILE = /^(?:wallet|beside \d+ .*)\.dat$/s;

const unfinishedCopy = z.object({ wallet: z.string() });

/** Also null for a file that the app did not write: behind a link, or of another user. */
function readAs<T>(shape: z.ZodMiniType<T>, path: string): T | null {
  return orNull(() => shape.parse(JSON.parse(readOwnFile(path).toString('utf8'))));
}

/** Removes the mark last, so that a second crash still leaves a marked folder. */
async function removeIncomplete(folder: string, names: readonly string[]): Promise<void> {
  await removeFiles(
    folder,
    // SQLite keeps journals next to a copy while a node writes it.
    names.filter((name) => COPY_FILE.test(mainNameOf(name) ?? name) || isPartName(name)),
  );
  const left = await readdir(folder).catch(() => []);
  // A folder with anything else in it stays, with its mark.
  if (left.some((name) => name !== UNFINISHED_FILE)) return;
  await removeFiles(folder, [UNFINISHED_FILE]);
  await rmdir(folder).catch(() => undefined);
}

async function removeFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
