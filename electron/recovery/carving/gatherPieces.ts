/**
 * Groups the pieces that a search found by wallet, and lays out a file for each. Pages belong to one wallet if they name the
 * same keys, seeds, descriptors or file and share no page number. Several states of one wallet name the same, so the pages of
 * a file that lies in one piece come together first. Pages that name nothing go to the wallet of their neighbours, their tree
 * or their addresses.
 */
import { groupedBy } from '../../walletfile/bytes/lists.ts';
import { type ByteRange, subtractRanges } from '../salvage/berkeleyPages.ts';
import { holdsRecords, isWalletPage } from './pageAt.ts';
import {
  type FoundWallet,
  fileKeyOf,
  formOf,
  joinGroups,
  type PieceFacts,
  PieceGroup,
  readFragment,
  readPage,
} from './pieceGroup.ts';
import type { FoundPage, PieceSearch, PieceSource } from './searchPieces.ts';

export interface GatheredPieces {
  /** Sorted by number of keys, most first. */
  wallets: FoundWallet[];
  /** Pieces that may belong to any of them, or to none. */
  unassigned: FoundWallet[];
}

/** Reads the pages and fragments one at a time. Throws only what `source.read` throws. */
export async function gatherPieces(
  source: PieceSource,
  { pages, fragments }: PieceSearch,
): Promise<GatheredPieces> {
  const read = async (page: FoundPage) =>
    readPage(await source.read(page.offset, page.offset + page.size), page);
  const groups: PieceGroup[] = [];
  const files = new Set<string>();
  const take = async (page: FoundPage) => {
    const group = new PieceGroup('berkeley-db', page);
    group.addPage(page, await read(page));
    groups.push(group);
    files.add(fileKeyOf(page));
  };
  const sqlite = pages.filter(({ kind }) => kind.startsWith('sqlite'));
  const berkeley = pages.filter(({ kind }) => !kind.startsWith('sqlite'));
  // Pages of other databases look the same: keep only forms that a wallet page has.
  const forms = new Map(berkeley.filter(isWalletPage).map((page) => [formOf(page), page]));
  for (const page of berkeley) if (forms.has(formOf(page))) await take(page);
  for (const page of berkeley) {
    if (page.size > 0) continue;
    // The last page of a long value does not show its size. Take that of the pages around it, or the only known one.
    const sized = [...forms.values()].map(({ size, little }) => ({ ...page, size, little }));
    const own = sized.find((one) => files.has(fileKeyOf(one))) ?? (sized.length === 1 ? sized[0] : null);
    if (own) await take(own);
  }
  groups.push(...(await sqliteGroups(source, sqlite, read)));
  // A fragment around a record may overlap pages of another wallet, or lie in the unused rest of a page.
  const loose = subtractRanges(fragments, rangesOf(pages.filter(holdsRecords)));
  const grouped = groups.flatMap((group) => [...group.pages.values()]);
  const outside = subtractRanges(loose, rangesOf(grouped));
  for (const range of [...outside, ...subtractRanges(loose, outside)]) {
    const facts = readFragment(await source.read(range.start, Math.min(range.end, source.length)));
    if ([facts.links, facts.masterKeys].every(({ length }) => length === 0)) continue;
    const group = new PieceGroup(null, null);
    group.fragments.push(range);
    group.addFacts(facts);
    groups.push(group);
  }
  return assignGroups(groups);
}

function rangesOf(pages: readonly { offset: number; size: number }[]): ByteRange[] {
  return sortedRanges(pages.map(({ offset, size }) => ({ start: offset, end: offset + size })));
}

function sortedRanges(ranges: readonly ByteRange[]): ByteRange[] {
  return [...ranges].sort((one, other) => one.start - other.start);
}

/** Bytes. A forged first page must not claim the rest of a disk. */
const MAX_SQLITE_SIZE = 0x10000000;

/** SQLite files are rarely fragmented: pages after a first page belong to its file, except leaves of another wallet. */
async function sqliteGroups(
  source: PieceSource,
  pages: readonly FoundPage[],
  read: (page: FoundPage) => Promise<PieceFacts>,
): Promise<PieceGroup[]> {
  const found = new Set(pages.map(({ offset }) => offset));
  const files: { start: FoundPage; group: PieceGroup; last: number; leaves: PieceGroup[] }[] = [];
  const groups: PieceGroup[] = [];
  for (const page of pages) {
    const facts = await read(page);
    const group = new PieceGroup('sqlite', page);
    const file = files.at(-1);
    const number = file ? (page.offset - file.start.offset) / file.start.size : 0;
    if (page.kind === 'sqlite-start') {
      group.addPage(page, facts);
      const end = Math.min(source.length, page.offset + MAX_SQLITE_SIZE);
      const most = Math.floor((end - page.offset) / page.size) - 1;
      files.push({ start: page, group, last: Math.min(facts.lastPage ?? 0, most), leaves: [] });
    } else if (file && Number.isInteger(number) && number <= file.last && page.size === file.start.size) {
      group.addPage({ ...page, number }, facts);
      file.leaves.push(group);
    } else {
      group.addPage(page, facts);
      groups.push(group);
    }
  }
  for (const { start, group, last, leaves } of files) {
    const [own, ...others] = joinGroups(
      leaves.filter(({ links }) => links.size > 0),
      ({ links }) => links,
    );
    if (own) group.absorb(own);
    for (const leaf of leaves) if (leaf.links.size === 0) group.absorb(leaf);
    for (const other of others) other.forgetNumbers();
    groups.push(group, ...others);
    for (let number = 1; number <= last; number += 1) {
      const offset = start.offset + number * start.size;
      const unknown = { lastPage: null, pointsTo: [], children: [] };
      if (!found.has(offset))
        group.pages.set(number, { ...start, ...unknown, kind: 'internal', number, offset });
    }
  }
  return groups;
}

