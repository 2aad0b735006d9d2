/** What the whole content of a chosen wallet file means for the node that is to restore it. */
import type { FileProblem, Inspection } from '../../../../shared/inspection.ts';
import { anyOf, networkName } from '../../../../shared/networkName.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { readWords } from '../../../words/inspectionWords.ts';
import type { Remark } from '../remark.ts';
import { otherNetwork } from './fileRemarks.ts';

/** Reasons to stop come first. What the file's head tells by itself is left to `fileRemarks`. */
export function walletRemarks(inspection: Inspection, node: Pick<NodeStatus, 'network'>): Remark[] {
  const lost = inspection.problems.filter((problem) => problem.lost);
  const odd = inspection.problems.filter((problem) => !problem.lost);
  const network = networkRemark(inspection, node);
  return [
    ...(network ? [network] : []),
    ...(lost.length > 0 ? [damaged(lost, inspection)] : []),
    ...(odd.length > 0 ? [oddities(odd)] : []),
  ];
}

function networkRemark({ network }: Inspection, node: Pick<NodeStatus, 'network'>): Remark | null {
  const { name, from, candidates } = network;
  const ofNode = networkName(node.network);
  if (from === 'file' || candidates.length === 0 || candidates.includes(node.network)) return null;
  if (from === 'genesis-block' && name !== 'unknown') return otherNetwork(networkName(name), ofNode);
  const networks = anyOf(candidates);
  return {
    key: 'maybe-other-network',
    tone: 'read',
    stops: false,
    title: say('This wallet seems to belong to another network'),
    text: [
      from === 'keys'
        ? say(
            'Its keys are written as on {networks}. The node’s network: {ofNode}. A node opens wallets of its own network only.',
            { networks, ofNode },
          )
        : say(
            'Its addresses are written as on {networks}. The node’s network: {ofNode}. A node opens wallets of its own network only.',
            { networks, ofNode },
          ),
    ],
  };
}

function damaged(problems: readonly FileProblem[], inspection: Inspection): Remark {
  const read = readWords(inspection);
  return {
    key: 'damaged',
    tone: 'read',
    stops: false,
    title: say('A part of this file cannot be read'),
    text: [
      ...some(problems),
      read === null
        ? say('Nothing of the wallet can still be read.')
        : say(
            'What can still be read: {read}. The node may refuse the file, or restore a wallet that lacks keys.',
            { read },
          ),
      say('If you have another copy of this backup, try that one first.'),
    ],
  };
}

function oddities(problems: readonly FileProblem[]): Remark {
  return {
    key: 'odd',
    tone: 'read',
    stops: false,
    title: say('Read this about the file'),
    text: some(problems),
  };
}

/** The first ones; all of them are at the *Inspect* place. */
function some(problems: readonly FileProblem[]): string[] {
  const texts = problems.slice(0, FEW).map(({ text }) => text);
  const more = problems.length - texts.length;
  return more === 0 ? texts : [...texts, say('And {count, number} more.', { count: more })];
}

const FEW = 3;
