/** Tries what a passphrase may be on a wallet's own file: a share of all variants in each thread. */
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';
import { identifyWallet } from '../wallet/inspect/identifyWallet.ts';
import { unlock } from '../wallet/key/crypter.ts';
import {
  bytesOfVariant,
  type PassphraseVariant,
  passphraseVariants,
} from '../wallet/key/passphraseVariants.ts';

export interface PassphraseSearch {
  /** As `passphraseVariants` takes it. A secret. */
  readonly remembered: string;
  /** Numbers of the first variant to try, counted from 0, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Every how many of them this thread takes, and which of these. */
  readonly share: { readonly of: number; readonly at: number };
}

export interface PassphraseFound {
  /** How many variants there are. */
  readonly total: number;
  /** How many this thread tried, and in how many milliseconds. */
  readonly tried: number;
  readonly milliseconds: number;
  readonly found: PassphraseVariant | null;
}

/** Throws AppError `bad_input` for a wallet without encryption, and as `unlock` does. */
export async function searchPassphrase(
  file: Uint8Array,
  { remembered, from, to, share }: PassphraseSearch,
): Promise<PassphraseFound> {
  const { encryption } = await identifyWallet(file, undefined);
  if (encryption === null)
    throw new AppError('bad_input', say('The wallet needs no passphrase.'), say('Nothing was changed.'));
  const variants = passphraseVariants(remembered);
  const began = performance.now();
  let tried = 0;
  let found: PassphraseVariant | null = null;
  for (let at = from + share.at; at < Math.min(to, variants.length) && found === null; at += share.of) {
    const variant = variants[at];
    const bytes = variant ? bytesOfVariant(variant) : null;
    if (!variant || !bytes) continue;
    const unlocked = await unlock(encryption.masterKeys, encryption.sample, bytes);
    bytes.fill(0);
    tried += 1;
    if (!('masterKey' in unlocked)) continue;
    unlocked.masterKey.fill(0);
    found = variant;
  }
  return { total: variants.length, tried, milliseconds: performance.now() - began, found };
}
