/** The beginning of a file's name, made of a wallet's name. */

/**
 * What a file name cannot hold everywhere (slashes, control characters, what Windows forbids) becomes `-`; a long name
 * is cut. The unnamed wallet is `wallet`.
 */
export function fileStem(wallet: string): string {
  const safe = wallet.replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '-').replace(/^[. -]+|[. ]+$/g, '');
  return [...safe].slice(0, LONGEST).join('').trim() || 'wallet';
}

/** Characters: with four bytes each and an ending behind, still below the 255 bytes of a file name. */
const LONGEST = 50;
