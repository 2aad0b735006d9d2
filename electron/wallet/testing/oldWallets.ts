/** Wallet files that others made, from 0.8 to 0.21 and of other coins, where they lie beside the project: none is copied. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../shared/fixtures/old/', import.meta.url));

interface OldWallet {
  readonly name: string;
  readonly path: string;
  /** Whether it is Bitcoin's, by the name that it has there. */
  readonly isBitcoin: boolean;
}

/** None where they do not lie there. */
export const oldWallets: readonly OldWallet[] = (existsSync(folder) ? readdirSync(folder) : [])
  .map((name) => ({ name, path: `${folder}${name}/wallet.dat`, isBitcoin: name.startsWith('bitcoin-') }))
  .filter(({ path }) => existsSync(path));

/** For the title of tests that are skipped without them. */
export const OLD_WALLETS =
  oldWallets.length > 0 ? 'wallets that others made' : 'no ../shared/fixtures/old here';

export function oldWallet(name: string): Uint8Array {
  return Uint8Array.from(readFileSync(`${folder}${name}/wallet.dat`));
}
