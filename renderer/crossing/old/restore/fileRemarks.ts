/** What the header of a chosen file means for the node, as far as it helps to know it before a name is given. */
import type { FileFacts } from '../../../../shared/files.ts';
import { networkName } from '../../../../shared/networkName.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Remark } from '../remark.ts';
import { restoreWay } from './restoreWay.ts';

/** Reasons to stop come first. Empty when there is nothing to say. */
export function fileRemarks(facts: FileFacts, node: Pick<NodeStatus, 'network' | 'release'>): Remark[] {
  if (facts.kind === 'other') return [notAWallet(facts)];
  const remarks: Remark[] = [];
  if (facts.network && facts.network !== node.network) {
    remarks.push(otherNetwork(networkName(facts.network), networkName(node.network)));
  }
  if (facts.truncated) remarks.push(restoreWay(facts, node) === 'restore-migrate' ? NOT_WHOLE : TRUNCATED);
  return remarks;
}

function notAWallet({ description }: FileFacts): Remark {
  return {
    key: 'not-a-wallet',
    tone: 'read',
    stops: true,
    title: say('This is not a Bitcoin Core wallet'),
    text: [
      say('By its content the file is: {description}. The node cannot restore it.', { description }),
      say(
        'A wallet is mostly called wallet.dat, or ends in .dat or .bak. Choose another file; this one was not changed.',
      ),
    ],
  };
}

/** Both as they are called on screen. */
export function otherNetwork(ofFile: string, ofNode: string): Remark {
  return {
    key: 'other-network',
    tone: 'read',
    stops: true,
    title: say('This wallet belongs to another network'),
    text: [
      say(
        'The wallet’s network: {ofFile}. The node’s network: {ofNode}. A node opens wallets of its own network only.',
        { ofFile, ofNode },
      ),
      say('Connect to a node of the wallet’s network and restore this file there. It was not changed.'),
    ],
  };
}

const SHORTER = say('The file is shorter than its own header says');

const TRUNCATED: Remark = {
  key: 'truncated',
  tone: 'read',
  stops: false,
  title: SHORTER,
  text: [
    say(
      'A part of it is missing, as after a copy that was broken off. The node may refuse it, or restore a wallet that lacks keys.',
    ),
    say('If you have another copy of this backup, try that one first.'),
  ],
};

/** `restoreMigrate.start` takes whole wallets only. */
const NOT_WHOLE: Remark = {
  key: 'not-whole',
  tone: 'read',
  stops: true,
  title: SHORTER,
  text: [
    say(
      'A part of it is missing, as after a copy that was broken off. Only a whole legacy wallet is restored and migrated in one go.',
    ),
    say('Look for another copy of this backup. This one was not changed.'),
  ],
};
