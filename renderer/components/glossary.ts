/** The meanings of technical terms, in one or two plain sentences each. */
import { say } from '../../shared/wording/say.ts';

/** Each term as it reads within a sentence, and its meaning. */
export const glossary = {
  'legacy wallet': [
    say('legacy wallet'),
    say('The older kind (Berkeley DB). Bitcoin Core 30 needs it migrated.'),
  ],
  'descriptor wallet': [say('descriptor wallet'), say('The current kind (SQLite).')],
  backup: [say('backup'), say('A copy of a wallet file. Whoever has it, and any passphrase, has the coins.')],
  passphrase: [say('passphrase'), say('Unlocks an encrypted wallet. Without it, the coins are lost.')],
  migration: [say('migration'), say('Turns a legacy wallet into descriptor wallets, after a backup.')],
  rescan: [say('rescan'), say('The node searches the block chain for the wallet’s transactions.')],
  pruned: [say('pruned'), say('Without old blocks: rescans reach only newer ones.')],
  'block filters': [
    say('block filters'),
    say('An index (-blockfilterindex=1) for fast rescans of descriptor wallets.'),
  ],
  'watch-only': [say('watch-only'), say('It watches coins and cannot spend them.')],
  solvable: [say('solvable'), say('Scripts the wallet could spend from but never watched.')],
  seed: [say('seed'), say('The number all keys come from. Its backup covers later keys.')],
  descriptor: [say('descriptor'), say('Text that describes addresses and their keys.')],
  'cookie file': [say('cookie file'), say('The node’s password file (.cookie).')],
  'offline engine': [say('offline engine'), say('Does a node’s work without a network.')],
  'safety copy': [say('safety copy'), say('The app’s copy from before a migration, never removed.')],
  rehearsal: [say('rehearsal'), say('A migration tried in memory. Nothing is kept.')],
  'unnamed wallet': [say('unnamed wallet'), say('wallet.dat in the wallets folder')],
  'SHA-256': [say('SHA-256'), say('A fingerprint. Equal ones mean identical files.')],
} satisfies Record<string, readonly [name: string, meaning: string]>;

export type GlossaryTerm = keyof typeof glossary;
