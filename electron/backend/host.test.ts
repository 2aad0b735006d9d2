import { expect, it } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { leavingWords } from './host.ts';

const NODE = 'The node continues; the result appears next time.';
const CHECKED = 'Jobs being checked are done. The app checks them next time.';
const ENDING = 'stop when you quit. The app checks them next time.';
const UNCHANGED = 'stop when you quit. Their wallets stay unchanged.';

const on = (offline: boolean, ...steps: Job['steps']) => ({
  node: {
    label: 'node',
    address: { host: '127.0.0.1', port: 8332, tls: false },
    network: 'main',
    release: '28.1',
    offline,
  } as const,
  steps,
});
const onNode = on(false, { phase: 'sent', state: 'running' });
const unlocked = { ...onNode, unlocks: true as const };
const notSent = on(false, { phase: 'safety-copy', state: 'running' }, { phase: 'sent', state: 'waiting' });
const inEngine = on(true, { phase: 'sent', state: 'running' });
const checked = on(false, { phase: 'sent', state: 'done' }, { phase: 'proving', state: 'running' });

it.each([
  ['on a node', [onNode], 'Jobs still running: 1', NODE],
  [
    'on a node, with an unlocked wallet',
    [unlocked],
    'Jobs still running: 1',
    `${NODE} The wallet stays unlocked.`,
  ],
  [
    'not sent, for an unlocked wallet',
    [{ ...notSent, unlocks: true as const }],
    'Jobs still running: 1',
    `They ${UNCHANGED}`,
  ],
  // It may finish as it ends.
  ['in the engine', [inEngine], 'Jobs still running: 1', `They ${ENDING}`],
  ['not sent', [notSent], 'Jobs still running: 1', `They ${UNCHANGED}`],
  ['being checked', [checked], 'Jobs still running: 1', CHECKED],
  [
    'of every kind',
    [onNode, inEngine, checked, onNode],
    'Jobs still running: 4',
    `${CHECKED} ${NODE} Other jobs ${ENDING}`,
  ],
])('says what happens to jobs that run: %s', (_, running, message, detail) => {
  expect(leavingWords(running, false)).toEqual({ message, detail });
});

it('says that what waits for its start does not start without the app', () => {
  const waiting = 'Other wallets start only while the app is open.';
  expect(leavingWords([], true)).toEqual({ message: waiting, detail: '' });
  expect(leavingWords([onNode], true).detail).toBe(`${NODE} ${waiting}`);
});
