/** Pieces that are taken for one wallet, and which of them can be of the same. */
import type { Range } from '../salvage/berkeleyPages.ts';
import { isWalletPage } from './pageAt.ts';
import { FILE_LINK, type PieceFacts } from './pieceFacts.ts';
import type { FoundPage } from './searchPieces.ts';

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

/** Names the place where its file would start if that lay in one piece. */
export function fileOf({ offset, number, size, little }: FoundPage): string {
  return `${size} ${little} ${offset - number * size}`;
}

export function formOf({ size, little }: FoundPage): string {
  return `${size} ${little}`;
}

/** Pages and fragments that are taken for one wallet. */
export class Group {
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
    const last = [...wallet.pages.keys()].reduce((most, number) => Math.max(most, number), 0);
    return this.pages.get(0)?.lastPage === last ? count + 2 : count;
  }

  /** Whether it names anything that tells a wallet from all others. */
  get isWallet(): boolean {
    if (this.kind === 'sqlite' && this.pages.size > 0) return true;
    for (const link of this.links) if (!link.startsWith(FILE_LINK)) return true;
    return false;
  }

  /** Whether what is in it can be of nothing but a wallet. */
  get isOfWallet(): boolean {
    return this.fragments.length > 0 || [...this.pages.values()].some(isWalletPage);
  }

  /** Whether it has only what leads to a wallet's tree, which is much the same in all files. */
  get isHead(): boolean {
    return [...this.pages.values()].every(({ kind, number }) => kind === 'meta' || number === 1);
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

/** Joins those that have names in common, as long as there are any that can be of one file. */
export function joinedBy(groups: readonly Group[], namesOf: (group: Group) => ReadonlySet<string>): Group[] {
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
  const owners = new Map<string, Set<Group>>();
  for (const group of [...groups].sort((one, other) => other.size - one.size)) {
    const common = new Map<Group, number>();
    for (const name of namesOf(group))
      for (const owner of owners.get(name) ?? []) common.set(owner, (common.get(owner) ?? 0) + 1);
    const lies = (owner: Group) => Number([...group.files].some((file) => owner.files.has(file)));
    const fitting = [...common].filter(([owner]) => owner.goesWith(group));
    const [best] = fitting.sort(([a, one], [b, other]) => lies(b) - lies(a) || other - one);
    const owner = best?.[0] ?? group;
    if (owner === group) joined.push(group);
    else owner.absorb(group);
    for (const name of namesOf(group)) owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  }
  return joined;
}
