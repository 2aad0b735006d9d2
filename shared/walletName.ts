/** Whether a name can be given to a new wallet, told while it is being typed and once more before it is sent. */
import { say } from './text/say.ts';
import { visibleText } from './text/visibleText.ts';

export interface NameRules {
  /** Names of the node's wallets, loaded or not. */
  taken: readonly string[];
  /** The system the node runs on; `other` when it is not known. */
  platform: 'linux' | 'darwin' | 'win32' | 'other';
}

/**
 * Why a new wallet cannot have this name, in one plain sentence for beside the field; null where it can. The node makes a
 * folder of that name in its wallets folder, so it must be one that the file system can hold and that does not lead out of
 * there. Slashes inside are allowed: the node makes nested folders (recorded on releases 23 to 31).
 */
export function checkWalletName(name: string, { taken, platform }: NameRules): string | null {
  if (name.trim() === '') return say('Give the wallet a name.');
  if (CONTROL.test(name)) return say('A name cannot hold control characters.');
  if (LONE_SURROGATE.test(name)) return say('No file name can hold this.');
  if (visibleText(name, { spaces: true }) !== name)
    return say('A name cannot hold characters that do not show.');
  if (name.includes('\\')) return say('A name cannot hold a backslash.');
  if (DRIVE.test(name) || (platform === 'win32' && DRIVE_RELATIVE.test(name))) {
    return say('A name cannot begin with a drive letter.');
  }
  for (const part of name.split('/')) {
    const refusal = refusedPart(part, platform);
    if (refusal) return refusal;
  }
  const wanted = folded(name, platform);
  return taken.some((other) => folded(other, platform) === wanted)
    ? say('This name is already taken.')
    : null;
}

/** What ext4, APFS and NTFS allow for one part of a path, the first two in bytes of UTF-8. */
const LONGEST_PART = 255;
const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;
const DRIVE = /^[A-Za-z]:(\/|$)/;
const DRIVE_RELATIVE = /^[A-Za-z]:/;
const OF_WINDOWS: readonly (readonly [refuses: RegExp, message: string])[] = [
  [/[<>:"|?*]/, say('No < > : " | ? * on Windows.')],
  [/[. ]$/, say('No dot or space at the end on Windows.')],
  // Names of devices, with or without an extension.
  [/^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\..*)?$/i, say('Windows reserves this name.')],
];

function refusedPart(part: string, platform: NameRules['platform']): string | null {
  if (part === '..') return say('A name cannot lead out of the wallets folder.');
  if (part === '' || part === '.') return say('Slashes must stand between names.');
  if (isOwnName(part)) return say('A name cannot begin with “.wallet-ferry-”.');
  if (isTooLong(part)) return say('Longer than 255 bytes.');
  const refusal = platform === 'win32' ? OF_WINDOWS.find(([refuses]) => refuses.test(part)) : undefined;
  return refusal?.[1] ?? null;
}

/** Whether a file system cannot hold a part of a path for its length. */
export function isTooLong(part: string): boolean {
  return new TextEncoder().encode(part).length > LONGEST_PART;
}

/** Whether part of a path looks like what the app and its engine name their own files, half-made ones among them. */
export function isOwnName(part: string): boolean {
  return part.toLowerCase().startsWith('.wallet-ferry-');
}

/** Names that one folder cannot hold side by side are equal after this. */
function folded(name: string, platform: NameRules['platform']): string {
  if (platform === 'win32') return name.replaceAll('\\', '/').toLowerCase();
  return platform === 'darwin' ? name.normalize('NFC').toLowerCase() : name;
}

/** A wallet's name as sentences call it. */
export function nameInSentence(wallet: string): string {
  return wallet === '' ? say('the unnamed wallet') : `“${wallet}”`;
}
