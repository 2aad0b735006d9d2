/** Puts together the descriptors of a new wallet from the rows of its file. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { HeldKey } from '../legacy/ownKeys.ts';
import { parseRecord, recordOf } from '../record/records.ts';

export interface WrittenDescriptor {
  id: Uint8Array;
  text: string;
  rangeEnd: number;
  /** Its private keys. */
  keys: { publicKey: Uint8Array; held: HeldKey }[];
  /** The public keys of hardened children, by their index. */
  children: Map<number, Uint8Array>;
  active: boolean;
}

interface DescriptorRows {
  /** Takes a row of any type, descriptors before what belongs to them. */
  take(row: RawRecord): void;
  /** In the order of their rows. */
  found(): WrittenDescriptor[];
}

export function descriptorRows(): DescriptorRows {
  const byId = new Map<string, WrittenDescriptor>();
  const find = (id: Uint8Array) => {
    const descriptor = byId.get(byteText(id));
    if (!descriptor) throw unreadable();
    return descriptor;
  };
  return {
    take(row) {
      const type = typeOf(row.key);
      switch (type) {
        case 'walletdescriptor': {
          const {
            descriptorId: id,
            descriptor: text,
            rangeEnd,
          } = readable(recordOf('walletdescriptor', row));
          byId.set(byteText(id), { id, text, rangeEnd, keys: [], children: new Map(), active: false });
          break;
        }
        case 'walletdescriptorkey': {
          const { descriptorId, publicKey, der, checksum } = readable(recordOf('walletdescriptorkey', row));
          find(descriptorId).keys.push({ publicKey, held: { kind: 'plain', der, checksum } });
          break;
        }
        case 'walletdescriptorckey': {
          const { descriptorId, publicKey, encrypted } = readable(recordOf('walletdescriptorckey', row));
          find(descriptorId).keys.push({ publicKey, held: { kind: 'encrypted', encrypted } });
          break;
        }
        case 'walletdescriptorcache': {
          const { descriptorId, derivationIndex, extendedPublicKey } = readable(
            recordOf('walletdescriptorcache', row),
          );
          const { children } = find(descriptorId);
          // The last 33 of the 74 bytes.
          if (derivationIndex !== null) children.set(derivationIndex, extendedPublicKey.subarray(-33));
          break;
        }
        case 'activeexternalspk':
        case 'activeinternalspk': {
          const record = parseRecord(row.key, row.value);
          if (record.type !== 'activeexternalspk' && record.type !== 'activeinternalspk') throw unreadable();
          find(record.descriptorId).active = true;
          break;
        }
      }
    },
    found: () => [...byId.values()],
  };
}

/** The names of all types that are taken are at least as long. */
const SHORTEST_NAME = 'walletdescriptor'.length;

function typeOf(key: Uint8Array): string {
  const length = key[0] ?? 0;
  return length < SHORTEST_NAME ? '' : byteText(key.subarray(1, 1 + length));
}

function readable<T>(record: T | null): T {
  if (record === null) throw unreadable();
  return record;
}

function unreadable(): AppError {
  return new AppError(
    'internal',
    say('A record of the new wallet could not be read back.'),
    say(
      'The legacy wallet was not changed and nothing was put in its place. Make a report of it in Activity, and ask for help with it.',
    ),
  );
}
