/**
 * Puts together what a search found, wallet by wallet. Pages are of one wallet where they name the same keys, seeds,
 * descriptors or file and have no number in common; of several that fit, where they lie as in one file, each at its number.
 * Pages that name none of these go where their neighbours, their tree or their addresses are.
 */
import { outside } from '../salvage/berkeleyPages.ts';
import { holdsRecords, isWalletPage } from './pageAt.ts';
import { type PieceFacts, readFragment, readPage } from './pieceFacts.ts';
import { type FoundWallet, fileOf, formOf, Group, joinedBy } from './pieceGroup.ts';
import type { FoundPage, PieceSearch, PieceSource } from './searchPieces.ts';

export interface GatheredPieces {
  /** Those with the most keys first. */
  wallets: FoundWallet[];
  /** What could be of any of them, or of none. */
  unplaced: FoundWallet[];
}

/** Reads the pages and fragments that were found, one at a time. Throws only what reading throws. */
export async function gatherPieces(
  source: PieceSource,
  { pages, fragments }: PieceSearch,
): Promise<GatheredPieces> {
  const read = async (page: FoundPage) =>
    readPage(await source.read(page.offset, page.offset + page.size), page);
  const groups: Group[] = [];
  const files = new Set<string>();
  const take = async (page: FoundPage) => {
    const group = new Group('berkeley-db', page);
    group.take(page, await read(page));
    groups.push(group);
    files.add(fileOf(page));
  };
  const sqlite = pages.filter(({ kind }) => kind.startsWith('sqlite'));
  const berkeley = pages.filter(({ kind }) => !kind.startsWith('sqlite'));
  // Other databases have pages of these kinds too.
  const forms = new Map(berkeley.filter(isWalletPage).map((page) => [formOf(page), page]));
  for (const page of berkeley) if (forms.has(formOf(page))) await take(page);
  for (const page of berkeley) {
    if (page.size > 0) continue;
    // The size of the pages that it lies among, or of all that there are.
    const sized = [...forms.values()].map(({ size, little }) => ({ ...page, size, little }));
    const own = sized.find((one) => files.has(fileOf(one))) ?? (sized.length === 1 ? sized[0] : null);
    if (own) await take(own);
  }
  groups.push(...(await sqliteGroups(source, sqlite, read)));
  // Around a record, there may be pages of another wallet.
  const taken = pages.filter(holdsRecords).map(({ offset, size }) => ({ start: offset, end: offset + size }));
  for (const range of outside(fragments, taken)) {
    const group = new Group(null, null);
    group.fragments.push(range);
    group.learn(readFragment(await source.read(range.start, Math.min(range.end, source.length))));
    groups.push(group);
  }
  return placed(groups);
}

/** Bytes. A first page that is made up must not claim the rest of a disk, page by page. */
const LARGEST_SQLITE = 0x10000000;

/**
 * SQLite's files lie in one piece, as a rule: what stands behind a first page is of its file, but for the leaves that are
 * of another wallet.
 */
async function sqliteGroups(
  source: PieceSource,
  pages: readonly FoundPage[],
  read: (page: FoundPage) => Promise<PieceFacts>,
): Promise<Group[]> {
  const found = new Set(pages.map(({ offset }) => offset));
  const files: { start: FoundPage; group: Group; last: number; leaves: Group[] }[] = [];
  const groups: Group[] = [];
  for (const page of pages) {
    const facts = await read(page);
    const group = new Group('sqlite', page);
    const file = files.at(-1);
    const number = file ? (page.offset - file.start.offset) / file.start.size : 0;
    if (page.kind === 'sqlite-start') {
      group.take(page, facts);
      const end = Math.min(source.length, page.offset + LARGEST_SQLITE);
      const most = Math.floor((end - page.offset) / page.size) - 1;
      files.push({ start: page, group, last: Math.min(facts.lastPage ?? 0, most), leaves: [] });
    } else if (file && Number.isInteger(number) && number <= file.last && page.size === file.start.size) {
      group.take({ ...page, number }, facts);
      file.leaves.push(group);
    } else {
      group.take(page, facts);
      groups.push(group);
    }
  }
  for (const { start, group, last, leaves } of files) {
    const [own, ...others] = joinedBy(
      leaves.filter(({ links }) => links.size > 0),
      ({ links }) => links,
    );
    if (own) group.absorb(own);
    for (const leaf of leaves) if (leaf.links.size === 0) group.absorb(leaf);
    for (const other of others) other.forgetNumbers();
    groups.push(group, ...others);
    for (let number = 1; number <= last; number += 1) {
      const offset = start.offset + number * start.size;
      const untold = { lastPage: null, pointsTo: [], children: [] };
      if (!found.has(offset))
        group.pages.set(number, { ...start, ...untold, kind: 'internal', number, offset });
    }
  }
  return groups;
}

function placed(groups: readonly Group[]): GatheredPieces {
  const joined = joinedBy(groups, ({ links }) => links);
  // The parts of one file need not name anything in common.
  const wallets = joinedBy(
    joined.filter((group) => group.isWallet),
    ({ files }) => files,
  );
  let waiting = joined.filter((group) => !group.isWallet);
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter((group) => !joinedByPlace(group, wallets, false));
  }
  waiting = waiting.filter((group) => !joinedByPlace(group, wallets, group.isHead));
  // Where there is but one wallet, what can be of a wallet only is of it.
  waiting = waiting.filter((group) => {
    const fitting = wallets.filter((wallet) => wallet.goesWith(group));
    const [only] = fitting;
    if (!group.isOfWallet || !only || fitting.length > 1) return true;
    only.absorb(group);
    return false;
  });
  return {
    wallets: wallets.map((wallet) => wallet.told()).sort((one, other) => other.keys - one.keys),
    unplaced: waiting.filter((group) => group.isOfWallet).map((group) => group.told()),
  };
}

/** Only where one wallet alone has the most that points to it, or any of those that have will do. */
function joinedByPlace(group: Group, wallets: readonly Group[], anyWillDo: boolean): boolean {
  const [best, second] = wallets
    .filter((wallet) => wallet.goesWith(group))
    .map((wallet) => ({ wallet, count: group.pointsInto(wallet) }))
    .sort((one, other) => other.count - one.count);
  if (!best || best.count === 0 || (best.count === second?.count && !anyWillDo)) return false;
  best.wallet.absorb(group);
  return true;
}

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
