/** The first bytes of an SQLite file: of which network a wallet is, before SQLite is asked. */
import { AppError } from '../../shared/errors.ts';
import { type Network, networks } from '../../shared/model.ts';

export interface SqliteHeader {
  applicationId: number;
  network: Network | null;
  userVersion: number;
  /** Whether changes may lie in a second file, the write-ahead log. Bitcoin Core never does that. */
  writeAhead: boolean;
}

/** Layout: "The Database Header" of SQLite's file format. Throws `not_a_wallet` for what is no SQLite file. */
export function readSqliteHeader(bytes: Uint8Array): SqliteHeader {
  if (bytes.length < HEADER_SIZE || !MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw new AppError(
      'not_a_wallet',
      'The file is not a descriptor wallet: it does not start like an SQLite database.',
      'The file was not changed. Choose another file, or another copy of this backup.',
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  const applicationId = view.getUint32(68, false);
  return {
    applicationId,
    network: networks.find((network) => applicationIds[network] === applicationId) ?? null,
    userVersion: view.getUint32(60, false),
    writeAhead: view.getUint8(18) === 2 || view.getUint8(19) === 2,
  };
}

/** The number by which a descriptor wallet names its network: the network's magic bytes. */
export function applicationIdOf(network: Network): number {
  return applicationIds[network];
}

const HEADER_SIZE = 100;
const MAGIC = new TextEncoder().encode('SQLite format 3\0');

const applicationIds: Readonly<Record<Network, number>> = {
  main: 0xf9beb4d9,
  testnet3: 0x0b110907,
  testnet4: 0x1c163f28,
  /** The default signet. A custom one has magic bytes of its own. */
  signet: 0x0a03cf40,
  regtest: 0xfabfb5da,
};
