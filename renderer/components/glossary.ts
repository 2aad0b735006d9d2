/** The meanings of technical terms, in one or two plain sentences each. */
import { say } from '../../shared/wording/say.ts';

/** Each term as it reads within a sentence, and its meaning. */
export const glossary = {
  'legacy wallet': [
    say('legacy wallet'),
    say('The older kind of wallet (Berkeley DB). Since Bitcoin Core 30, migrate it first.'),
  ],
  'descriptor wallet': [say('descriptor wallet'), say('The current kind of wallet (SQLite).')],
  backup: [say('backup'), say('A copy of a wallet file. Whoever has it, and any passphrase, has the coins.')],
  passphrase: [say('passphrase'), say('Unlocks an encrypted wallet. Without it, the coins are lost.')],
  migration: [say('migration'), say('Turns a legacy wallet into descriptor wallets, after a backup.')],
  rescan: [say('rescan'), say('The node searches the block chain for the wallet’s transactions.')],
  pruned: [say('pruned'), say('The node deleted old blocks and can rescan only newer ones.')],
  'block filters': [
    say('block filters'),
    say('An index (-blockfilterindex=1) that makes rescans of descriptor wallets much faster.'),
  ],
  'watch-only': [say('watch-only'), say('Sees coins but has no keys to spend them.')],
  solvable: [say('solvable'), say('Scripts the wallet could spend from but never watched.')],
  seed: [say('seed'), say('A random number that all keys come from. Its backup covers later keys.')],
  descriptor: [say('descriptor'), say('Text that describes addresses and their keys.')],
  'cookie file': [say('cookie file'), say('The node’s password file, “.cookie” in its data folder.')],
  'offline engine': [say('offline engine'), say('Does a node’s work on wallet files, without any network.')],
  'safety copy': [say('safety copy'), say('The app’s copy from before a migration, never removed.')],
  rehearsal: [say('rehearsal'), say('A migration tried in memory. Nothing is kept.')],
  'wallets folder': [say('wallets folder'), say('Usually “wallets” in the node’s data folder.')],
  'unnamed wallet': [say('unnamed wallet'), say('A bare wallet.dat in the wallets folder itself.')],
  'SHA-256': [say('SHA-256'), say('A fingerprint: files with the same one are identical.')],
} satisfies Record<string, readonly [name: string, meaning: string]>;

export type GlossaryTerm = keyof typeof glossary;
