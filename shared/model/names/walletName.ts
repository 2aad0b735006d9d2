/**
 * Names of wallets: checks a new one, while the user types it and again before it is sent, suggests names of files for a wallet, and
 * finds what a mistyped name may have meant.
 */
import { visibleText } from './visibleText.ts';

/** The name suggested for a new wallet if neither the file nor its folder has one that describes a wallet. */
export const DEFAULT_NAME = 'old-wallet';

export interface NameRules {
  /** Names of the node's wallets, loaded or not. */
  taken: readonly string[];
  /** The system of the node; `other` if unknown. */
  platform: 'linux' | 'darwin' | 'win32' | 'other';
}

/** `windows_` problems matter only to a node on Windows. */
export type NameProblem =
  | 'empty'
  | 'taken'
  | 'control_character'
  | 'unpaired_surrogate'
  | 'invisible_character'
  | 'backslash'
  | 'drive_letter'
  | 'leads_out'
  | 'empty_part'
  | 'reserved_by_app'
  | 'reserved_by_node'
  | 'too_long'
  | 'windows_character'
  | 'windows_ending'
  | 'windows_device';

/**
 * Why a new wallet cannot have this name, or null. The node creates a folder of that name in its wallets folder, so the file
 * system must allow it, and it must not lead out of that folder. Slashes are allowed: the node creates nested folders
 * (recorded on releases 23 to 31).
 */
export function findNameProblem(name: string, { taken, platform }: NameRules): NameProblem | null {
  if (name.trim() === '') return 'empty';
  if (CONTROL.test(name)) return 'control_character';
  if (LONE_SURROGATE.test(name)) return 'unpaired_surrogate';
  if (visibleText(name, { spaces: true }) !== name) return 'invisible_character';
  if (name.includes('\\')) return 'backslash';
  if (hasDrive(name, platform)) return 'drive_letter';
  if (RESERVED_BY_NODE.test(name)) return 'reserved_by_node';
  for (const part of name.split('/')) {
    const problem = findPartProblem(part, platform);
    if (problem) return problem;
  }
  const wanted = folded(name, platform);
  return taken.some((other) => folded(other, platform) === wanted) ? 'taken' : null;
}

/** The limit of ext4, APFS and NTFS for one part of a path, on the first two in bytes of UTF-8. */
const MAX_PART_LENGTH = 255;
const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;
const DRIVE = /^[A-Za-z]:(\/|$)/;
const DRIVE_RELATIVE = /^[A-Za-z]:/;

/** Whether a name begins with a drive of Windows. Elsewhere `a:b` is an ordinary name. */
export function hasDrive(name: string, platform: NameRules['platform']): boolean {
  return DRIVE.test(name) || (platform === 'win32' && DRIVE_RELATIVE.test(name));
}

/**
 * What nodes keep beside wallets. Old data folders have no folder `wallets`: a new wallet of that name would become it, and hide the
 * others. Where a node wants a file of its own, a folder of that name stops it.
 */
const RESERVED_BY_NODE =
  /^(?:wallets|database|wallet\.dat(?:-journal)?|\.(?:walletlock|lock|cookie)|debug\.log|settings\.json|bitcoin\.conf|bitcoind\.pid|peers\.dat)(?:\/|$)/i;

