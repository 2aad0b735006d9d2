/**
 * Puts together what a search found, wallet by wallet. Pages are of one wallet where they name the same keys, seeds,
 * descriptors or file and have no number in common; of several that fit, where they lie as in one file, each at its number.
 * Pages that name none of these go where their neighbours, their tree or their addresses are.
 */
import { outside, type Range } from '../berkeleyPages.ts';
import { holdsRecords, isWalletPage } from './pageAt.ts';
import { FILE_LINK, type PieceFacts, readFragment, readPage } from './pieceFacts.ts';
import type { FoundPage, PieceSearch, PieceSource } from './searchPieces.ts';

export interface FoundWallet {
  kind: 'berkeley-db' | 'sqlite';
  /** Bytes; null for one of single records only. */
  pageSize: number | null;
  /** Where each page lies: byte offsets by page numbers, counted from 0. */
  pages: ReadonlyMap<number, number>;
  /** Byte offsets of pages that do not tell their number. */
  unnumbered: readonly number[];
  /** The number of the file's last page as its first page says; null where that is lost. */
  lastPage: number | null;
  /** Bytes outside of pages with records of it. */
  fragments: readonly Range[];
  /** How many public keys have a record with a private key, plain or encrypted. None of them is proved yet. */
  keys: number;
  encrypted: boolean;
  /** How many different ones: which is the right one, the passphrase tells. */
  masterKeys: number;
}

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

/** Names the place where its file would start if that lay in one piece. */
function fileOf({ offset, number, size, little }: FoundPage): string {
  return `${size} ${little} ${offset - number * size}`;
}

function formOf({ size, little }: FoundPage): string {
  return `${size} ${little}`;
}

/** Pages and fragments that are taken for one wallet. */
class Group {
  /** Null where nothing tells it, as for single records. */
  readonly kind: FoundWallet['kind'] | null;
  /** Page size and byte order; null where no page tells them. */
  form: string | null;
  readonly pages = new Map<number, FoundPage & Pick<PieceFacts, 'lastPage' | 'pointsTo' | 'children'>>();
  readonly unnumbered: number[] = [];
  readonly fragments: Range[] = [];
  readonly links = new Set<string>();
  readonly addresses = new Set<string>();
  readonly fileIds = new Set<string>();
  /** Where a file would start in which its pages lie at their numbers. */
  readonly files = new Set<string>();
  readonly keys = new Set<string>();
  readonly masterKeys = new Set<string>();
  isEncrypted = false;

  constructor(kind: Group['kind'], page: FoundPage | null) {
    this.kind = kind;
    this.form = page && formOf(page);
  }

  take(page: FoundPage, facts: PieceFacts): void {
    const { lastPage, pointsTo, children } = facts;
    if (page.kind === 'sqlite-leaf' && page.number === 0) this.unnumbered.push(page.offset);
    else {
      this.pages.set(page.number, { ...page, lastPage, pointsTo, children });
      this.files.add(fileOf(page));
    }
    this.learn(facts);
  }

  learn(of: PieceFacts | Group): void {
    for (const name of ['links', 'addresses', 'fileIds', 'keys', 'masterKeys'] as const)
      for (const one of of[name]) this[name].add(one);
    this.isEncrypted ||= of.isEncrypted;
  }

  /** Whether both can be of one file. */
  goesWith(other: Group): boolean {
    const [few, many] = this.pages.size < other.pages.size ? [this, other] : [other, this];
    if (few.kind !== null && many.kind !== null && few.kind !== many.kind) return false;
    if (few.form !== null && many.form !== null && few.form !== many.form) return false;
    const [ownId] = this.fileIds;
    const [otherId] = other.fileIds;
    if (ownId !== undefined && otherId !== undefined && ownId !== otherId) return false;
    for (const number of few.pages.keys()) if (many.pages.has(number)) return false;
    return true;
  }

  absorb(other: Group): void {
    this.form ??= other.form;
    for (const [number, page] of other.pages) this.pages.set(number, page);
    this.unnumbered.push(...other.unnumbered);
    this.fragments.push(...other.fragments);
    for (const file of other.files) this.files.add(file);
    this.learn(other);
  }

