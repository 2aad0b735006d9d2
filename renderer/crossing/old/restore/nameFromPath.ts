/** A wallet's name out of the path of a file that cannot be looked at: the one on the node's machine. */

/** `/b/savings_1795180650.legacy.bak` → `savings`; `/b/savings/wallet.dat` → `savings`; `/b/old.dat` → `old`. */
export function nameFromPath(path: string): string {
  const parts = path.split(/[\\/]/);
  const file = parts.pop() ?? '';
  if (file.toLowerCase() === 'wallet.dat') return parts.pop() ?? '';
  return file.replace(LEGACY_BACKUP, '').replace(ENDING, '');
}

/** What a migration puts behind the name: `-` or `_` and the time, by release. */
const LEGACY_BACKUP = /[-_]\d{9,12}\.legacy\.bak$/i;
const ENDING = /\.(?:dat|bak|backup)$/i;
