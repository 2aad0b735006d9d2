import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newRelease, type ReleaseWords } from './newRelease.ts';

let server: Server;
let feed: URL;
let asked = 0;
let latest = '';

beforeEach(async () => {
  asked = 0;
  server = createServer((_, response) => {
    asked += 1;
    response.end(latest);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  feed = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
});
afterEach(() => {
  server.close();
});

/** Clicks, and gives what is told then. */
const told = (version = '1.2.3') =>
  new Promise<ReleaseWords>((resolve) => {
    newRelease({ feed, version, tell: async (words) => resolve(words) })();
  });

it('tells which release is newer, where to get it and that it downloads nothing', async () => {
  latest = '{"version":"1.10.0"}';
  const { type, message, detail } = await told();
  expect(type).toBe('info');
  expect(message).toBe('New release: 1.10.0');
  for (const words of ['You have 1.2.3.', 'where you got this one', 'SHA256SUMS', 'downloads nothing']) {
    expect(detail).toContain(words);
  }
});

it('tells that this is the newest', async () => {
  latest = '{"version":"1.2.3"}';
  expect(await told()).toEqual({
    type: 'info',
    message: 'You have the newest release',
    detail: 'This is 1.2.3.',
  });
});

it('tells what went wrong, what is safe and what to do', async () => {
  latest = 'no JSON';
  const { type, message, detail } = await told();
  expect(type).toBe('warning');
  expect(message).toBe(`${feed.host} names no release.`);
  expect(detail).toMatch(/^Nothing was downloaded\. Try again later/);
});

it('asks when it is called and not before, and once until the answer was read', async () => {
  latest = '{"version":"1.2.3"}';
  let wasRead = () => {};
  const tell = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        wasRead = resolve;
      }),
  );
  const click = newRelease({ feed, version: '1.2.3', tell });
  click();
  click();
  await vi.waitFor(() => expect(tell).toHaveBeenCalledOnce());
  click();
  wasRead();
  await vi.waitFor(() => {
    click();
    expect(tell).toHaveBeenCalledTimes(2);
  });
  expect(asked).toBe(2);
});
