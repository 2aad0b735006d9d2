/** Asks the feed whether there is a newer release. Runs only on the user's click, and downloads no release. */
import { request } from 'undici';
import { z } from 'zod';
import { AppError, type ErrorCode } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import { readBoundedJson } from '../bitcoind/rpc/boundedJson.ts';
import { systemCodeOf } from '../bitcoind/rpc/connectionErrors.ts';
import { readBoundedBody } from '../http/boundedBody.ts';

export type ReleaseAnswer = { readonly newer: string } | 'newest';

/**
 * @param feed the folder that holds `latest.json`, `{ "version": "1.2.3" }`, with a slash at its end
 * @param version of this app
 * @param limitMs for the whole answer
 *
 * Throws AppError `cannot_connect`, `timed_out`, `answer_too_large`, and `bad_input` for an answer that names no release,
 * such as a redirect, which it does not follow, or a pre-release.
 */
export async function lookForRelease(feed: URL, version: string, limitMs = LIMIT_MS): Promise<ReleaseAnswer> {
  const { status, text } = await ask(feed, limitMs);
  const { host } = feed;
  if (text === null) {
    throw failed('answer_too_large', say('{host} sent too large an answer.', { host }));
  }
  if (status >= 300 && status < 400) {
    throw failed('bad_input', say('{host} redirects elsewhere.', { host }));
  }
  if (status !== 200) {
    throw failed('bad_input', say('{host} answered HTTP {status}.', { host, status: `${status}` }));
  }
  const read = readBoundedJson(text);
  const latest = latestRelease.safeParse(read.is === 'json' ? read.value : null);
  if (!latest.success) {
    throw failed('bad_input', say('{host} names no release.', { host }));
  }
  return isNewer(latest.data.version, version) ? { newer: latest.data.version } : 'newest';
}

const LIMIT_MS = 10_000;
const MOST_BYTES = 65_536;

/** Three numbers only: the feed cannot show its own text to the user, or offer a pre-release. */
const latestRelease = z.object({ version: z.string().regex(/^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$/) });

/** `text`: null if it is too long. */
async function ask(feed: URL, limitMs: number): Promise<{ status: number; text: string | null }> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    // By default undici follows no redirect, unpacks nothing and sends no user agent.
    const { statusCode, body } = await request(new URL('latest.json', feed), { signal, reset: true });
    return { status: statusCode, text: await readBoundedBody(body, MOST_BYTES) };
  } catch (thrown) {
    const { host } = feed;
    const code = systemCodeOf(thrown);
    if (signal.aborted || code.includes('TIMEOUT')) {
      throw failed('timed_out', say('{host} did not answer.', { host }));
    }
    throw failed(
      'cannot_connect',
      code === ''
        ? say('{host} did not answer.', { host })
        : say('Could not reach {host} ({code}).', { host, code }),
    );
  }
}

function failed(code: ErrorCode, message: string): AppError {
  return new AppError(code, message, say('Nothing was downloaded. Try again later.'));
}

/** Whether `latest` is newer than `own`. The pre-release `1.2.3-rc.1` is older than `1.2.3`. */
function isNewer(latest: string, own: string): boolean {
  const [release = '', ...preRelease] = own.split('-');
  const order = latest.localeCompare(release, 'en', { numeric: true });
  return order > 0 || (order === 0 && preRelease.length > 0);
}
