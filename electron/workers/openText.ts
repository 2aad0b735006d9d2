/** A text that tells keys as the file that the app goes on with. */
import { basename, extname, join } from 'node:path';
import type { Network } from '../../shared/model/network.ts';
import { readWholeFile } from '../files/readWholeFile.ts';
import { writeNewFile } from '../files/writeNewFile.ts';
import { readText } from '../recovery/keyImport/readText.ts';
import { walletOfText } from '../recovery/keyImport/walletOfText.ts';

interface TextRequest {
  readonly path: string;
  /** For the wallet that is made of descriptors. */
  readonly folder: string;
  /** Where the text does not tell it. */
  readonly network?: Network | undefined;
}

/**
 * Gives as `made` the wallet, null for a text that tells no descriptors; whether there are keys in it, in whichever form;
 * as its keys tell it, the test network that was asked for, null where they are of none, or of any; and whether a
 * descriptor stood without its checksum (`unchecked`). Throws AppError as `walletOfText`, `readWholeFile` and
 * `writeNewFile` do.
 */
export async function openText({ path, folder, network }: TextRequest) {
  const bytes = await readWholeFile(path, 'anything');
  const made = join(folder, `${basename(path, extname(path))}.dat`);
  const wallet = await walletOfText(bytes, network);
  if (wallet !== null) {
    writeNewFile(made, wallet.bytes);
    return { made, hasKeys: true, network: network ?? null, unchecked: wallet.unchecked };
  }
  const isOf = (one: Network) => readText(bytes, { network: one }) !== null;
  const [main, test] = [isOf('main'), isOf('testnet3')];
  const asked = network === 'main' || network === undefined ? null : network;
  const known: Network | null = main === test ? null : main ? 'main' : asked;
  return { made: null, hasKeys: main || test, network: known, unchecked: false };
}
