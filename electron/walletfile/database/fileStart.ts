/** The first bytes of both kinds of wallet file: which kind a file is, and what SQLite's header says of it. */
import { type Network, networks } from '../../../shared/model/network.ts';
import { notWallet } from './problemLog.ts';

/** As many bytes as tell which of them it is. */
export const START_BYTES = 16;

/** SQLite's name at the start of its files ("The Database Header"). */
export function startsLikeSqlite(bytes: Uint8Array): boolean {
  return SQLITE.every((byte, place) => bytes[place] === byte);
}

/** The byte order of the machine that wrote Berkeley DB's B-tree magic (`BTMETA`), null where it is not there. */
export function berkeleyByteOrder(bytes: Uint8Array, offset = 0): 'little' | 'big' | null {
  const place = offset + 12;
  if (place + 4 > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + place, 4);
  if (view.getUint32(0, true) === BERKELEY_BTREE) return 'little';
  return view.getUint32(0, false) === BERKELEY_BTREE ? 'big' : null;
}

const SQLITE = new TextEncoder().encode('SQLite format 3\0');
/** The magic of a B-tree of Berkeley DB. */
export const BERKELEY_BTREE = 0x00053162;

/** Bytes of the header. */
export const SQLITE_HEADER_SIZE = 100;

/** Layout: "The Database Header" of SQLite's file format. Throws `not_a_wallet` for what is no SQLite file. */
export function readSqliteHeader(bytes: Uint8Array) {
  if (bytes.length < SQLITE_HEADER_SIZE || !startsLikeSqlite(bytes)) {
    throw notWallet({ code: 'not_descriptor_wallet' });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, SQLITE_HEADER_SIZE);
  const applicationId = view.getUint32(68, false);
  return {
    applicationId,
    network: networkOfApplicationId(applicationId),
    userVersion: view.getUint32(60, false),
    /** Whether changes may lie in a second file, the write-ahead log. Bitcoin Core never does that. */
    writeAhead: view.getUint8(18) === 2 || view.getUint8(19) === 2,
  };
}

/** Null for a number that is of no known network. */
export function networkOfApplicationId(applicationId: number): Network | null {
  return networks.find((network) => applicationIds[network] === applicationId) ?? null;
}

/** Bytes of each page. */
export function sqlitePageSize(bytes: Uint8Array): number {
  const written = (bytes[16] ?? 0) * 0x100 + (bytes[17] ?? 0);
  return written === 1 ? 0x10000 : written;
}

/** The numbers by which descriptor wallets name their network: the network's magic bytes. */
export const applicationIds: Readonly<Record<Network, number>> = {
  main: 0xf9beb4d9,
  testnet3: 0x0b110907,
  testnet4: 0x1c163f28,
  /** The default signet. A custom one has magic bytes of its own. */
  signet: 0x0a03cf40,
  regtest: 0xfabfb5da,
};
