/** Words for a search for deleted wallets. */
import type { ImageFound, SearchProgress } from '../model/search/searches.ts';
import { findingHint, findingText } from './findings/findingWords.ts';
import { OTHERS_MAY_READ } from './findings/sharedFolderText.ts';
import { counted } from './format/counted.ts';
import { formatLeft } from './format/formatDuration.ts';
import { formatShare } from './format/formatShare.ts';
import { formatSize } from './format/formatSize.ts';
import { listed } from './format/listed.ts';
import { say } from './say.ts';

export const SEARCH_STOPPED = say('Stopped. Search again to continue.');

/** `plain`: for output that prints a line for each percent. */
export function imageProgressLine(
  { done, total, perSecond, seconds }: SearchProgress,
  plain: boolean,
): string {
  const share = total === 0 ? 1 : done / total;
  if (plain) return formatShare(Math.floor(share * 100) / 100);
  const far = say('{done} of {all}', { done: formatSize(done), all: formatSize(total) });
  const rate = say('{size} a second', { size: formatSize(Math.round(perSecond)) });
  return [formatShare(share), far, rate, formatLeft(seconds)].join(' · ');
}

/** The unverified facts of a found wallet. */
export function foundWords({ kind, keys, encrypted, wasThere }: ImageFound['wallets'][number]): string {
  return listed([
    kind === 'sqlite' ? say('Descriptor wallet') : say('Legacy wallet'),
    counted.privateKeys(keys),
    encrypted && say('Encrypted'),
    wasThere && say('Written before'),
  ]);
}

/** What the search could not find, read or write, and who may read what it wrote, a sentence each. */
export function imageNotes({ wallets, unread, leftOver, othersMayRead }: ImageFound): string[] {
  return [
    ...(wallets.length === 0 ? [say('No wallets found.')] : []),
    ...wallets.flatMap(({ error }) =>
      error ? [`${findingText(error.finding)} ${findingHint(error.finding)}`] : [],
    ),
    ...(unread > 0 ? [say('Not readable: {size}.', { size: formatSize(unread) })] : []),
    ...(leftOver ? [say('Some pieces fit no wallet.')] : []),
    ...(othersMayRead ? [OTHERS_MAY_READ] : []),
  ];
}
