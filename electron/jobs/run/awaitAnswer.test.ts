import { describe, expect, it } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { failing } from '../../files/testing/failing.ts';
import { createBench, infoOf, running } from '../testing/bench.ts';

/** A restore without an answer, on a node that the app asks about it every few milliseconds. */
async function silent() {
  const bench = await createBench({}, { silenceMs: 5 });
  const { node, restore } = bench;
  const nextCall = node.hold('restorewallet');
  node.handlers.getrpcinfo = () => running('restorewallet');
  await restore({ name: 'w', backupFile: fixtureFile('descriptor-hd') });
  const asked = () => node.calls.filter(({ method }) => method === 'getrpcinfo').length;
  return { ...bench, call: await nextCall(), asked };
}

describe('a connection that stays open without an answer', () => {
  it('is closed once the node no longer works on the call, and the wallet shows that the job is done', async () => {
    const { node, ended } = await silent();
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.getrpcinfo = () => running();
    expect(await ended()).toMatchObject({ state: 'done', connection: 'ok', result: { walletName: 'w' } });
    expect(node.calls.filter(({ method }) => method === 'restorewallet')).toHaveLength(1);
  });

  it('is closed if the call never reached the node, and the job has failed', async () => {
    const { node, ended } = await silent();
    node.handlers.getrpcinfo = () => running();
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'connection_lost' } });
  });

  it.each([
    ['works on it', () => running('restorewallet')],
    ['loads the wallet first, as release 24 does', () => running('loadwallet')],
    ['does not tell what runs', failing(rpc(-32601, 'Method not found', 'unknown_method'))],
    ['is too busy to say', failing(lost('busy'))],
  ] as const)('stays open while the node %s', async (_, answer) => {
    const { node, asked, call, ended, last, until, emitted, writeLog } = await silent();
    node.handlers.getrpcinfo = answer;
    const before = asked();
    writeLog('[w] Still rescanning. At block 100. Progress=0.5');
    await until(() => asked() > before + 4);
    expect(last()).toMatchObject({ state: 'running', connection: 'ok' });
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(emitted.map(({ connection }) => connection)).not.toContain('lost');
  });

  it('stays open if the call was missing from the running calls only once', async () => {
    const { node, asked, call, ended, until, emitted } = await silent();
    const answers = [running(), running('restorewallet'), running()];
    node.handlers.getrpcinfo = () => answers.shift() ?? running('restorewallet');
    const before = asked();
    await until(() => asked() > before + 5);
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(emitted.map(({ connection }) => connection)).not.toContain('lost');
  });

  it('shows since when the node is silent, until it answers again', async () => {
    const { node, clock, until, call, ended } = await silent();
    const began = clock.now;
    node.handlers.getrpcinfo = () => {
      clock.now += 60;
      throw lost('timed_out');
    };
    const { silentSince } = await until((job) => job.silentSince !== undefined);
    expect(silentSince).toBe(began);
    node.handlers.getrpcinfo = () => running('restorewallet');
    await until((job) => job.silentSince === undefined);
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done', silentSince: undefined });
  });
});
