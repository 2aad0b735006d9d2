/** What the field's terms mean, one plain sentence or two each, the same wherever one is asked for. */
export const glossary = {
  'legacy wallet':
    'The older kind of wallet file (Berkeley DB). Releases of Bitcoin Core from 30 on no longer open it; it has to be migrated first.',
  'descriptor wallet':
    'The current kind of wallet file (SQLite). It says in descriptors exactly which addresses are the wallet’s own.',
  backup:
    'A copy of a wallet file from one moment. Whoever has it, and the passphrase if there is one, has the coins.',
  passphrase:
    'The words or characters that unlock the keys of an encrypted wallet. Without them the coins cannot be spent, and no one can recover them.',
  migration:
    'Converting a legacy wallet into descriptor wallets. The node first writes a backup of the legacy wallet.',
  rescan:
    'The node reads through the block chain again to find the wallet’s transactions. This can take minutes or hours.',
  pruned:
    'The node has deleted old blocks to save space. It can only rescan from the oldest block that it still has.',
  'block filters':
    'An index of the block chain (-blockfilterindex=1). With it the rescan of a descriptor wallet is much faster.',
  'watch-only': 'A wallet that sees its coins but holds no keys to spend them.',
  solvable:
    'Scripts the wallet knows how to spend from but was never asked to watch. A migration puts them into a wallet of their own.',
  seed: 'A random number that a wallet makes its keys from, one after the other. A backup of it covers keys that are made later too.',
  descriptor: 'A line of text that describes a set of addresses and the keys they come from.',
  'cookie file':
    'A password file that the node writes anew at each start. Who may read it may log in to the node. It is called “.cookie” and lies in the node’s data folder.',
} as const;

export type GlossaryTerm = keyof typeof glossary;
