/** Marks copies that are started or complete, and after a crash completes or removes unfinished copies. */
import { rmSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type SafetyCopy, safetyCopy } from '../../../shared/model/safety.ts';
import { isPartName, replaceFile, writeWholeFile } from '../../files/durableFile.ts';
import { hashFile } from '../../files/hash.ts';
import { readOwnFile } from '../../files/openFile.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { mainNameOf } from '../../walletfile/database/relatedFiles.ts';

export interface SettledCopies {
  /** Copies that are whole and equal to their manifest. They are listed from now on. */
  readonly listed: readonly SafetyCopy[];
  readonly removed: readonly { readonly id: string; readonly wallet: string | null }[];
}

/** Marks a copy's folder as unfinished. Without this mark the app never removes anything from it. */
export function markStarted(folder: string, wallet: string): void {
  writeWholeFile(join(folder, START_MARK), new TextEncoder().encode(`${JSON.stringify({ wallet })}\n`));
}

/** Marks the copy as whole. */
export function writeManifest(folder: string, copy: SafetyCopy): void {
  replaceFile(join(folder, MANIFEST), new TextEncoder().encode(`${JSON.stringify(copy, null, 2)}\n`));
  // If this fails, the next start of the app removes it. The manifest takes precedence.
  orNull(() => rmSync(join(folder, START_MARK)));
}

/** The manifest of a whole copy; null for any other folder. */
export function readManifest(folder: string): SafetyCopy | null {
  return readAs(safetyCopy, join(folder, MANIFEST));
}

/** Lists the copies in `folder` that were complete at a crash, and removes the incomplete ones. Never throws. */
export async function settleCopies(folder: string): Promise<SettledCopies> {
  const listed: SafetyCopy[] = [];
  const removed: { id: string; wallet: string | null }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || !COPY_NAME.test(entry.name)) continue;
    const place = join(folder, entry.name);
    const names = await readdir(place).catch(() => null);
    if (names?.length === 0) await rmdir(place).catch(() => undefined);
    if (!names?.includes(START_MARK)) continue;
    const wallet = readAs(startMark, join(place, START_MARK))?.wallet ?? null;
    const whole = readManifest(place) ?? (await finishedIn(place, entry.name, names));
    if (whole === null) {
      // The manifest is written last: the copy is whole, also if only a newer version can read its manifest.
      if (names.some((name) => name === MANIFEST || (isPartName(name) && isForeign(join(place, name)))))
        continue;
      await removeHalf(place, names);
      removed.push({ id: entry.name, wallet });
    } else if (listAgain(place, whole)) {
      listed.push(whole);
      await removeThose(place, names.filter(isPartName));
    }
  }
  return { listed, removed };
}

const MANIFEST = 'copy.json';
const START_MARK = '.wallet-ferry-begun.json';
/** The time in UTC, then the wallet's name. */
const COPY_NAME = /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d /;
/** The names that the app gives to the files of a copy. */
const COPY_FILE = /^(?:wallet|beside \d+ .*)\.dat$/s;

const startMark = z.object({ wallet: z.string() });

/** Also null for a file that the app did not write: behind a link, or of another user. */
function readAs<T>(shape: z.ZodType<T>, path: string): T | null {
  return orNull(() => shape.parse(JSON.parse(readOwnFile(path).toString('utf8'))));
}

/** Whether it is a manifest of a shape that this version does not know. */
function isForeign(path: string): boolean {
  return readAs(z.looseObject({ id: z.string() }), path) !== null && readAs(safetyCopy, path) === null;
}

/** The manifest is written last. A manifest that was not moved into place yet describes the whole copy. */
async function finishedIn(folder: string, id: string, names: readonly string[]): Promise<SafetyCopy | null> {
  for (const part of names.filter(isPartName)) {
    const copy = readAs(safetyCopy, join(folder, part));
    if (copy?.id === id && (await isWhole(copy, folder))) return copy;
  }
  return null;
}

async function isWhole({ files }: SafetyCopy, folder: string): Promise<boolean> {
  for (const { path, sha256 } of files) {
    // The file is on the node's machine, and the node reported it complete.
    if (sha256 === null) continue;
    if (dirname(path) !== folder || (await hashFile(path).catch(() => null)) !== sha256) return false;
  }
  return true;
}

function listAgain(folder: string, copy: SafetyCopy): boolean {
  try {
    writeManifest(folder, copy);
    return true;
  } catch {
    // The disk is full. The next start tries again.
    return false;
  }
}

/** Removes the mark last, so that a second crash still leaves a marked folder. */
async function removeHalf(folder: string, names: readonly string[]): Promise<void> {
  await removeThose(
    folder,
    // SQLite keeps journals next to a copy while a node writes it.
    names.filter((name) => COPY_FILE.test(mainNameOf(name) ?? name) || isPartName(name)),
  );
  const left = await readdir(folder).catch(() => []);
  // A folder with anything else in it stays, with its mark.
  if (left.some((name) => name !== START_MARK)) return;
  await removeThose(folder, [START_MARK]);
  await rmdir(folder).catch(() => undefined);
}

async function removeThose(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
