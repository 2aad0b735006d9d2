/** What the menu's entry for new releases does: asks the feed, once at a time, and tells the answer. */
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { say } from '../../shared/wording/say.ts';
import type { ReleaseAnswer } from './lookForRelease.ts';

interface NewReleaseOptions {
  feed: URL;
  /** Of this app. */
  version: string;
  /** Ends when the words have been read. Does not throw. */
  tell(words: ReleaseWords): Promise<void>;
}

/** For `dialog.showMessageBox`. */
export interface ReleaseWords {
  type: 'info' | 'warning';
  message: string;
  detail: string;
}

/** Calls while one is under way, or its answer is being read, do nothing. */
export function newRelease({ feed, version, tell }: NewReleaseOptions): () => void {
  let underWay = false;
  return () => {
    if (underWay) return;
    underWay = true;
    void answerOf(feed, version)
      .then(tell)
      .finally(() => {
        underWay = false;
      });
  };
}

async function answerOf(feed: URL, version: string): Promise<ReleaseWords> {
  try {
    // What speaks HTTP is loaded when it is needed.
    const { lookForRelease } = await import('./lookForRelease.ts');
    return releaseWords(await lookForRelease(feed, version), version);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    return { type: 'warning', message, detail: hint };
  }
}

function releaseWords(answer: ReleaseAnswer, version: string): ReleaseWords {
  if (answer === 'newest') {
    return {
      type: 'info',
      message: say('You have the newest release'),
      detail: say('This is {version}.', { version }),
    };
  }
  const { newer } = answer;
  return {
    type: 'info',
    message: say('New release: {newer}', { newer }),
    detail: say(
      'You have {version}. Get it where you got this one, and check its SHA256SUMS. The app downloads nothing.',
      { version },
    ),
  };
}
