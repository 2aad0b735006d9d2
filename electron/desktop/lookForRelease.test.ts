/** The feed is a server of this machine, and most of them mean harm. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createLineServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../shared/model/errors.ts';
import { lookForRelease } from './lookForRelease.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listen(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/ferry/`);
}

async function feedThat(answers: RequestListener): Promise<URL> {
  const server = createServer(answers);
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

const telling = (text: string | Buffer, status = 200, headers: Record<string, string> = {}) =>
  feedThat((_, response) => response.writeHead(status, headers).end(text));
const latest = (version: unknown) => telling(JSON.stringify({ version }));

const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    (value) => ({ code: 'answered', message: JSON.stringify(value), hint: '' }),
    ({ code, message, hint }: AppError) => ({ code, message, hint }),
  );

describe('the newest release', () => {
  it.each([
    ['0.1.1', '0.1.0'],
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
    ['0.2.0', '0.2.0-rc.1'],
  ])('%s is newer than %s', async (there, own) => {
    expect(await lookForRelease(await latest(there), own)).toEqual({ newer: there });
  });

  it.each([
    ['0.1.0', '0.1.0'],
    ['0.9.9', '0.10.0'],
    ['0.99.99', '1.0.0'],
    ['0.1.9', '0.2.0-rc.1'],
  ])('%s is no newer than %s', async (there, own) => {
    expect(await lookForRelease(await latest(there), own)).toBe('newest');
  });
});

describe('the question', () => {
  // SECURITY.md: A hostile feed of releases
  it('says nothing of who asks, in one question for latest.json', async () => {
    const asked: IncomingMessage[] = [];
    const feed = await feedThat((request, response) => {
      asked.push(request);
      response.end('{"version":"0.1.0"}');
    });
    await lookForRelease(feed, '0.1.0');
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /ferry/latest.json']);
    expect(asked[0]?.headers).toEqual({ host: feed.host, connection: 'close' });
  });
});

describe('a feed that means harm', () => {
  // SECURITY.md: A hostile feed of releases
  it.each([
    ['no JSON', 'newest'],
    ['nothing', ''],
    ['no version', '{}'],
    ['a number', '{"version":2}'],
    ['a list', '["9.9.9"]'],
    ['a pre-release', '{"version":"9.9.9-rc.1"}'],
    ['a version with words', '{"version":"9.9.9 – get it at example.org"}'],
    ['a version on two lines', '{"version":"9.9.9\\n"}'],
    ['a version too long', '{"version":"9.9.9999999"}'],
    ['too deep a nest', '['.repeat(60_000)],
  ])('gets nothing said but that it names no release: %s', async (_, text) => {
    const feed = await telling(text);
    const { code, message, hint } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('bad_input');
    expect(message).toBe(`${feed.host} names no release.`);
    expect(hint).toMatch(/^Nothing was downloaded/);
  });

  // SECURITY.md: A hostile feed of releases
  it('gets no more than a version read', async () => {
    const feed = await telling('{"version":"9.9.9","url":"https://example.org","__proto__":{"newer":"no"}}');
    expect(await lookForRelease(feed, '0.1.0')).toEqual({ newer: '9.9.9' });
  });

  // SECURITY.md: A hostile feed of releases
  it.each([302, 307])('sends the app nowhere else (%s)', async (status) => {
    let wasAsked = false;
    const elsewhere = await feedThat((_, response) => {
      wasAsked = true;
      response.end('{"version":"9.9.9"}');
    });
    const feed = await telling('{"version":"9.9.9"}', status, { location: elsewhere.href });
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('bad_input');
    expect(message).toBe(`${feed.host} redirects to another address.`);
    expect(wasAsked).toBe(false);
  });

  it('is not believed when it answers with an error', async () => {
    const feed = await telling('{"version":"9.9.9"}', 404);
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('bad_input');
    expect(message).toBe(`${feed.host} answered with HTTP status 404.`);
  });

  // SECURITY.md: A hostile feed of releases
  it('is not read past 64 kB, with and without a length told before', async () => {
    const padded = `{"version":"9.9.9"${' '.repeat(65_536)}}`;
    expect(await errorOf(lookForRelease(await telling(padded), '0.1.0'))).toMatchObject({
      code: 'answer_too_large',
    });
    const endless = await feedThat((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await errorOf(lookForRelease(endless, '0.1.0'))).toMatchObject({ code: 'answer_too_large' });
  });

  it('gets nothing unpacked', async () => {
    const packed = await telling(gzipSync('{"version":"9.9.9"}'), 200, { 'content-encoding': 'gzip' });
    expect(await errorOf(lookForRelease(packed, '0.1.0'))).toMatchObject({ code: 'bad_input' });
  });

  it.each([
    ['says nothing', () => {}],
    ['begins and does not end', (line: NodeJS.WritableStream) => line.write('HTTP/1.1 200 OK\r\n\r\n{')],
  ])('is not waited for when it %s', async (_, onLine) => {
    const server = createLineServer((line) => {
      ends.push(() => line.destroy());
      line.on('error', () => {});
      onLine(line);
    });
    ends.push(() => server.close());
    const feed = await listen(server);
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0', 100));
    expect(code).toBe('timed_out');
    expect(message).toBe(`${feed.host} did not answer in time.`);
  });

  it('is not understood when it speaks something else', async () => {
    const server = createLineServer((line) => {
      line.on('error', () => {});
      line.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    ends.push(() => server.close());
    const feed = await listen(server);
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('cannot_connect');
    // Whether the reader of HTTP names its error depends on whose it is: Node’s own, or the library’s beside it.
    expect(message).toMatch(/^Could not reach [\w.:]+( \(HPE_\w+\))?\.$/);
  });
});

it('says that nobody answers where nobody does', async () => {
  const server = createServer();
  const feed = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const { code, message, hint } = await errorOf(lookForRelease(feed, '0.1.0'));
  expect(code).toBe('cannot_connect');
  expect(message).toBe(`Could not reach ${feed.host} (ECONNREFUSED).`);
  expect(hint).toMatch(/^Nothing was downloaded\./);
});
