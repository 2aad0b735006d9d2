/** Asks feeds on this machine, most of them hostile. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createNetServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../http/loopback.ts';
import { askForRelease } from './newRelease.ts';

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
    expect(await askForRelease(await latest(released), own)).toEqual(
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
    await askForRelease(feed, '0.1.0');
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
    const message = `${feed.host} names no release.`;
    const hint = expect.stringMatching(/^Nothing was downloaded/);
    const looking = askForRelease(feed, '0.1.0');
    await expect(looking).rejects.toMatchObject({ code: 'bad_input', message, hint });
  });

  // SECURITY.md: A hostile update feed
  it('only passes on a version', async () => {
    const feed = await feedWith('{"version":"9.9.9","url":"https://example.org","__proto__":{"newer":"no"}}');
    expect(await askForRelease(feed, '0.1.0')).toEqual({ newer: '9.9.9' });
  });

  // SECURITY.md: A hostile update feed
  it.each([302, 307, 404])(
    'can neither redirect the app nor give a version with an error (%s)',
    async (status) => {
      let isReached = false;
      const target = await createFeed((_, response) => {
        isReached = true;
        response.end('{"version":"9.9.9"}');
      });
      const feed = await feedWith('{"version":"9.9.9"}', status, { location: target.href });
      const message = `${feed.host} answered HTTP ${status}.`;
      await expect(askForRelease(feed, '0.1.0')).rejects.toMatchObject({ code: 'bad_input', message });
      expect(isReached).toBe(false);
    },
  );

  // SECURITY.md: A hostile update feed
  it('is read up to 64 kB, with and without a content length', async () => {
    const padded = `{"version":"9.9.9"${' '.repeat(65_536)}}`;
    const tooLarge = { code: 'answer_too_large' };
    await expect(askForRelease(await feedWith(padded), '0.1.0')).rejects.toMatchObject(tooLarge);
    const endless = await createFeed((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    await expect(askForRelease(endless, '0.1.0')).rejects.toMatchObject(tooLarge);
  });

  it('cannot make the app unpack anything', async () => {
    const packed = await feedWith(gzipSync('{"version":"9.9.9"}'), 200, { 'content-encoding': 'gzip' });
    await expect(askForRelease(packed, '0.1.0')).rejects.toMatchObject({ code: 'bad_input' });
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
    const silent = { code: 'timed_out', message: `${feed.host} did not answer.` };
    await expect(askForRelease(feed, '0.1.0', 100)).rejects.toMatchObject(silent);
  });

  it('cannot be reached if it speaks another protocol', async () => {
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    ends.push(() => server.close());
    const feed = await feedOf(server);
    // Only one of the two HTTP parsers, Node's and the library's, gives its error a code.
    const message = expect.stringMatching(/^(Could not reach [\w.:]+ \(HPE_\w+\)|[\w.:]+ did not answer)\.$/);
    await expect(askForRelease(feed, '0.1.0')).rejects.toMatchObject({ code: 'cannot_connect', message });
  });
});

it('says that it cannot reach a feed that does not run', async () => {
  const server = createServer();
  const feed = await feedOf(server);
  await new Promise((resolve) => server.close(resolve));
  const message = `Could not reach ${feed.host} (ECONNREFUSED).`;
  const hint = expect.stringMatching(/^Nothing was downloaded\./);
  const looking = askForRelease(feed, '0.1.0');
  await expect(looking).rejects.toMatchObject({ code: 'cannot_connect', message, hint });
});
