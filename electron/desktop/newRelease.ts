/**
 * The menu's check for a new release: reads the feed's address, asks the feed once at a time, and shows the answer. Asks only on
 * the user's click, and downloads no release.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { AppError, type ErrorCode } from '../../shared/model/errors.ts';
import { isLoopback } from '../../shared/model/node.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { say } from '../../shared/wording/say.ts';
import { systemCodeOf } from '../bitcoind/rpc/rpcErrors.ts';
import { readBoundedBody, readBoundedJson } from '../http/boundedBody.ts';

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
export function createReleaseCheck({ feed, version, show }: NewReleaseOptions): () => void {
  let isAsking = false;
  return () => {
    if (isAsking) return;
    isAsking = true;
    void answerFor(feed, version)
      .then(show)
      .finally(() => {
        isAsking = false;
      });
  };
}

async function answerFor(feed: URL, version: string): Promise<ReleaseMessage> {
  try {
    return releaseMessage(await askForRelease(feed, version), version);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    return { type: 'warning', message, detail: hint };
  }
}

function releaseMessage(answer: ReleaseAnswer, version: string): ReleaseMessage {
  if (answer === 'newest') {
    return { type: 'info', message: say('Newest release'), detail: say('This is {version}.', { version }) };
  }
  const { newer } = answer;
  return {
    type: 'info',
    message: say('New release: {newer}', { newer }),
    detail: say('Get it where you got {version}; check its SHA256SUMS.', { version }),
  };
}

type ReleaseAnswer = { readonly newer: string } | 'newest';

/**
 * @param feed the folder that holds `latest.json`, `{ "version": "1.2.3" }`, with a slash at its end
 * @param version of this app
 * @param limitMs for the whole answer
 *
 * Throws AppError `cannot_connect`, `timed_out`, `answer_too_large`, and `bad_input` for an answer that names no release,
 * such as a redirect, which it does not follow, or a pre-release.
 */
export async function askForRelease(feed: URL, version: string, limitMs = LIMIT_MS): Promise<ReleaseAnswer> {
  const { status, text } = await askFeed(feed, limitMs);
  const { host } = feed;
  if (text === null) {
    throw feedError('answer_too_large', say('{host} names no release.', { host }));
  }
  if (status !== 200) {
    throw feedError('bad_input', say('{host} answered HTTP {status}.', { host, status: `${status}` }));
  }
  const read = readBoundedJson(text);
  const latest = latestRelease.safeParse(read.is === 'json' ? read.value : null);
  if (!latest.success) {
    throw feedError('bad_input', say('{host} names no release.', { host }));
  }
  return isNewer(latest.data.version, version) ? { newer: latest.data.version } : 'newest';
}

const LIMIT_MS = 10_000;
const MAX_BYTES = 65_536;

/** Three numbers only: the feed cannot show its own text to the user, or offer a pre-release. */
const latestRelease = z.object({
  version: z.string().check(z.regex(/^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$/)),
});

/** `text`: null if it is too long. */
async function askFeed(feed: URL, limitMs: number): Promise<{ status: number; text: string | null }> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    // Load the HTTP client only when somebody clicks.
    const { request } = await import('undici');
    // By default undici follows no redirect, unpacks nothing and sends no user agent.
    const { statusCode, body } = await request(new URL('latest.json', feed), { signal, reset: true });
    return { status: statusCode, text: await readBoundedBody(body, MAX_BYTES) };
  } catch (thrown) {
    const { host } = feed;
    const code = systemCodeOf(thrown);
    if (signal.aborted || code.includes('TIMEOUT')) {
      throw feedError('timed_out', say('{host} did not answer.', { host }));
    }
    throw feedError(
      'cannot_connect',
      code === ''
        ? say('{host} did not answer.', { host })
        : say('Could not reach {host} ({code}).', { host, code }),
    );
  }
}

function feedError(code: ErrorCode, message: string): AppError {
  return new AppError(code, message, say('Nothing was downloaded. Try again later.'));
}

/** Whether `latest` is newer than `own`. The pre-release `1.2.3-rc.1` is older than `1.2.3`. */
function isNewer(latest: string, own: string): boolean {
  const [release = '', ...preRelease] = own.split('-');
  const order = latest.localeCompare(release, 'en', { numeric: true });
  return order > 0 || (order === 0 && preRelease.length > 0);
}
