import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { listen } from '../http/loopback.ts';
import { createReleaseCheck, type ReleaseMessage, updateFeed } from './newRelease.ts';

let server: Server;
let feed: URL;
let requests = 0;
let latest = '';

beforeEach(async () => {
  requests = 0;
  server = createServer((_, response) => {
    requests += 1;
    response.end(latest);
  });
  feed = new URL(`http://127.0.0.1:${(await listen(server)).port}/`);
});
afterEach(() => {
  server.close();
});

/** Clicks, and resolves with the message. */
const clicked = (version = '1.2.3') =>
  new Promise<ReleaseMessage>((resolve) => {
    createReleaseCheck({ feed, version, show: async (message) => resolve(message) })();
  });

it('names the newer release, says where to get it and that the app downloads nothing', async () => {
  latest = '{"version":"1.10.0"}';
  const { type, message, detail } = await clicked();
  expect([type, message]).toEqual(['info', 'New release: 1.10.0']);
  for (const text of ['where you got 1.2.3', 'SHA256SUMS']) expect(detail).toContain(text);
});

it('says that this release is the newest', async () => {
  latest = '{"version":"1.2.3"}';
  expect(await clicked()).toEqual({ type: 'info', message: 'Newest release', detail: 'This is 1.2.3.' });
});

it('says what went wrong, what is safe and what to do', async () => {
  latest = 'no JSON';
  const { type, message, detail } = await clicked();
  expect(type).toBe('warning');
  expect(message).toBe(`${feed.host} names no release.`);
  expect(detail).toMatch(/^Nothing was downloaded\. Try again later/);
});

it('asks the feed on a click only, and once until the user has read the answer', async () => {
  latest = '{"version":"1.2.3"}';
  let close = () => {};
  const show = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        close = resolve;
      }),
  );
  const click = createReleaseCheck({ feed, version: '1.2.3', show });
  click();
  click();
  await vi.waitFor(() => expect(show).toHaveBeenCalledOnce());
  click();
  close();
  await vi.waitFor(() => {
    click();
    expect(show).toHaveBeenCalledTimes(2);
  });
  expect(requests).toBe(2);
});

describe('the address of the feed', () => {
  let folder = '';
  beforeEach(() => {
    folder = makeTestFolder();
  });

  const feedOf = (manifest: string) => {
    writeFileSync(join(folder, 'package.json'), manifest);
    return updateFeed(folder)?.href ?? null;
  };

  it.each(['https://example.org/ferry/', 'http://127.0.0.1:8080/', 'http://[::1]/'])('is %s', (address) => {
    expect(feedOf(JSON.stringify({ name: 'wallet-ferry', updateFeed: address }))).toBe(address);
  });

  // SECURITY.md: A hostile update feed
  it.each([
    '{"name":"wallet-ferry"}',
    '{"updateFeed":""}',
    '{"updateFeed":"example.org"}',
    '{"updateFeed":["https://example.org/"]}',
    '{"updateFeed":"http://example.org/"}',
    '{"updateFeed":"file:///etc/"}',
    '"updateFeed"',
    'no JSON',
  ])('is null for %s', (manifest) => {
    expect(feedOf(manifest)).toBeNull();
  });

  it('is null without a package.json', () => {
    expect(updateFeed(folder)).toBeNull();
  });
});
