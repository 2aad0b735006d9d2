/** The pages of a Berkeley DB file during the replay of its log. The file can grow and shrink. */
import { type BerkeleyMeta, cutIntoPages } from '../../walletfile/database/berkeleyPage.ts';
import { PAGE_TYPES, type PageForm } from '../salvage/berkeleyPages.ts';
import { LoggedPage } from './loggedPage.ts';
import { berkeleyHash, NOT_LOGGED } from './logRecords.ts';

export class LoggedFile {
  readonly form: PageForm;
  private bytes: Uint8Array;
  /** Whole pages. */
  count: number;

  /** Copies the bytes, without a last page that is cut off. */
  constructor(bytes: Uint8Array, meta: BerkeleyMeta) {
    const { little, pageSize, headerSize, count } = cutIntoPages(bytes, meta);
    this.form = { little, pageSize, headerSize };
    this.count = count;
    this.bytes = Uint8Array.from(bytes.subarray(0, count * pageSize));
  }

  /** Null for a page behind the end. */
  page(number: number): LoggedPage | null {
    const { pageSize } = this.form;
    if (number >= this.count) return null;
    return new LoggedPage(this.bytes.subarray(number * pageSize, (number + 1) * pageSize), this.form);
  }

  /** The page. Extends the file with zeros if it ends before the page. */
  pageToWrite(number: number): LoggedPage {
    const { pageSize } = this.form;
    if (number >= this.count) {
      const needed = (number + 1) * pageSize;
      if (needed > this.bytes.length) {
        const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
        larger.set(this.bytes);
        this.bytes = larger;
      }
      this.count = number + 1;
    }
    return new LoggedPage(this.bytes.subarray(number * pageSize, (number + 1) * pageSize), this.form);
  }

  /** Truncates the file before a page. */
  cutBefore(number: number): void {
    if (number < 1 || number >= this.count) return;
    this.bytes.fill(0, number * this.form.pageSize, this.count * this.form.pageSize);
    this.count = number;
  }

  /** The file as a node leaves it at a clean end: without LSNs (`DB_ENV->lsn_reset`). */
  closed(): Uint8Array {
    for (let number = 0; number < this.count; number += 1) {
      const page = this.pageToWrite(number);
      page.lsn = NOT_LOGGED;
      if (this.form.headerSize === WITH_CHECKSUM) writeChecksum(page);
    }
    return this.bytes.subarray(0, this.count * this.form.pageSize);
  }
}

const WITH_CHECKSUM = 32;
/** `DBMETASIZE`, and the offsets of the checksum in `BTMETA` and `PG_CHKSUM`. */
const META = { size: 512, checksum: 492 };
const PAGE_CHECKSUM = 28;

/** Source: `__db_pgout` and `__db_chksum` of Berkeley DB. */
function writeChecksum(page: LoggedPage): void {
  const isMeta = page.type === PAGE_TYPES.meta;
  const at = isMeta ? META.checksum : PAGE_CHECKSUM;
  page.setUint32(at, 0);
  page.setUint32(at, berkeleyHash(isMeta ? page.bytes.subarray(0, META.size) : page.bytes));
}
