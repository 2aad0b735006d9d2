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
    meaning: say('The older kind of wallet (Berkeley DB). Since Bitcoin Core 30, migrate it first.'),
  },
  'descriptor wallet': {
    name: say('descriptor wallet'),
    meaning: say('The current kind of wallet (SQLite). Its descriptors tell which addresses it owns.'),
  },
  backup: {
    name: say('backup'),
    meaning: say('A copy of a wallet file. Whoever has it, and any passphrase, has the coins.'),
  },
  passphrase: {
    name: say('passphrase'),
    meaning: say('Unlocks an encrypted wallet. Without it the coins cannot be spent or recovered.'),
  },
  migration: {
    name: say('migration'),
    meaning: say('Turns a legacy wallet into descriptor wallets, after a backup.'),
  },
  rescan: {
    name: say('rescan'),
    meaning: say('The node searches the block chain for the wallet’s transactions.'),
  },
  pruned: {
    name: say('pruned'),
    meaning: say('The node deleted old blocks and can rescan only newer ones.'),
  },
  'block filters': {
    name: say('block filters'),
    meaning: say('An index (-blockfilterindex=1) that makes rescans of descriptor wallets much faster.'),
  },
  'watch-only': {
    name: say('watch-only'),
    meaning: say('Sees coins but has no keys to spend them.'),
  },
  solvable: {
    name: say('solvable'),
    meaning: say('Scripts the wallet could spend from but never watched. They get their own wallet.'),
  },
  seed: {
    name: say('seed'),
    meaning: say('A random number that all keys come from. Its backup covers later keys.'),
  },
  descriptor: {
    name: say('descriptor'),
    meaning: say('Text that describes addresses and their keys.'),
  },
  'cookie file': {
    name: say('cookie file'),
    meaning: say('A password file, “.cookie” in the node’s data folder. Whoever reads it can log in.'),
  },
  'offline engine': {
    name: say('offline engine'),
    meaning: say('Does a node’s work on wallet files, without any network.'),
  },
  'safety copy': {
    name: say('safety copy'),
    meaning: say('The app’s copy from before a migration. The app never removes it.'),
  },
  rehearsal: {
    name: say('rehearsal'),
    meaning: say('A migration tried on a copy in memory. Nothing is kept.'),
  },
  'wallets folder': {
    name: say('wallets folder'),
    meaning: say('Where a node keeps its wallets, mostly “wallets” in its data folder.'),
  },
  'unnamed wallet': {
    name: say('unnamed wallet'),
    meaning: say('A bare wallet.dat in the wallets folder itself.'),
  },
  'SHA-256': {
    name: say('SHA-256'),
    meaning: say('A fingerprint: files with the same one are identical.'),
  },
} as const satisfies Record<string, Entry>;

export type GlossaryTerm = keyof typeof glossary;
