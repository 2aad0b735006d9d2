/** One entry of a wallet file's database, before anything is known of it. Both kinds of file hold the same. */
export interface RawRecord {
  key: Uint8Array;
  value: Uint8Array;
}
