/** Asks feeds on this machine, most of them hostile. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createNetServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../shared/model/errors.ts';
import { listen } from '../http/loopback.ts';
import { lookForRelease } from './newRelease.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Listens, and returns the URL of a feed there. */
async function feedOf(server: Server): Promise<URL> {
  return new URL(`http://127.0.0.1:${(await listen(server)).port}/ferry/`);
}

async function createFeed(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return feedOf(server);
}

const feedWith = (text: string | Buffer, status = 200, headers: Record<string, string> = {}) =>
  createFeed((_, response) => response.writeHead(status, headers).end(text));
const latest = (version: unknown) => feedWith(JSON.stringify({ version }));

const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    (value) => ({ code: 'answered', message: JSON.stringify(value), hint: '' }),
    ({ code, message, hint }: AppError) => ({ code, message, hint }),
  );

describe('the newest release', () => {
  it.each([
    ['0.1.1', 'is newer than', '0.1.0'],
    ['0.10.0', 'is newer than', '0.9.9'],
    ['1.0.0', 'is newer than', '0.99.99'],
    ['0.2.0', 'is newer than', '0.2.0-rc.1'],
    ['0.1.0', 'is not newer than', '0.1.0'],
    ['0.9.9', 'is not newer than', '0.10.0'],
    ['0.99.99', 'is not newer than', '1.0.0'],
    ['0.1.9', 'is not newer than', '0.2.0-rc.1'],
  ])('%s %s %s', async (released, order, own) => {
    expect(await lookForRelease(await latest(released), own)).toEqual(
      order === 'is newer than' ? { newer: released } : 'newest',
    );
  });
});

describe('the request', () => {
  // SECURITY.md: A hostile update feed
  it('identifies nobody, and asks once for latest.json', async () => {
    const requests: IncomingMessage[] = [];
    const feed = await createFeed((request, response) => {
      requests.push(request);
      response.end('{"version":"0.1.0"}');
    });
    await lookForRelease(feed, '0.1.0');
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /ferry/latest.json']);
    expect(requests[0]?.headers).toEqual({ host: feed.host, connection: 'close' });
  });
});

describe('a hostile feed', () => {
  // SECURITY.md: A hostile update feed
  it.each([
    ['no JSON', 'newest'],
    ['nothing', ''],
    ['no version', '{}'],
    ['a number', '{"version":2}'],
    ['a list', '["9.9.9"]'],
    ['a pre-release', '{"version":"9.9.9-rc.1"}'],
    ['a version with a text', '{"version":"9.9.9 – get it at example.org"}'],
    ['a version on two lines', '{"version":"9.9.9\\n"}'],
    ['a version too long', '{"version":"9.9.9999999"}'],
    ['too deep a nest', '['.repeat(60_000)],
  ])('only gets the message that it names no release: %s', async (_, text) => {
    const feed = await feedWith(text);
    const { code, message, hint } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('bad_input');
    expect(message).toBe(`${feed.host} names no release.`);
    expect(hint).toMatch(/^Nothing was downloaded/);
  });

  // SECURITY.md: A hostile update feed
  it('only passes on a version', async () => {
    const feed = await feedWith('{"version":"9.9.9","url":"https://example.org","__proto__":{"newer":"no"}}');
    expect(await lookForRelease(feed, '0.1.0')).toEqual({ newer: '9.9.9' });
  });

  // SECURITY.md: A hostile update feed
  it.each([302, 307])('cannot redirect the app (%s)', async (status) => {
    let isReached = false;
    const target = await createFeed((_, response) => {
      isReached = true;
      response.end('{"version":"9.9.9"}');
    });
    const feed = await feedWith('{"version":"9.9.9"}', status, { location: target.href });
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('bad_input');
    expect(message).toBe(`${feed.host} answered HTTP ${status}.`);
    expect(isReached).toBe(false);
  });

  it('is not trusted if it answers with an error', async () => {
    const feed = await feedWith('{"version":"9.9.9"}', 404);
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('bad_input');
    expect(message).toBe(`${feed.host} answered HTTP 404.`);
  });

  // SECURITY.md: A hostile update feed
  it('is read up to 64 kB, with and without a content length', async () => {
    const padded = `{"version":"9.9.9"${' '.repeat(65_536)}}`;
    expect(await errorOf(lookForRelease(await feedWith(padded), '0.1.0'))).toMatchObject({
      code: 'answer_too_large',
    });
    const endless = await createFeed((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await errorOf(lookForRelease(endless, '0.1.0'))).toMatchObject({ code: 'answer_too_large' });
  });

  it('cannot make the app unpack anything', async () => {
    const packed = await feedWith(gzipSync('{"version":"9.9.9"}'), 200, { 'content-encoding': 'gzip' });
    expect(await errorOf(lookForRelease(packed, '0.1.0'))).toMatchObject({ code: 'bad_input' });
  });

  it.each([
    ['sends nothing', () => {}],
    ['starts and does not end', (socket: NodeJS.WritableStream) => socket.write('HTTP/1.1 200 OK\r\n\r\n{')],
  ])('times out if it %s', async (_, onConnection) => {
    const server = createNetServer((socket) => {
      ends.push(() => socket.destroy());
      socket.on('error', () => {});
      onConnection(socket);
    });
    ends.push(() => server.close());
    const feed = await feedOf(server);
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0', 100));
    expect(code).toBe('timed_out');
    expect(message).toBe(`${feed.host} did not answer.`);
  });

  it('cannot be reached if it speaks another protocol', async () => {
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    ends.push(() => server.close());
    const feed = await feedOf(server);
    const { code, message } = await errorOf(lookForRelease(feed, '0.1.0'));
    expect(code).toBe('cannot_connect');
    // Only one of the two HTTP parsers, Node's and the library's, gives its error a code.
    expect(message).toMatch(/^(Could not reach [\w.:]+ \(HPE_\w+\)|[\w.:]+ did not answer)\.$/);
  });
});

it('says that it cannot reach a feed that does not run', async () => {
  const server = createServer();
  const feed = await feedOf(server);
  await new Promise((resolve) => server.close(resolve));
  const { code, message, hint } = await errorOf(lookForRelease(feed, '0.1.0'));
  expect(code).toBe('cannot_connect');
  expect(message).toBe(`Could not reach ${feed.host} (ECONNREFUSED).`);
  expect(hint).toMatch(/^Nothing was downloaded\./);
});
