/** Suggests a name for a restored wallet, from the name of the file or its folder. */
import { parse } from 'node:path';
import { withoutHiddenCharacters } from '../../../shared/model/names/visibleText.ts';
import { DEFAULT_NAME, findNameProblem } from '../../../shared/model/names/walletName.ts';
import { LEGACY_BACKUP } from '../database/relatedFiles.ts';

/**
 * `…/savings/wallet.dat` and `savings_1795180650.legacy.bak` give `savings`, `old.dat` gives `old`, and a general folder such as
 * `Downloads` or a reserved name gives `old-wallet`. Leaves out characters that a file system refuses, so that a free name passes
 * `findNameProblem` on every system. `home`: the user's home folder.
 */
export function suggestName(path: string, home: string): string {
  const { dir, base } = parse(path);
  const legacyBackup = LEGACY_BACKUP.exec(base);
  if (legacyBackup) return storable(legacyBackup[1] ?? '') ?? DEFAULT_NAME;
  if (base.toLowerCase() !== 'wallet.dat') return storable(withoutEnding(base)) ?? DEFAULT_NAME;
  const { dir: above, base: folder } = parse(dir);
  const isHome = dir === home || HOMES.test(parse(above).base);
  return (isHome || GENERIC.has(folder.toLowerCase()) ? null : storable(folder)) ?? DEFAULT_NAME;
}

/** Folders that hold people's home folders. */
const HOMES = /^(?:home|users)$/i;

const ENDINGS = /\.(?:dat|bak|backup|old|sqlite|sqlite3|db|copy|legacy|txt|json)$/i;

/** Folders whose names describe no wallet. */
const GENERIC: ReadonlySet<string> = new Set(
  `wallet main mainnet testnet3 testnet4 signet regtest .bitcoin bitcoin bitcoin-core appdata local roaming
    desktop documents downloads backup backups tmp temp home root users mnt media volumes usb data`.split(
    /\s+/,
  ),
);

/** Bytes of UTF-8, short enough for the suffixes of a migration. */
const MAX_LENGTH = 200;

function withoutEnding(base: string): string {
  const shorter = base.replace(ENDINGS, '');
  return shorter === base ? base : withoutEnding(shorter);
}

function storable(name: string): string | null {
  // People do not choose names with invisible or direction-changing characters.
  let kept = withoutHiddenCharacters(name.replace(/[\ufffd<>:"/\\|?*]/gu, '')).trim();
  while (Buffer.byteLength(kept) > MAX_LENGTH) kept = [...kept].slice(0, -1).join('');
  kept = withoutHiddenCharacters(kept.replace(/^\.+|[. ]+$/g, '').trimStart());
  return findNameProblem(kept, { taken: [], platform: 'win32' }) === null ? kept : null;
}
