/** Records of descriptor wallets. Ids of descriptors are in the order of their bytes in the file. */
import * as P from 'micro-packed';
import { bytesWithSize, seconds, text } from '../bytes/serialization.ts';

const id = P.bytes(32);

/** Which kind of address a descriptor is in use for, in the words of RPC's `address_type`. */
const addressTypes = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'] as const;
export type AddressType = (typeof addressTypes)[number];

const addressType: P.CoderType<AddressType> = P.wrap({
  encodeStream: (writer, value: AddressType) => writer.byte(addressTypes.indexOf(value)),
  decodeStream(reader) {
    const type = addressTypes[reader.byte()];
    if (!type) throw reader.err('unknown address type');
    return type;
  },
});

/** Which key of which descriptor: the parent of its keys, or (with a derivation index) one of them. */
interface CachedKey {
  descriptorId: Uint8Array;
  keyIndex: number;
  derivationIndex: number | null;
}

const keyOfDescriptor = P.struct({ descriptorId: id, keyIndex: P.U32LE });

const cachedKey: P.CoderType<CachedKey> = P.wrap({
  encodeStream(writer, value: CachedKey) {
    keyOfDescriptor.encodeStream(writer, value);
    if (value.derivationIndex !== null) P.U32LE.encodeStream(writer, value.derivationIndex);
  },
  decodeStream(reader) {
    const start = keyOfDescriptor.decodeStream(reader);
    return { ...start, derivationIndex: reader.isEnd() ? null : P.U32LE.decodeStream(reader) };
  },
});

const active = {
  key: P.struct({ addressType }),
  value: P.struct({ descriptorId: id }),
};

/** Depth to chain code and public key, 74 bytes, as in BIP 32 without version and checksum. */
const extendedKey = P.struct({ extendedPublicKey: bytesWithSize });

export const descriptorRecords = {
  walletdescriptor: {
    key: P.struct({ descriptorId: id }),
    value: P.struct({
      /** Public keys only, with its checksum. */
      descriptor: text,
      /** Unix seconds. */
      createTime: seconds,
      nextIndex: P.I32LE,
      rangeStart: P.I32LE,
      /** The index after the last. */
      rangeEnd: P.I32LE,
    }),
  },
  /** A private key of a descriptor in DER form, with the double SHA-256 of public key and DER. */
  walletdescriptorkey: {
    key: P.struct({ descriptorId: id, publicKey: bytesWithSize }),
    value: P.struct({ der: bytesWithSize, checksum: P.bytes(32) }),
  },
  walletdescriptorckey: {
    key: P.struct({ descriptorId: id, publicKey: bytesWithSize }),
    value: P.struct({ encrypted: bytesWithSize }),
  },
  walletdescriptorcache: {
    key: cachedKey,
    value: extendedKey,
  },
  walletdescriptorlhcache: {
    key: keyOfDescriptor,
    value: extendedKey,
  },
  activeexternalspk: active,
  activeinternalspk: active,
};
