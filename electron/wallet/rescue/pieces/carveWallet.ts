/** Makes one image of a file out of the pieces of a wallet, for a rescue. */
import type { FoundWallet } from './pieceGroup.ts';
import type { PieceSource } from './searchPieces.ts';

/**
 * Each page at its number; what was not found is zeros. Whole, and every reader's, where no page is missing. Single records
 * stand behind the pages, where a rescue looks for them too. Throws only what reading throws.
 */
export async function carveWallet(source: PieceSource, wallet: FoundWallet): Promise<Buffer> {
  const fragments: Uint8Array[] = [];
  for (const { start, end } of wallet.fragments)
    fragments.push(await source.read(start, Math.min(end, source.length)));
  // Null where single records are all there is, and there are no pages.
  const size = wallet.pageSize ?? 0;
  const held = [...wallet.pages.keys()].reduce((most, number) => Math.max(most, number + 1), 0);
  const told = (wallet.lastPage ?? 0) + 1;
  const numbered = told > held + MOST_LOST ? held : Math.max(held, told);
  const file = new Uint8Array((numbered + wallet.unnumbered.length) * size);
  for (const [number, offset] of wallet.pages)
    file.set(await source.read(offset, Math.min(offset + size, source.length)), number * size);
  for (const [index, offset] of wallet.unnumbered.entries())
    file.set(await source.read(offset, offset + size), (numbered + index) * size);
  return Buffer.concat([file, ...fragments]);
}

/** A first page that tells of more lost pages behind the last one found is damaged: 1 GiB of the largest. */
const MOST_LOST = 16_384;
