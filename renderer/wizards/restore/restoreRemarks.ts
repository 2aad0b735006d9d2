/** What to know before a backup is restored on this node: who reads the file, how long it takes, what may lack. */
import type { Birth } from '../../../shared/inspection.ts';
import type { FileFacts, NodeStatus } from '../../../shared/model.ts';
import { formatCount } from '../../words/formatCount.ts';
import { formatTime } from '../../words/formatTime.ts';
import type { Remark } from '../remark.ts';
import { syncingRemark } from '../syncingRemark.ts';

/**
 * `facts` is null when the file lies on the node's machine, where it cannot be looked at; `birth` when the file was not
 * read.
 */
export function restoreRemarks(
  facts: FileFacts | null,
  node: NodeStatus,
  birth: Birth | null = null,
): Remark[] {
  if (node.offline) return [OFFLINE];
  const syncing = syncingRemark(node);
  return [
    ...(syncing ? [syncing] : []),
    ...(node.pruned ? [pruned(node.pruneHeight, birth)] : []),
    rescan(facts, node.blockFilters),
    reader(node.local),
  ];
}

/** `restorewallet` came with release 23; null when the node has it. */
export function restoreUnsupported(node: Pick<NodeStatus, 'release'>): Remark | null {
  if (node.release.number >= FIRST_RELEASE) return null;
  return {
    key: 'no-restorewallet',
    tone: 'read',
    stops: true,
    title: `Release ${node.release.text} cannot restore a backup`,
    text: [
      'The call restorewallet came with release 23. Connect to a node of release 23 or later. Nothing was changed.',
    ],
  };
}

const FIRST_RELEASE = 230_000;

const OFFLINE: Remark = {
  key: 'offline',
  tone: 'info',
  stops: false,
  title: 'The offline engine holds no block chain',
  text: [
    'It copies the backup into its wallets folder and loads the copy. It does not rescan: balances are what the file last knew.',
    'The backup itself is not changed.',
  ],
};

function reader(local: boolean): Remark {
  return {
    key: 'reader',
    tone: 'info',
    stops: false,
    title: 'The node reads the file itself',
    text: [
      local
        ? 'It opens the path above as the user it runs as. If it runs as another user, that user needs the right to read the file and the folders above it.'
        : 'It opens the path above on its own machine, as the user it runs as. That user needs the right to read the file and the folders above it.',
      'The node copies the backup into its wallets folder. The backup itself is not changed.',
    ],
  };
}

function pruned(height: number | null, birth: Birth | null): Remark {
  const kept = height === null ? 'only the newest blocks' : `only blocks from ${formatCount(height)} on`;
  return {
    key: 'pruned',
    tone: 'read',
    stops: false,
    title: 'This node is pruned',
    text: [
      `It keeps ${kept}. If the wallet was last in step with the chain before that, the node cannot look for its payments and refuses to load it; its copy is then removed again, and your backup stays as it is.`,
      `${age(birth)} If it is older than the blocks kept, restore it on a node that is not pruned.`,
    ],
  };
}

function age(birth: Birth | null): string {
  switch (birth?.known) {
    case 'exactly':
      return `The wallet’s first key or script is of ${formatTime(birth.time)}.`;
    case 'at-latest':
      return `The wallet is of ${formatTime(birth.time)} or earlier: some of its keys or scripts have no date.`;
    case 'no':
      return 'The file does not tell how old the wallet is.';
    case undefined:
      return 'How old the wallet is was not read from the file.';
  }
}

function rescan(facts: FileFacts | null, filters: NodeStatus['blockFilters']): Remark {
  const { tone, title, text } = rescanWords(facts?.kind ?? null, filters);
  return { key: 'rescan', tone, stops: false, title, text: [RESCAN, text] };
}

const RESCAN =
  'After restoring, the node rescans: it looks through the blocks since the backup for payments of this wallet.';

function rescanWords(
  kind: FileFacts['kind'] | null,
  filters: NodeStatus['blockFilters'],
): Pick<Remark, 'tone' | 'title'> & { text: string } {
  if (kind === 'legacy-wallet') {
    return {
      tone: 'info',
      title: 'The rescan may take hours',
      text: 'It reads every one of these blocks: block filters help descriptor wallets only.',
    };
  }
  const only = kind === null ? ' if the wallet is a descriptor wallet' : '';
  switch (filters) {
    case 'on':
      return {
        tone: 'good',
        title: `Block filters make the rescan fast${only}`,
        text: 'The node has block filters (-blockfilterindex=1): it reads only the blocks that may concern the wallet.',
      };
    case 'building':
      return {
        tone: 'info',
        title: 'Block filters are still being built',
        text: `Once they are ready they make a rescan fast${only}. Until then it reads every block and may take hours.`,
      };
    case 'off':
      return {
        tone: 'info',
        title: 'The rescan may take hours',
        text: `The node has no block filters, so it reads every one of these blocks. With -blockfilterindex=1 in its configuration it would be fast${only}.`,
      };
    case 'unknown':
      return {
        tone: 'info',
        title: 'The rescan may take hours',
        text: 'Whether the node has block filters, which make it fast for descriptor wallets, is not known.',
      };
  }
}
