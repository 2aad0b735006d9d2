/** One entry of a wallet file's database, before anything is known of it. Both kinds of file hold the same. */
export interface RawRecord {
  key: Uint8Array;
  value: Uint8Array;
}

/** Something about a wallet file that a person should know, told beside what could be read. */
export interface FileProblem {
  /** The page it is about, counted from 0, where it is about one. */
  page: number | null;
  /** One plain sentence. Never holds bytes of the file: they may be secret. */
  text: string;
  /** Whether entries may be missing from what was read. */
  lost: boolean;
}
