/**
 * Finds out whether a node's wallet or a file was left incomplete, for plans, the page and the terminal, and names the incomplete
 * wallets that move away for the restored one.
 */
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isTooLong } from '../../../shared/model/names/walletName.ts';
import { isSameFolder, type NodeStatus } from '../../../shared/model/node.ts';
import type { WalletSource } from '../../../shared/model/plan.ts';
import type { Interruption, SafetyCopy } from '../../../shared/model/safety.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { compareOldPassphrase, type OldPassphrase } from '../../../shared/model/walletBackups.ts';
import { asSentence } from '../../../shared/wording/findings/hints.ts';
import { fileToRescue } from '../../../shared/wording/interruptionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { DAMAGED } from '../../../shared/wording/verdictWords.ts';
import { legacyBackupStems, UNNAMED_STEMS, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import { folderMarkAt, isSameInode } from '../../files/fileMark.ts';
import { hashFile } from '../../files/hash.ts';
import { isWithin, realPath } from '../../files/openFile.ts';
import { once } from '../../walletfile/bytes/once.ts';
import { LEGACY_BACKUP } from '../../walletfile/database/relatedFiles.ts';
import { suggestName } from '../../walletfile/inspect/suggestName.ts';
import type { FileExamination } from '../../workers/examineFile.ts';
import type {
  Candidate,
  IncompleteWallet,
  Interruptions,
  JournalRecords,
  NamedCopy,
} from './interruptions.ts';
import { isCopyFrom } from './safetyCopies.ts';

interface InterruptionRequest {
  readonly source: WalletSource;
  /** A copy that the user chose. Its name does not matter. */
  readonly copy?: string | undefined;
  /** Whether to put the wallet back: then a missing file counts as incomplete too. */
  readonly forPutBack?: boolean | undefined;
}

/**
 * Null if the wallet is whole or missing, or its file cannot be read. `status` is that of the node in use, null without one.
 * Throws only for the signal.
 */
export async function findInterruption(
  status: NodeStatus | null,
  { source, copy, forPutBack = false }: InterruptionRequest,
  interruptions: Interruptions,
  signal: AbortSignal,
): Promise<Interruption | null> {
  const folder = status?.walletsFolder ?? null;
  if (source.by === 'wallet' && folder === null) return null;
  const file = await realFileOf(status, source);
  if (file === null && !forPutBack) return null;
  const name = source.by === 'wallet' ? source.name : folder && file && (await nameIn(folder, file));
  return interruptions
    .find(
      {
        file,
        name,
        walletsFolder: folder,
        // A file elsewhere may be of another network than the node.
        network: name === null ? null : (status?.network ?? null),
        ...(copy === undefined ? {} : { known: [{ path: copy, from: 'backup' }] }),
        ...(forPutBack ? { interruptedWork: copy === undefined ? 'as-recorded' : 'copying' } : {}),
      },
      signal,
    )
    .catch((thrown) => {
      signal.throwIfAborted();
      if (forPutBack) throw thrown;
      return null;
    });
}

/** What the list of wallets shows of it. A copy of another wallet does not make this one safe. */
export function listedInterruption(found: Interruption): Wallet['interruption'] {
  const { copies, restoredAs } = found;
  const own = copies.filter(({ isOther }) => !isOther);
  if (restoredAs !== undefined) return { copies: own.length, restoredAs };
  const toRescue = fileToRescue(found);
  return { copies: own.length, ...(toRescue !== null && { toRescue }) };
}

/** Whether the source's file is a whole wallet. False if the app cannot read it. Throws only for the signal. */
export async function isWholeSource(
  status: NodeStatus | null,
  source: WalletSource,
  interruptions: Interruptions,
  signal: AbortSignal,
): Promise<boolean> {
  const file = await realFileOf(status, source);
  if (file === null) return false;
  return interruptions.isWhole(file, signal).catch(() => {
    signal.throwIfAborted();
    return false;
  });
}

/** Of a wallet that no interruption left incomplete, as far as the app can see. Throws only for the signal. */
export async function whyNothingToPutBack(
  status: NodeStatus,
  source: WalletSource,
  { interruptions, signal }: { readonly interruptions: Interruptions; readonly signal: AbortSignal },
): Promise<string> {
  const file = await realFileOf(status, source);
  const found = file === null ? null : await interruptions.examine(file, signal);
  if (found === null) return asSentence(say('The app cannot read the file'));
  return found.state === 'damaged' ? DAMAGED.text : say('The wallet is complete.');
}

/** How the passphrase of an old copy differs from that of the file that it replaces. Throws only for the signal. */
export async function findOldPassphrase(
  copy: string,
  replaced: string | null,
  { interruptions, signal }: { readonly interruptions: Interruptions; readonly signal: AbortSignal },
): Promise<OldPassphrase | null> {
  const now = replaced === null ? null : await interruptions.examine(replaced, signal);
  if (!now?.encrypted) return null;
  const old = await interruptions.examine(copy, signal);
  return old && compareOldPassphrase(old.encrypted ? old.passphraseId : null, now);
}

async function realFileOf(status: NodeStatus | null, source: WalletSource): Promise<string | null> {
  const folder = status?.walletsFolder ?? null;
  if (source.by === 'file') return realPath(source.path).catch(() => null);
  return folder && walletFilePath(folder, source.name);
}

/** The name of the wallet whose file this is, by the node's rules; null for a file elsewhere. */
async function nameIn(walletsFolder: string, file: string): Promise<string | null> {
  const path = await pathBelow(walletsFolder, file);
  if (path === null) return null;
  const name = basename(path) === 'wallet.dat' ? dirname(path) : path;
  return name === '.' ? '' : name.split(sep).join('/');
}

/**
 * The path relative to the folder, compared by where both lead, because either may lie behind links. Null if it is not
 * below the folder, or if either is gone.
 */
export async function pathBelow(folder: string, path: string): Promise<string | null> {
  const [from, to] = await Promise.all([realPath(folder), realPath(path)]).catch(() => []);
  if (from === undefined || to === undefined) return null;
  return from === to || !isWithin(to, from) ? null : relative(from, to);
}

const MARK = '.interrupted-';
const MOVED = /^(.+)\.interrupted-\d{8}-\d{6}(?:-\d+)?(?:_+(?:default_wallet_)?(?:watchonly|solvables))?$/s;
/** The unnamed wallet is restored under this name. */
export const NAME_OF_UNNAMED = 'wallet';

/** `savings.interrupted-20261121-045512`. `seconds`: Unix seconds, of the plan. */
export function interruptedName(wallet: string, seconds: number, number: number): string {
  const stamp = new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const ending = `${MARK}${stamp}${number === 1 ? '' : `-${number}`}`;
  let stem = wallet === '' ? NAME_OF_UNNAMED : wallet;
  // A folder's name has 255 bytes at most. The names of the companion wallets are longer.
  while (isTooLong(`${stem}${ending}${MAX_COMPANION_LENGTH}`.slice(stem.lastIndexOf('/') + 1)))
    stem = [...stem].slice(0, -1).join('');
  return `${stem}${ending}`;
}

const MAX_COMPANION_LENGTH = '_default_wallet_watchonly';

/** The wallet's name before it was moved, also for its companions; null for any other name. */
export function originalName(name: string): string | null {
  return MOVED.exec(name)?.[1] ?? null;
}

/** Why a wallet's file is incomplete, null if it is not. `interruptedWork`: what was interrupted, if a job or the user says so. */
export function causeOf(
  found: FileExamination | null,
  interruptedWork: IncompleteWallet['interruptedWork'],
): Interruption['cause'] | null {
  switch (found?.state) {
    case 'legacy-records':
    case 'no-descriptors':
      return found.state;
    case 'mixed':
      return 'legacy-records';
    case 'none':
      return 'no-format';
    case 'damaged':
      // A legacy wallet may have been damaged before: a migration does not write to it.
      return interruptedWork === 'copying' || (interruptedWork && found.format === 'sqlite')
        ? 'cut-short'
        : null;
    case 'missing':
    case undefined:
      return interruptedWork === undefined ? null : 'missing';
    default:
      return null;
  }
}

/** The place with what the journal says about the job that was interrupted there. */
export async function withRecord(
  place: IncompleteWallet,
  { interrupted }: JournalRecords,
): Promise<IncompleteWallet> {
  // The journal's path may lead there through a link.
  const real = (path: string) => realPath(path).catch(() => path);
  const file = place.file === null ? null : await real(place.file);
  const folder = place.walletsFolder && (await real(place.walletsFolder));
  const files = await Promise.all(interrupted.map((one) => one.file && real(one.file)));
  const folders = await Promise.all(
    interrupted.map(({ walletsFolder }) => walletsFolder && real(walletsFolder)),
  );
  const marks = await Promise.all(interrupted.map(async ({ walletsFolder: at }) => at && folderMarkAt(at)));
  const own = file === null ? null : await folderMarkAt(file);
  const record =
    interrupted.find(
      (one, at) =>
        files[at] === file &&
        (file !== null || (one.wallet === place.name && folders[at] === folder)) &&
        isSameFolder(one, { walletsFolderMark: marks[at] || null }) !== false,
    ) ??
    // Its owner may have renamed or moved it since. A new file may get the inode of a removed one, and a copy the time of its original.
    interrupted.find(
      ({ fileMark }) => own?.born && fileMark?.born === own.born && isSameInode(fileMark, own),
    );
  const known = [...(place.known ?? []), ...(record?.copies ?? [])];
  if (place.interruptedWork !== 'as-recorded') return { ...place, known };
  return { ...place, known, interruptedWork: record?.mayDamage ? 'copying' : 'migrating' };
}

/**
 * Files that may be whole copies of the wallet, each path once: those of its name and those that are known, then, as `byKeys`, the other
 * backups in its folders and those that the app knows, because its owner may have renamed the wallet or a copy.
 */
export async function findCandidates(
  place: IncompleteWallet,
  safetyCopies: readonly SafetyCopy[],
  backups: readonly NamedCopy[],
): Promise<Candidate[]> {
  const { file, network, known = [] } = place;
  const stems = await stemsOf(place);
  const ofApp: NamedCopy[] = safetyCopies.flatMap(({ files: [own], ...copy }) =>
    own?.sha256 ? [{ ...copy, ...own, wallet: copy.wallet, from: 'safety-copy' }] : [],
  );
  const recorded: Candidate[] = [];
  let isEarlier = false;
  for (const { wallet, node, source = null, isOrigin = false, ...copy } of [...ofApp, ...backups]) {
    if (network !== null && node.network !== network) continue;
    const byKeys = !stems.wallets.includes(wallet);
    const isKnown = known.some(({ path }) => path === copy.path);
    const isHere = isKnown || (!byKeys && (await isCopyFrom({ node, source }, place)));
    recorded.push({ ...copy, isFromHere: isHere && isEarlier ? null : isHere, byKeys });
    isEarlier ||= isOrigin && isHere === true;
  }
  const all = [...(await legacyBackups(place, stems.files)), ...recorded];
  const byPath = new Map<string, Candidate>();
  for (const one of [...all.filter(({ byKeys }) => !byKeys), ...known, ...all]) {
    const path = resolve(one.path);
    if (path !== file && !byPath.has(path)) byPath.set(path, { ...one, path });
  }
  return [...byPath.values()];
}

/** The names of the wallet's copies. `files` are the parts before the time in the names of legacy backups. */
async function stemsOf({
  file,
  name,
  walletsFolder,
}: Pick<IncompleteWallet, 'file' | 'name' | 'walletsFolder'>): Promise<{
  wallets: string[];
  files: string[];
}> {
  if (name === null) {
    const stem = file === null ? '' : suggestName(file, homedir());
    const isBare = file !== null && basename(file) === 'wallet.dat';
    return { wallets: [stem], files: [stem, ...(isBare ? UNNAMED_STEMS : [])] };
  }
  const before = originalName(name);
  if (before !== null) {
    // The unnamed wallet got a name when the app moved it.
    const unnamed = before === NAME_OF_UNNAMED ? UNNAMED_STEMS : [];
    return { wallets: [before, ...unnamed.slice(0, 1)], files: [basename(before), before, ...unnamed] };
  }
  return { wallets: [name], files: await legacyBackupStems(walletsFolder, name) };
}

/** Also of a backup that its owner renamed. */
const BACKUP = /\.bak$/i;

/** The Unix seconds in the name of a legacy backup. */
const TIME = /(\d+)\.legacy\.bak$/i;

/** Looks next to the wallet's file, where releases before 30 write them, one folder above, and in the wallets folder. */
async function legacyBackups(
  { file, walletsFolder }: Pick<IncompleteWallet, 'file' | 'walletsFolder'>,
  stems: readonly string[],
): Promise<Candidate[]> {
  const folder = file === null ? null : dirname(file);
  const folders = new Set([walletsFolder, folder, folder && dirname(folder)].filter((each) => each !== null));
  const found: Candidate[] = [];
  for (const each of folders) {
    for (const name of await readdir(each).catch(() => [])) {
      if (!BACKUP.test(name)) continue;
      const [, stem = null] = LEGACY_BACKUP.exec(name) ?? [];
      const [, time] = TIME.exec(name) ?? [];
      found.push({
        path: join(each, name),
        from: 'legacy-backup',
        made: Number(time) >= FIRST_MIGRATION ? Number(time) : undefined,
        byKeys: stem === null || !stems.includes(stem),
      });
    }
  }
  return found;
}

/** The legacy backup of a wallet that has the bytes of its copy; null if none is found, or the folder or the copy is unknown. */
export async function findLegacyBackup(
  { name, fileForProof: copy }: { readonly name: string; readonly fileForProof: string | null },
  walletsFolder: string | null,
): Promise<string | null> {
  if (walletsFolder === null || copy === null) return null;
  const place = { name, walletsFolder, file: await walletFilePath(walletsFolder, name) };
  const { files } = await stemsOf(place);
  const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size;
  const hashOf = (path: string) => hashFile(path).catch(() => null);
  const size = await sizeOf(copy);
  if (size === undefined) return null;
  const hashOfCopy = once(() => hashOf(copy));
  for (const { path, byKeys } of await legacyBackups(place, files)) {
    if (byKeys || (await sizeOf(path)) !== size) continue;
    const hash = await hashOf(path);
    if (hash !== null && hash === (await hashOfCopy())) return path;
  }
  return null;
}

/** Unix seconds. `migratewallet` was written in 2022, for release 24. An earlier time in a name is no time of a backup. */
const FIRST_MIGRATION = 1_640_995_200;
