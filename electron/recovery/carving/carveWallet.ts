/** Makes one image of a file out of the pieces of a wallet, for a rescue. */
import type { FoundWallet } from './pieceGroup.ts';
import type { PieceSource } from './searchPieces.ts';

/** A file as it is written: all that is in none of its pieces is zeros. */
export interface CarvedFile {
  /** Bytes. */
  readonly size: number;
  /** Where each piece goes and where it lies in the source, in bytes. They are read one at a time. */
  readonly pieces: readonly { readonly at: number; readonly start: number; readonly end: number }[];
}

/**
 * Each page at its number; what was not found is zeros. Whole, and every reader's, where no page is missing. A page whose
 * number is far beyond what was found stands behind the others, where a rescue finds it by its content, and so do single
 * records. Reads nothing.
 */
export function carveWallet(source: Pick<PieceSource, 'length'>, wallet: FoundWallet): CarvedFile {
  // Null where single records are all there is, and there are no pages.
  const size = wallet.pageSize ?? 0;
  const most = mostPages(wallet.pages.size + wallet.unnumbered.length);
  const [near, far] = [false, true].map((isFar) =>
    [...wallet.pages].filter(([number]) => number >= most === isFar),
  );
  const held = (near ?? []).reduce((count, [number]) => Math.max(count, number + 1), 0);
  const told = (wallet.lastPage ?? 0) + 1;
  const numbered = told > most ? held : Math.max(held, told);
  const behind = [...(far ?? []).map(([, offset]) => offset), ...wallet.unnumbered];
  const pages = [
    ...(near ?? []).map(([number, offset]) => ({ at: number * size, start: offset })),
    ...behind.map((offset, index) => ({ at: (numbered + index) * size, start: offset })),
  ].map(({ at, start }) => ({ at, start, end: Math.min(start + size, source.length) }));
  let end = (numbered + behind.length) * size;
  const records = wallet.fragments.map((range) => {
    const piece = { at: end, start: range.start, end: Math.min(range.end, source.length) };
    end += piece.end - piece.start;
    return piece;
  });
  return { size: end, pieces: [...pages, ...records] };
}

/** Eight lost pages for each one that was found, and a few more: numbers on pages are words of whoever made the image. */
function mostPages(found: number): number {
  return 64 + 9 * found;
}
