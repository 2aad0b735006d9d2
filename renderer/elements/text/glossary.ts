/** What the field's terms mean, one plain sentence or two each, the same wherever one is asked for. */
import { say } from '../../../shared/text/say.ts';

interface Entry {
  /** As it reads within a sentence. */
  readonly name: string;
  readonly meaning: string;
}

export const glossary = {
  'legacy wallet': {
    name: say('legacy wallet'),
    meaning: say(
      'The older kind of wallet file (Berkeley DB). Releases of Bitcoin Core from 30 on no longer open it; it has to be migrated first.',
    ),
  },
  'descriptor wallet': {
    name: say('descriptor wallet'),
    meaning: say(
      'The current kind of wallet file (SQLite). It says in descriptors exactly which addresses are the wallet’s own.',
    ),
  },
  backup: {
    name: say('backup'),
    meaning: say(
      'A copy of a wallet file from one moment. Whoever has it, and the passphrase if there is one, has the coins.',
    ),
  },
  passphrase: {
    name: say('passphrase'),
    meaning: say(
      'The words or characters that unlock the keys of an encrypted wallet. Without them the coins cannot be spent, and no one can recover them.',
    ),
  },
  migration: {
    name: say('migration'),
    meaning: say(
      'Converting a legacy wallet into descriptor wallets. The node first writes a backup of the legacy wallet.',
    ),
  },
  rescan: {
    name: say('rescan'),
    meaning: say(
      'The node reads through the block chain again to find the wallet’s transactions. This can take minutes or hours.',
    ),
  },
  pruned: {
    name: say('pruned'),
    meaning: say(
      'The node has deleted old blocks to save space. It can only rescan from the oldest block that it still has.',
    ),
  },
  'block filters': {
    name: say('block filters'),
    meaning: say(
      'An index of the block chain (-blockfilterindex=1). With it the rescan of a descriptor wallet is much faster.',
    ),
  },
  'watch-only': {
    name: say('watch-only'),
    meaning: say('A wallet that sees its coins but holds no keys to spend them.'),
  },
  solvable: {
    name: say('solvable'),
    meaning: say(
      'Scripts the wallet knows how to spend from but was never asked to watch. A migration puts them into a wallet of their own.',
    ),
  },
  seed: {
    name: say('seed'),
    meaning: say(
      'A random number that a wallet makes its keys from, one after the other. A backup of it covers keys that are made later too.',
    ),
  },
  descriptor: {
    name: say('descriptor'),
    meaning: say('A line of text that describes a set of addresses and the keys they come from.'),
  },
  'cookie file': {
    name: say('cookie file'),
    meaning: say(
      'A password file that the node writes anew at each start. Whoever can read it can log in to the node. It is called “.cookie” and lies in the node’s data folder.',
    ),
  },
  'offline engine': {
    name: say('offline engine'),
    meaning: say(
      'The part of the app that does the work of a node on wallet files, without a node and without a network.',
    ),
  },
  'safety copy': {
    name: say('safety copy'),
    meaning: say(
      'A copy of the wallet that the app has made before a migration, and that it checks where it can see it. The app never removes it.',
    ),
  },
  rehearsal: {
    name: say('rehearsal'),
    meaning: say(
      'The migration tried on a copy in memory, to see what would come of it. Nothing is kept of it.',
    ),
  },
  'wallets folder': {
    name: say('wallets folder'),
    meaning: say(
      'The folder in which a node looks for its wallets, mostly called “wallets” within its data folder.',
    ),
  },
  'unnamed wallet': {
    name: say('unnamed wallet'),
    meaning: say(
      'The wallet of a bare wallet.dat that lies in the wallets folder itself, as the oldest releases made it.',
    ),
  },
  'SHA-256': {
    name: say('SHA-256'),
    meaning: say('A fingerprint of a file: two files with the same one are the same, byte for byte.'),
  },
} as const satisfies Record<string, Entry>;

export type GlossaryTerm = keyof typeof glossary;
