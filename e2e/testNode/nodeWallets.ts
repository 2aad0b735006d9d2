/** The wallets folder of the test node, on a real disk, and which of its wallets are loaded. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type FixtureName, factsByHash, fixtureFile, sha256, type WalletFacts } from './walletFixture.ts';

export type FileKind = 'descriptor' | 'legacy' | 'truncated' | 'other';

export interface NodeWallets {
  readonly folder: string;
  /** Names in the order of loading. */
  loaded: string[];
  /** Names of every wallet in the folder, loaded or not. */
  names(): string[];
  file(name: string): string;
  exists(name: string): boolean;
  kind(name: string): FileKind;
  /** What is known of it; null for a file that no fixture tells of. */
  facts(name: string): WalletFacts | null;
  /** Takes a file of these bytes for the fixture. */
  know(bytes: Uint8Array, like: FixtureName): void;
  /** Copies a file in as a wallet of that name. */
  place(name: string, from: string): void;
  /**
   * Writes a migrated wallet of that name, known by `facts`. Null: the recorded release left a wallet where the app's
   * own migration makes none; it gets a SQLite file of its own.
   */
  placeMigrated(name: string, facts: WalletFacts, made: Uint8Array | null): void;
  remove(name: string): void;
}

export function createNodeWallets(folder: string): NodeWallets {
  mkdirSync(folder, { recursive: true });
  const known = factsByHash();
  const file = (name: string) => join(folder, name, 'wallet.dat');
  const wallets: NodeWallets = {
    folder,
    loaded: [],
    names: () => walletsBelow(folder, ''),
    file,
    exists: (name) => existsSync(file(name)),
    kind: (name) => fileKind(file(name)),
    facts: (name) => known.get(sha256(readFileSync(file(name)))) ?? null,
    know(bytes, like) {
      const facts = known.get(sha256(readFileSync(fixtureFile(like))));
      if (facts) known.set(sha256(bytes), facts);
    },
    place(name, from) {
      mkdirSync(dirname(file(name)), { recursive: true });
      copyFileSync(from, file(name));
    },
    placeMigrated(name, facts, made) {
      mkdirSync(dirname(file(name)), { recursive: true });
      const like = facts.passphrase === null ? 'descriptor-hd' : 'descriptor-encrypted';
      const bytes = made ?? ownSqliteFile(like, name);
      known.set(sha256(bytes), facts);
      writeFileSync(file(name), bytes);
    },
    remove(name) {
      rmSync(name === '' ? file(name) : dirname(file(name)), { recursive: true });
    },
  };
  return wallets;
}

/** What the first bytes and the length of a file say; SQLite's page count is at byte 28. */
function fileKind(path: string): FileKind {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3') {
    const whole = bytes.length >= 100 && bytes.length >= bytes.readUInt16BE(16) * bytes.readUInt32BE(28);
    return whole ? 'descriptor' : 'truncated';
  }
  const berkeley = bytes.length >= 16 && bytes.readUInt32LE(12) === 0x00053162;
  return berkeley ? 'legacy' : 'other';
}

/** Different for each name, so that a backup's hash tells whose it is: SQLite's change counter is any number. */
function ownSqliteFile(like: FixtureName, name: string): Buffer {
  const bytes = readFileSync(fixtureFile(like));
  const counter = Number.parseInt(sha256(Buffer.from(name)).slice(0, 8), 16);
  bytes.writeUInt32BE(counter, 24);
  bytes.writeUInt32BE(counter, 92);
  return bytes;
}

function walletsBelow(folder: string, name: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (entry === 'wallet.dat') found.push(name);
    else if (statSync(path).isDirectory()) {
      found.push(...walletsBelow(path, name === '' ? entry : `${name}/${entry}`));
    }
  }
  return found;
}
