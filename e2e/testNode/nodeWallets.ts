/** The wallets folder of a test node, on disk, and which of its wallets are loaded. */
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
  /** The names of all wallets in the folder, loaded or not. */
  names(): string[];
  file(name: string): string;
  exists(name: string): boolean;
  kind(name: string): FileKind;
  /** What a node answers about the wallet; null if its file is no known fixture. */
  facts(name: string): WalletFacts | null;
  /** Treats a file with these bytes as the fixture. */
  treatAs(bytes: Uint8Array, fixture: FixtureName): void;
  /** Copies a file into the folder as the wallet of that name. */
  place(name: string, from: string): void;
  /**
   * Writes a migrated wallet that answers with `facts`. `bytes` is null for a wallet that the recorded release created
   * and the app's own migration does not: it gets a SQLite file that no other wallet has.
   */
  placeMigrated(name: string, facts: WalletFacts, bytes: Uint8Array | null): void;
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
    treatAs(bytes, fixture) {
      const facts = known.get(sha256(readFileSync(fixtureFile(fixture))));
      if (facts) known.set(sha256(bytes), facts);
    },
    place(name, from) {
      mkdirSync(dirname(file(name)), { recursive: true });
      copyFileSync(from, file(name));
    },
    placeMigrated(name, facts, migrated) {
      mkdirSync(dirname(file(name)), { recursive: true });
      const like = facts.passphrase === null ? 'descriptor-hd' : 'descriptor-encrypted';
      const bytes = migrated ?? uniqueSqliteFile(like, name);
      known.set(sha256(bytes), facts);
      writeFileSync(file(name), bytes);
    },
    remove(name) {
      rmSync(name === '' ? file(name) : dirname(file(name)), { recursive: true });
    },
  };
  return wallets;
}

/** Recognises a file by its first bytes and its length. SQLite's page count is at byte 28. */
function fileKind(path: string): FileKind {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3') {
    const whole = bytes.length >= 100 && bytes.length >= bytes.readUInt16BE(16) * bytes.readUInt32BE(28);
    return whole ? 'descriptor' : 'truncated';
  }
  const berkeley = bytes.length >= 16 && bytes.readUInt32LE(12) === 0x00053162;
  return berkeley ? 'legacy' : 'other';
}

/** Sets SQLite's change counter, which may be any number, so that the hash of a backup identifies its wallet. */
function uniqueSqliteFile(like: FixtureName, name: string): Buffer {
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
