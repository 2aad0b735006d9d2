/** A text that tells keys, or a damaged descriptor wallet, as the file that the app goes on with. */
import { basename, extname, join } from 'node:path';
import type { Network } from '../../shared/network.ts';
import type { RescueFacts } from '../../shared/safety.ts';
import { hasOpenJournal } from '../disk/openJournal.ts';
import { readWholeFile } from '../disk/readWholeFile.ts';
import { writeNewFile } from '../disk/writeNewFile.ts';
import { mendDescriptors } from '../wallet/rescue/mend/mendDescriptors.ts';
import { readText } from '../wallet/rescue/texts/readText.ts';
import { walletOfText } from '../wallet/rescue/texts/walletOfText.ts';

export interface TextRequest {
  readonly path: string;
  /** For the wallet that is made of descriptors. */
  readonly folder: string;
  /** Where the text does not tell it. */
  readonly network?: Network | undefined;
  /** Of a damaged wallet: proves its encrypted keys. */
  readonly passphrase?: string | undefined;
}

export interface OpenedText {
  /** The wallet; null for a text that tells no descriptors. */
  readonly made: string | null;
  /** Whether there are keys in it, in whichever form. */
  readonly hasKeys: boolean;
  /** As its keys tell it, the test network that was asked for; null where they are of none, or of any. */
  readonly network: Network | null;
  /** Whether a descriptor stood without its checksum. */
  readonly unchecked: boolean;
  /** What could be saved of a damaged descriptor wallet; null for a text. */
  readonly facts: RescueFacts | null;
}

/** Throws AppError as `walletOfText`, `mendDescriptors`, `readWholeFile` and `writeNewFile` do. */
export async function openText({ path, folder, network, passphrase }: TextRequest): Promise<OpenedText> {
  const bytes = await readWholeFile(path, 'anything');
  const made = join(folder, `${basename(path, extname(path))}.dat`);
  const wallet = await walletOfText(bytes, network);
  if (wallet !== null) {
    writeNewFile(made, wallet.bytes);
    return { made, hasKeys: true, network: network ?? null, unchecked: wallet.unchecked, facts: null };
  }
  const mended = await mendDescriptors(bytes, { network, passphrase });
  if (mended !== null) {
    writeNewFile(made, mended.bytes);
    // A journal beside it tells that its last changes were not finished.
    const facts = { ...mended.facts, unclean: hasOpenJournal(path) };
    return { made, hasKeys: true, network: mended.network, unchecked: false, facts };
  }
  const isOf = (one: Network) => readText(bytes, { network: one }) !== null;
  const [main, test] = [isOf('main'), isOf('testnet3')];
  const asked = network === 'main' || network === undefined ? null : network;
  return {
    made: null,
    hasKeys: main || test,
    network: main === test ? null : main ? 'main' : asked,
    unchecked: false,
    facts: null,
  };
}