  /** They were guessed from where the pages lie. */
  forgetNumbers(): void {
    for (const { offset } of this.pages.values()) this.unnumbered.push(offset);
    this.pages.clear();
    this.files.clear();
  }

  /** How much in the pages of one that names no keys points into another, or back. */
  pointsInto(wallet: Group): number {
    if (this.form !== wallet.form) return 0;
    let count = 0;
    for (const [number, page] of this.pages) {
      for (const next of page.pointsTo) if (wallet.pages.get(next)?.pointsTo.includes(number)) count += 2;
      for (const child of page.children) if (wallet.pages.has(child)) count += 1;
    }
    for (const [number, page] of wallet.pages)
      for (const child of page.children) if (this.pages.has(child) && child !== number) count += 1;
    for (const address of this.addresses) if (wallet.links.has(address)) count += 1;
    for (const file of this.files) if (wallet.files.has(file)) count += 2;
    const last = this.pages.get(0)?.lastPage ?? null;
    if (last !== null && wallet.lastNumber === last) count += 2;
    return count;
  }

  /** Whether it names anything that tells a wallet from all others. */
  get isWallet(): boolean {
    if (this.kind === 'sqlite' && this.pages.size > 0) return true;
    for (const link of this.links) if (!link.startsWith(FILE_LINK)) return true;
    return false;
  }

  /** Whether it has only what leads to a wallet's tree, which is much the same in all files. */
  get isHead(): boolean {
    return [...this.pages.values()].every(({ kind, number }) => kind === 'meta' || number === 1);
  }

  get lastNumber(): number {
    let last = 0;
    for (const number of this.pages.keys()) last = Math.max(last, number);
    return last;
  }

  get size(): number {
    return this.pages.size + this.unnumbered.length;
  }

  told(): FoundWallet {
    const size = this.form === null ? null : Number(this.form.split(' ')[0]);
    return {
      kind: this.kind ?? 'berkeley-db',
      pageSize: size,
      pages: new Map([...this.pages].map(([number, { offset }]) => [number, offset])),
      unnumbered: this.unnumbered,
      lastPage: this.pages.get(0)?.lastPage ?? null,
      fragments: this.fragments,
      keys: this.keys.size,
      encrypted: this.isEncrypted,
      masterKeys: this.masterKeys.size,
    };
  }
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
    const isOfWallet = group.fragments.length > 0 || [...group.pages.values()].some(isWalletPage);
    if (!isOfWallet || !only || fitting.length > 1) return true;
    only.absorb(group);
    return false;
  });
  const isOfWallet = (group: Group) => group.size === 0 || [...group.pages.values()].some(isWalletPage);
  return {
    wallets: wallets.map((wallet) => wallet.told()).sort((one, other) => other.keys - one.keys),
    unplaced: waiting.filter(isOfWallet).map((group) => group.told()),
  };
}

/** Joins those that have names in common, as long as there are any that can be of one file. */
function joinedBy(groups: readonly Group[], namesOf: (group: Group) => ReadonlySet<string>): Group[] {
  let joined = [...groups];
  for (let before = -1; before !== joined.length; ) {
    before = joined.length;
    joined = joinedOnce(joined, namesOf);
  }
  return joined;
}

/** Each goes to one that it lies in one piece with, else to the one with the most names in common. */
function joinedOnce(groups: readonly Group[], namesOf: (group: Group) => ReadonlySet<string>): Group[] {
  const joined: Group[] = [];
  const owners = new Map<string, Group[]>();
  for (const group of [...groups].sort((one, other) => other.size - one.size)) {
    const common = new Map<Group, number>();
    for (const name of namesOf(group))
      for (const owner of owners.get(name) ?? []) common.set(owner, (common.get(owner) ?? 0) + 1);
    const lies = (owner: Group) => Number([...group.files].some((file) => owner.files.has(file)));
    const fitting = [...common].filter(([owner]) => owner.goesWith(group));
    const [best] = fitting.sort(([a, one], [b, other]) => lies(b) - lies(a) || other - one);
    const owner = best?.[0] ?? group;
    const names = [...namesOf(group)];
    if (owner === group) joined.push(group);
    else owner.absorb(group);
    for (const name of names) {
      const others = owners.get(name);
      if (!others) owners.set(name, [owner]);
      else if (!others.includes(owner)) others.push(owner);
    }
  }
  return joined;
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
