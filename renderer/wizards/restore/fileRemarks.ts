/** What the header of a chosen file means for the node that is to restore it. */
import type { FileFacts, NodeStatus } from '../../../shared/model.ts';
import { networkName } from '../../words/networkName.ts';
import type { Remark } from '../remark.ts';

/** Reasons to stop come first. Empty when there is nothing to say. */
export function fileRemarks(facts: FileFacts, node: Pick<NodeStatus, 'network' | 'release'>): Remark[] {
  if (facts.kind === 'other') return [notAWallet(facts)];
  const remarks: Remark[] = [];
  if (facts.network && facts.network !== node.network) {
    remarks.push(otherNetwork(networkName(facts.network), networkName(node.network)));
  }
  if (facts.kind === 'legacy-wallet' && !node.release.loadsLegacy) remarks.push(tooNew(node.release.text));
  if (facts.truncated) remarks.push(TRUNCATED);
  if (facts.kind === 'legacy-wallet' && node.release.loadsLegacy) remarks.push(LEGACY);
  return remarks;
}

function notAWallet({ description }: FileFacts): Remark {
  return {
    key: 'not-a-wallet',
    tone: 'read',
    stops: true,
    title: 'This is not a Bitcoin Core wallet',
    text: [
      `By its content the file is: ${description}. The node cannot restore it.`,
      'A wallet is mostly called wallet.dat, or ends in .dat or .bak. Choose another file; this one was not changed.',
    ],
  };
}

/** Both as they are called on screen. */
export function otherNetwork(ofFile: string, ofNode: string): Remark {
  return {
    key: 'other-network',
    tone: 'read',
    stops: true,
    title: 'This wallet belongs to another network',
    text: [
      `The wallet’s network: ${ofFile}. The node’s network: ${ofNode}. A node opens wallets of its own network only.`,
      'Connect to a node of the wallet’s network and restore this file there. It was not changed.',
    ],
  };
}

/** Recorded on 30.0 and 31.0: error -18, and the copy is removed. */
function tooNew(release: string): Remark {
  return {
    key: 'legacy-too-new',
    tone: 'read',
    stops: true,
    title: `Release ${release} cannot restore a legacy wallet`,
    text: [
      'This file is a legacy wallet. From release 30 on a node does not load legacy wallets: it would copy the file, refuse it and remove its copy again. Your file would stay as it is.',
      'What works: connect to a node of release 29 or earlier and restore the file there. A node of release 25 to 29 can migrate it as well. After that a node of any later release opens the migrated wallet.',
      'A legacy wallet that lies in this node’s wallets folder already needs no restoring: migrate it from the list of wallets.',
    ],
  };
}

const TRUNCATED: Remark = {
  key: 'truncated',
  tone: 'read',
  stops: false,
  title: 'The file is shorter than its own header says',
  text: [
    'A part of it is missing, as after a copy that was broken off. The node may refuse it, or restore a wallet that lacks keys.',
    'If you have another copy of this backup, try that one first.',
  ],
};

const LEGACY: Remark = {
  key: 'legacy',
  tone: 'info',
  stops: false,
  title: 'This is a legacy wallet',
  text: [
    'It is of the older kind, which releases from 30 on no longer load. This node can restore it. Once it is restored, it can be migrated to a descriptor wallet, the kind in use today.',
  ],
};
