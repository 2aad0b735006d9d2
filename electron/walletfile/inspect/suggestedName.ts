/** A name for the wallet that will be restored from a file, taken from the file's name or its folder's. */
import { parse } from 'node:path';
import { shownOnly } from '../../../shared/model/names/visibleText.ts';
import { LEGACY_BACKUP } from '../database/besideWallet.ts';

/**
 * `…/savings/wallet.dat` gives `savings`, `savings_1795180650.legacy.bak` too, `old.dat` gives `old`; where the
 * folder says nothing either (`Downloads`), `restored-wallet`. What no file system would hold is left out, so
 * the name passes `findNameProblem` on every system unless it is taken. `home` is the user's home folder.
 */
export function suggestedName(path: string, home: string): string {
  const { dir, base } = parse(path);
  const legacyBackup = LEGACY_BACKUP.exec(base);
  if (legacyBackup) return storable(legacyBackup[1] ?? '') ?? NAMELESS;
  if (base.toLowerCase() !== 'wallet.dat') return storable(withoutEnding(base)) ?? NAMELESS;
  const { dir: above, base: folder } = parse(dir);
  const isHome = dir === home || HOMES.test(parse(above).base);
  return (isHome || GENERIC.has(folder.toLowerCase()) ? null : storable(folder)) ?? NAMELESS;
}

const NAMELESS = 'restored-wallet';

/** Folders that hold people's home folders. */
const HOMES = /^(?:home|users)$/i;

const ENDINGS = /\.(?:dat|bak|backup|old|sqlite|sqlite3|db|copy|legacy|txt|json)$/i;

/** Folders whose names say where a file is, not what it is. */
const GENERIC: ReadonlySet<string> = new Set(
  `wallets wallet main mainnet testnet3 testnet4 signet regtest .bitcoin bitcoin bitcoin-core appdata local roaming
    desktop documents downloads backup backups tmp temp home root users mnt media volumes usb data`.split(
    /\s+/,
  ),
);

/** Names that Windows reserves for devices; see `findNameProblem`. */
const RESERVED = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\..*)?$/i;
/** Bytes of UTF-8: leaves room for what a migration puts behind the name. */
const LONGEST = 200;

function withoutEnding(base: string): string {
  const shorter = base.replace(ENDINGS, '');
  return shorter === base ? base : withoutEnding(shorter);
}

function storable(name: string): string | null {
  // Characters that draw nothing or turn text around are no part of a name that a person would choose.
  let kept = shownOnly(name.replace(/[\ufffd<>:"/\\|?*]/gu, '')).trim();
  while (Buffer.byteLength(kept) > LONGEST) kept = [...kept].slice(0, -1).join('');
  kept = shownOnly(kept.replace(/^\.+|[. ]+$/g, '').trimStart());
  return kept === '' || RESERVED.test(kept) ? null : kept;
}
