/** The menu's check for a new release: reads the feed's address, asks the feed once at a time, and shows the answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { say } from '../../shared/wording/say.ts';
import { isLoopback } from '../http/loopback.ts';
import type { ReleaseAnswer } from './lookForRelease.ts';

const withFeed = z.object({ updateFeed: z.string() });

/**
 * The address that UPDATE_FEED named when the app was packed, from the app's package.json. Null if there is none, or if
 * it names another machine without https.
 */
export function updateFeed(appFolder: string): URL | null {
  try {
    // Opening a file in the app's archive would make Electron write a copy of it: read it in one call.
    const manifest = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8'));
    const url = new URL(withFeed.parse(manifest).updateFeed);
    const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    return safe ? url : null;
  } catch {
    return null;
  }
}

interface NewReleaseOptions {
  feed: URL;
  /** Of this app. */
  version: string;
  /** Shows the message. Resolves when the user closes it; never rejects. */
  show(message: ReleaseMessage): Promise<void>;
}

/** For `dialog.showMessageBox`. */
export interface ReleaseMessage {
  type: 'info' | 'warning';
  message: string;
  detail: string;
}

/** Returns the menu's click handler. It does nothing while an earlier click is still being answered. */
export function newRelease({ feed, version, show }: NewReleaseOptions): () => void {
  let isAsking = false;
  return () => {
    if (isAsking) return;
    isAsking = true;
    void askFeed(feed, version)
      .then(show)
      .finally(() => {
        isAsking = false;
      });
  };
}

async function askFeed(feed: URL, version: string): Promise<ReleaseMessage> {
  try {
    // Loads the HTTP client only when somebody clicks.
    const { lookForRelease } = await import('./lookForRelease.ts');
    return releaseMessage(await lookForRelease(feed, version), version);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    return { type: 'warning', message, detail: hint };
  }
}

function releaseMessage(answer: ReleaseAnswer, version: string): ReleaseMessage {
  if (answer === 'newest') {
    return {
      type: 'info',
      message: say('Newest release'),
      detail: say('This is {version}.', { version }),
    };
  }
  const { newer } = answer;
  return {
    type: 'info',
    message: say('New release: {newer}', { newer }),
    detail: say('You have {version}. Get it where you got this one; check its SHA256SUMS.', { version }),
  };
}