const OF_WINDOWS = [
  [/[<>:"|?*]/, 'windows_character'],
  [/[. ]$/, 'windows_ending'],
  // Names of devices, with or without an extension.
  [/^(con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³])( *\..*)?$/i, 'windows_device'],
] as const;

/** Why Windows cannot use this name for a file or folder; null if it can. */
export function findWindowsProblem(part: string): (typeof OF_WINDOWS)[number][1] | null {
  return OF_WINDOWS.find(([refuses]) => refuses.test(part))?.[1] ?? null;
}

function findPartProblem(part: string, platform: NameRules['platform']): NameProblem | null {
  if (part === '..') return 'leads_out';
  if (part === '' || part === '.') return 'empty_part';
  if (isReservedName(part)) return 'reserved_by_app';
  if (isTooLong(part)) return 'too_long';
  return platform === 'win32' ? findWindowsProblem(part) : null;
}

/** Whether a part of a path is too long for a file system. */
export function isTooLong(part: string): boolean {
  return new TextEncoder().encode(part).length > MAX_PART_LENGTH;
}

/** Whether a part of a path looks like a temporary file of the app or its engine. */
export function isReservedName(part: string): boolean {
  return part.toLowerCase().startsWith('.wallet-ferry-');
}

/**
 * Makes names equal that one folder cannot contain together. Windows and, unless its disk was formatted otherwise, macOS ignore case.
 * macOS also treats an accented letter and a letter followed by its accent as the same.
 */
function folded(name: string, platform: NameRules['platform']): string {
  if (platform === 'win32') return name.replaceAll('\\', '/').toLowerCase();
  return platform === 'darwin' ? name.normalize('NFC').toLowerCase() : name;
}

/** `<wallet> 2026-11-21.dat`, in local time. Bitcoin Core's dialog shows only files that end in `.dat`. */
export function suggestBackupName(wallet: string, now: Date): string {
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  return `${fileStem(wallet)} ${date}.dat`;
}

/**
 * The same for several wallets in one folder, each name unique. The time of day (`2026-11-21 140502`) avoids earlier names: on
 * another machine the app cannot see which file a node would overwrite.
 */
export function suggestedBackups(wallets: readonly string[], now: Date): string[] {
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('');
  const names = new Set<string>();
  return wallets.map((wallet) => {
    const stem = suggestBackupName(wallet, now).replace(/\.dat$/, ` ${time}`);
    let name = stem;
    for (let count = 2; names.has(name.toLowerCase()); count += 1) name = `${stem} ${count}`;
    names.add(name.toLowerCase());
    return `${name}.dat`;
  });
}

function twoDigits(part: number): string {
  return part.toString().padStart(2, '0');
}

/**
 * A file name for every system: slashes, control characters and what Windows forbids become `-`. Long names are cut. The
 * unnamed wallet becomes `wallet`.
 */
export function fileStem(wallet: string): string {
  const safe = wallet.replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-').replace(/^[. -]+|[. ]+$/g, '');
  return [...safe].slice(0, MAX_LENGTH).join('').trim() || 'wallet';
}

/** Characters. With four bytes each and an ending, the name stays below 255 bytes. */
const MAX_LENGTH = 50;

/** The path of `name` in `folder`, an absolute path without links. */
export function joinPath(folder: string, name: string, platform: NameRules['platform']): string {
  const separator = platform === 'win32' ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/**
 * The full path that a typed or pasted text means, or the text itself: without spaces and quotes around it, as a `file:` URL, from the
 * home folder `~`, and without the backslashes that a shell writes before other characters than letters and digits.
 */
export function pathOfText(
  text: string,
  { homeFolder, platform }: { homeFolder: string | null; platform: NameRules['platform'] },
): string {
  const isWindows = platform === 'win32';
  const bare = text.trim();
  const quoted = /^(["'])(.+)\1$/s.exec(bare)?.[2]?.trim();
  const named = quoted ?? (isWindows ? bare : bare.replace(/\\([^\p{L}\p{N}])/gu, '$1'));
  const ofUrl = pathOfUrl(named);
  const found = ofUrl ?? named;
  // In a URL, a drive has a slash before it; in a long path that PowerShell copies, `\\?\`.
  const path = isWindows ? found.replace(/^(?:\/|\\\\\?\\)(?=[a-z]:)/i, '') : found;
  const isAtHome = /^~(?=[/\\]|$)/.test(path);
  return isAtHome && homeFolder !== null ? homeFolder + path.slice(1) : path;
}

/** Null for anything but a `file:` URL. Another machine stays in the path, and is refused there. */
function pathOfUrl(url: string): string | null {
  const [, host = '', path] = /^file:(?:\/\/([^/]*))?(\/.*)$/is.exec(url) ?? [];
  if (path === undefined) return null;
  const isHere = host === '' || host.toLowerCase() === 'localhost';
  try {
    return `${isHere ? '' : `//${host}`}${decodeURIComponent(path)}`;
  } catch {
    return null;
  }
}

export function isFullPath(path: string): boolean {
  return path.startsWith('/') || platformOfPath(path) === 'win32';
}

/** The system of a full path, by its form. */
export function platformOfPath(path: string): 'win32' | 'other' {
  return /^[A-Za-z]:|^\\\\/.test(path) ? 'win32' : 'other';
}

/**
 * The same name for every spelling of a wallet's name: a node takes `./w`, `w/`, `a/../w` and a full path for the wallet `w`, and `.`
 * for the unnamed one. On Windows also in any case, and with either slash. `folder`: the wallets folder, if it is known.
 */
export function walletIdentity(name: string, folder: string | null | undefined): string {
  const isWindows = platformOfPath(folder ?? name) === 'win32';
  // Most names are already in this form, and a list of thousands is searched on each event.
  if (OWN_IDENTITY.test(name)) return isWindows ? name.toLowerCase() : name;
  const partsOf = (path: string) => (isWindows ? path.replaceAll('\\', '/').toLowerCase() : path).split('/');
  const isFull = isFullPath(name);
  const clean = (parts: readonly string[]) => {
    const kept: string[] = [];
    for (const part of parts) {
      // Above the root is the root.
      if (part === '..' && (isFull || folder || !['..', undefined].includes(kept.at(-1)))) kept.pop();
      else if (part !== '' && part !== '.') kept.push(part);
    }
    return kept.join('/');
  };
  if (!folder) return (isFull ? '/' : '') + clean(partsOf(name));
  const within = clean(partsOf(folder)).replace(/.$/su, '$&/');
  const path = `${clean([...(isFull ? [] : partsOf(folder)), ...partsOf(name)])}/`;
  return path.startsWith(within) ? path.slice(within.length, -1) : `/${path.slice(0, -1)}`;
}

const OWN_IDENTITY = /^(?!\.{1,2}$)[^/\\:]+$/;

export function isSameWalletName(one: string, other: string, folder: string | null | undefined): boolean {
  return one === other || walletIdentity(one, folder) === walletIdentity(other, folder);
}

/** The wallet of this name in a list, however either is spelled. `folder`: the wallets folder, if it is known. */
export function findByName<W extends { readonly name: string }>(
  wallets: readonly W[] | null | undefined,
  name: string,
  folder: string | null | undefined,
): W | undefined {
  return wallets?.find((one) => isSameWalletName(one.name, name, folder));
}

/** The name under which a node has a wallet loaded, such as `./w` for `w`; else the same name. `folder`: the wallets folder. */
export function nameAsLoaded(name: string, loaded: readonly string[], folder: string | null): string {
  return loaded.find((one) => isSameWalletName(one, name, folder)) ?? name;
}

const MAX_SUGGESTED = 3;
/** Characters. Longer names match only if one contains the other. */
const MAX_COMPARED_LENGTH = 64;

/** At most three of `names` that are similar to `word`, the nearest first. Ignores case and accents. */
export function similarNames(word: string, names: readonly string[]): string[] {
  const wanted = plain(word);
  return names
    .map((name) => ({ name, far: distance(wanted, plain(name)) }))
    .filter(({ far }) => far !== null)
    .toSorted((one, other) => (one.far ?? 0) - (other.far ?? 0))
    .slice(0, MAX_SUGGESTED)
    .map(({ name }) => name);
}

const plain = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The number of different characters; null for too many. A name that contains the other counts as two edits away. */
function distance(one: string, other: string): number | null {
  if (one === '' || other === '') return null;
  if (one === other) return 0;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const contained = short.length >= 3 && long.includes(short) ? 2 : null;
  const most = Math.max(1, Math.floor(long.length / 3));
  if (long.length > MAX_COMPARED_LENGTH || long.length - short.length > most) return contained;
  const changes = edits([...short], [...long]);
  return changes <= most ? changes : contained;
}

/** The number of characters to delete, insert, replace or swap with the next. */
function edits(from: readonly string[], to: readonly string[]): number {
  const rows: number[][] = [to.map((_, at) => at + 1)];
  rows[0]?.unshift(0);
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current: number[] = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}

/**
 * Whether a name or path on a disk has the replacement character. If nothing is there, its name is not UTF-8, as on old systems, and the
 * app cannot open it.
 */
export function isMisread(name: string): boolean {
  return name.includes('\ufffd');
}
