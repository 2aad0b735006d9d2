/** Faults of the connection between the app and the node, at every point of the long call. */
import { describe, expect, it } from 'vitest';
import { deferred } from '../../shared/testing/deferred.ts';
import { cutPoints, type HttpMessage } from './faultyConnection.ts';
import {
  expectKnownOutcomes,
  isCampaign,
  metBy,
  type Row,
  rowOf,
  runTrial,
  sampleOf,
  usual,
} from './reliability.ts';
import { hurried } from './trial.ts';

const rows: Row[] = [];

/** Pauses the node once it has received the call, before it logs or does anything. */
const AT_START = { holdAt: 'Last client version' } as const;

const trial = async (...trialOf: Parameters<typeof runTrial>) => {
  rows.push(await runTrial(...trialOf));
};

type Change = (answer: HttpMessage) => Buffer;

const changes: Record<string, Change> = {
  'JSON that is cut short': ({ body }) => answerOf(body.subarray(0, body.length >> 1)),
  'not JSON': () => answerOf(Buffer.from('done\n')),
  empty: () => answerOf(Buffer.alloc(0)),
  'of another call': ({ body }) => answerOf(withFields(body, { id: 123_456 })),
  'an error of another call': ({ body }) =>
    answerOf(withFields(body, { id: 123_456, result: undefined, error: { code: -4, message: 'No.' } })),
  'without result and error': ({ body }) => answerOf(withFields(body, { result: undefined })),
  'a list': () => answerOf(Buffer.from('[]')),
  'of 50 MB': ({ body }) => answerOf(Buffer.concat([body.subarray(0, -2), padding(50), Buffer.from('}\n')])),
  'of 70 MB': ({ body }) => answerOf(Buffer.concat([body.subarray(0, -2), padding(70), Buffer.from('}\n')])),
  'HTML with status 200': () => answerOf(HTML),
  'HTML with status 503': () => answerOf(HTML, '503 Service Unavailable'),
  'HTML with status 502': () => answerOf(HTML, '502 Bad Gateway'),
  'HTML with status 504': () => answerOf(HTML, '504 Gateway Timeout'),
  'not HTTP': () => Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
};

/** Where the node has not received the call, where it has, and where it has answered. */
const cuts = sampleOf(cutPoints, [
  'in the body of the request',
  'after the request',
  'before the last byte of the answer',
]);
const stalls = sampleOf(cutPoints, ['in the body of the answer']);
const stallsForGood = sampleOf(cutPoints, ['in the body of the request', 'in the body of the answer']);
/** One for each way in which the client recognises them: see `client.test.ts`. */
const answers = sampleOf(Object.keys(changes), [
  'an error of another call',
  'HTML with status 503',
  'of 70 MB',
  'not HTTP',
]);

const HTML = Buffer.from('<!doctype html><title>Welcome</title><p>Log in to use this network.\n');

function answerOf(body: Buffer, status = '200 OK'): Buffer {
  const head = `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function withFields(body: Buffer, fields: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString('utf8')), ...fields }));
}

function padding(megabytes: number): Buffer {
  return Buffer.from(`,"padding":"${'x'.repeat(megabytes * 1_000_000)}"`);
}

describe.concurrent.each(usual)('a %s ends well if the connection', (kind) => {
  it.runIf(isCampaign || kind === 'restore')('is refused', () =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      app.services.subscribe((name, value) => {
        if (name === 'job' && JSON.stringify(value).includes('"phase":"sent","state":"running"'))
          on.connection.refuse();
      });
      const { id } = await app.start();
      const ended = await app.ended(id);
      await on.connection.accept();
      return rowOf(on, 'connection refused', 'to the call', ended);
    }),
  );

  it.each(metBy(kind, cuts))('is cut %s', (place) =>
    trial(kind, place === 'after the request' ? AT_START : {}, async (on) => {
      const app = await on.open();
      const when = place === 'after the request' ? () => on.node.untilPaused() : undefined;
      on.connection.setFault({ method: on.method, place, does: 'cut', ...(when ? { when } : {}) });
      const { id } = await app.start();
      if (when) {
        await app.until(id, ({ connection }) => connection === 'lost');
        on.node.resume();
      }
      return rowOf(on, 'connection cut', place, await app.ended(id));
    }),
  );

  it.each(metBy(kind, stalls, 1))('stalls for a while %s', (place) =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      const { promise: stalled, resolve: stalls } = deferred();
      on.connection.setFault({ method: on.method, place, does: 'stall', when: async () => stalls() });
      const { id } = await app.start();
      await stalled;
      expect((await app.job())?.state).toBe('running');
      on.connection.resume();
      return rowOf(on, 'connection stalls for a while', place, await app.ended(id));
    }),
  );

  it.runIf(isCampaign || kind === 'migrate')('stalls for good and the user stops waiting', () =>
    trial(kind, AT_START, async (on) => {
      const app = await on.open();
      on.connection.setFault({
        method: on.method,
        place: 'before the last byte of the answer',
        does: 'stall',
      });
      const { id } = await app.start();
      await on.node.untilPaused();
      await app.call('jobs.stopWaiting', { id });
      const ended = await app.ended(id);
      return rowOf(on, 'connection stalls for good, the user stops waiting', 'while the node works', ended);
    }),
  );

  it.each(metBy(kind, stallsForGood, 2))('stalls for good %s and the app notices', (place) =>
    trial(kind, {}, async (on) => {
      const app = await on.open({ ...hurried, answerPollMs: 1000 });
      on.connection.setFault({ method: on.method, place, does: 'stall' });
      const { id } = await app.start();
      return rowOf(on, 'connection stalls for good', place, await app.ended(id));
    }),
  );

  it.each(metBy(kind, answers))('delivers another answer: %s', (name) =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      on.connection.changeAnswer(on.method, changes[name] ?? (() => answerOf(HTML)));
      const { id } = await app.start();
      return rowOf(on, 'another answer', name, await app.ended(id));
    }),
  );
});

it('has the known outcomes', () => expectKnownOutcomes('The connection', rows));