function assignGroups(groups: readonly PieceGroup[]): GatheredPieces {
  const joined = joinGroups(joinInPlace(groups), ({ links }) => links);
  // Parts of one file may name no common key.
  const wallets = joinGroups(
    joined.filter((group) => group.identifiesOneWallet),
    ({ files }) => files,
  );
  let waiting = joined.filter((group) => !group.identifiesOneWallet);
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter((group) => !joinByPlace(group, wallets, false));
  }
  waiting = waiting.filter((group) => !joinByPlace(group, wallets, group.hasOnlyFirstPages));
  // With a single wallet, every certain wallet page belongs to it.
  waiting = waiting.filter((group) => {
    const fitting = wallets.filter((wallet) => wallet.canShareFileWith(group));
    const [only] = fitting;
    if (!group.hasWalletContent || !only || fitting.length > 1) return true;
    only.absorb(group);
    return false;
  });
  return {
    wallets: wallets.map((wallet) => wallet.toFoundWallet()).sort((one, other) => other.keys - one.keys),
    unassigned: waiting.filter((group) => group.hasWalletContent).map((group) => group.toFoundWallet()),
  };
}

/**
 * Joins the pages of each file that lies in one piece. Position alone proves nothing, as files may lie among each other: two
 * pages must name the same before those that name nothing join them.
 */
function joinInPlace(groups: readonly PieceGroup[]): PieceGroup[] {
  const joined = joinGroups(
    groups,
    ({ files, links }) => new Set([...files].flatMap((file) => [...links].map((link) => `${file} ${link}`))),
  );
  const sure = joined.filter((group) => group.identifiesOneWallet && group.pages.size > 1);
  const proved = groupedBy(
    sure.flatMap((group) => [...group.files].map((file) => ({ file, group }))),
    ({ file }) => file,
  );
  return joined.filter((group) => {
    const owners = [...group.files].flatMap((file) => (proved.get(file) ?? []).map((one) => one.group));
    return group.identifiesOneWallet || !joinByPlace(group, owners, true);
  });
}

/** Adds the group to the wallet that most of it points to. On a tie does nothing, unless `anyWillDo`. */
function joinByPlace(group: PieceGroup, wallets: readonly PieceGroup[], acceptsTie: boolean): boolean {
  const [best, second] = wallets
    .filter((wallet) => wallet.canShareFileWith(group))
    .map((wallet) => ({ wallet, count: group.countReferences(wallet) }))
    .sort((one, other) => other.count - one.count);
  if (!best || best.count === 0 || (best.count === second?.count && !acceptsTie)) return false;
  best.wallet.absorb(group);
  return true;
}

/** The layout of a file to write. Bytes outside its pieces are zeros. */
export interface CarvedFile {
  /** Bytes. */
  readonly size: number;
  /** Byte offsets: `at` in the new file, `start` and `end` in the source. */
  readonly pieces: readonly { readonly at: number; readonly start: number; readonly end: number }[];
}

/**
 * Lays out the file of a wallet for a rescue: each page at its number, missing ones as zeros. If no page is missing, every
 * reader can open the file. A page with an implausibly high number and single records go to the end, where a rescue finds
 * them by their content. Reads nothing.
 */
export function carveWallet(source: Pick<PieceSource, 'length'>, wallet: FoundWallet): CarvedFile {
  // The page size is null for a wallet of single records only.
  const size = wallet.pageSize ?? 0;
  const most = mostPages(wallet.pages.size + wallet.unnumbered.length);
  const [near, far] = [false, true].map((isFar) =>
    [...wallet.pages].filter(([number]) => number >= most === isFar),
  );
  const foundPages = (near ?? []).reduce((count, [number]) => Math.max(count, number + 1), 0);
  const namedPages = (wallet.lastPage ?? 0) + 1;
  const numbered = namedPages > most ? foundPages : Math.max(foundPages, namedPages);
  const behind = [...(far ?? []).map(([, offset]) => offset), ...wallet.unnumbered];
  const pages = [
    ...(near ?? []).map(([number, offset]) => ({ at: number * size, start: offset })),
    ...behind.map((offset, index) => ({ at: (numbered + index) * size, start: offset })),
  ].map(({ at, start }) => ({ at, start, end: Math.min(start + size, source.length) }));
  let end = (numbered + behind.length) * size;
  // A rescue also finds records in the unused rest of a page.
  const loose = subtractRanges(sortedRanges(wallet.fragments), sortedRanges(pages));
  const records = loose.map((range) => {
    const piece = { at: end, start: range.start, end: Math.min(range.end, source.length) };
    end += piece.end - piece.start;
    return piece;
  });
  return { size: end, pieces: [...pages, ...records] };
}

/** Allows eight lost pages for each found one, and a few more. Whoever made the image may have forged page numbers. */
function mostPages(found: number): number {
  return 64 + 9 * found;
}
