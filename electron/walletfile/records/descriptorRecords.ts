/** Records of descriptor wallets. Ids of descriptors are in the order of their bytes in the file. */
import {
  atEnd,
  bytes,
  bytesWithSize,
  type Coder,
  int32,
  seconds,
  text,
  uint32,
} from '../bytes/serialization.ts';

const id = { descriptorId: bytes(32) };
const keyOfId = { ...id, publicKey: bytesWithSize };

/** Which kind of address a descriptor is in use for, in the words of RPC's `address_type`. */
const addressTypes = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'] as const;
export type AddressType = (typeof addressTypes)[number];

const addressType: Coder<AddressType> = {
  read(from) {
    const type = addressTypes[from.byte()];
    if (!type) throw new RangeError('unknown address type');
    return type;
  },
  write: (to, value) => to.uint(addressTypes.indexOf(value), 1),
};

const active = { key: { addressType }, value: id };

/** Depth to chain code and public key, 74 bytes, as in BIP 32 without version and checksum. */
const extendedKey = { extendedPublicKey: bytesWithSize };

export const descriptorRecords = {
  walletdescriptor: {
    key: id,
    value: {
      /** Public keys only, with its checksum. */
      descriptor: text,
      /** Unix seconds. */
      createTime: seconds,
      nextIndex: int32,
      rangeStart: int32,
      /** The index after the last. */
      rangeEnd: int32,
    },
  },
  /** A private key of a descriptor in DER form, with the double SHA-256 of public key and DER. */
  walletdescriptorkey: { key: keyOfId, value: { der: bytesWithSize, checksum: bytes(32) } },
  walletdescriptorckey: { key: keyOfId, value: { encrypted: bytesWithSize } },
  /** Of a key of a descriptor: the parent of its keys or, with a derivation index, one of them. */
  walletdescriptorcache: {
    key: { ...id, keyIndex: uint32, derivationIndex: atEnd(uint32, 4) },
    value: extendedKey,
  },
  walletdescriptorlhcache: { key: { ...id, keyIndex: uint32 }, value: extendedKey },
  activeexternalspk: active,
  activeinternalspk: active,
};
