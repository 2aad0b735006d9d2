import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { createBench, infoOf } from '../testing/bench.ts';

const backupFile = fileURLToPath(
  new URL('../../../e2e/fixtures/wallets/descriptor-hd/wallet.dat', import.meta.url),
);

const active = (...methods: string[]) => ({
  active_commands: [...methods, 'getrpcinfo'].map((method) => ({ method, duration: 1000 })),
  logpath: '/x',
});

/** A restore whose answer does not come, on a node that is asked about it every few milliseconds. */
async function silent() {
  const bench = await createBench({}, { silenceMs: 5 });
  const { node, restore } = bench;
  const held = node.hold('restorewallet');
  node.handlers.getrpcinfo = () => active('restorewallet');
  await restore({ name: 'w', backupFile, loadOnStartup: null });
  const asked = () => node.calls.filter(({ method }) => method === 'getrpcinfo').length;
  return { ...bench, call: await held(), asked };
}

describe('a line that stays up while nothing comes over it', () => {
  it('is left once the node no longer works on the call: done by what the node shows', async () => {
    const { node, ended } = await silent();
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.getrpcinfo = () => active();
    expect(await ended()).toMatchObject({ state: 'done', connection: 'ok', result: { walletName: 'w' } });
    expect(node.calls.filter(({ method }) => method === 'restorewallet')).toHaveLength(1);
  });

  it('is left where the call never came to the node: failed, with nothing done', async () => {
    const { node, ended } = await silent();
    node.handlers.getrpcinfo = () => active();
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'connection_lost' } });
  });

  it.each([
    ['works on it', () => active('restorewallet')],
    ['loads the wallet first, as release 24 does', () => active('loadwallet')],
    [
      'does not tell what runs',
      () => {
        throw rpc(-32601, 'Method not found', 'unknown_method');
      },
    ],
    [
      'is too busy to say',
      () => {
        throw lost('busy');
      },
    ],
  ] as const)('is waited on while the node %s', async (_, answer) => {
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

  it('one look at which it does not run is not enough', async () => {
    const { node, asked, call, ended, until, emitted } = await silent();
    const answers = [active(), active('restorewallet'), active()];
    node.handlers.getrpcinfo = () => answers.shift() ?? active('restorewallet');
    const before = asked();
    await until(() => asked() > before + 5);
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(emitted.map(({ connection }) => connection)).not.toContain('lost');
  });

  it('says since when nothing was heard, and no longer once the node is heard', async () => {
    const { node, clock, until, call, ended } = await silent();
    const began = clock.now;
    node.handlers.getrpcinfo = () => {
      clock.now += 60;
      throw lost('timed_out');
    };
    const { silentSince } = await until((job) => job.silentSince !== undefined);
    expect(silentSince).toBe(began);
    node.handlers.getrpcinfo = () => active('restorewallet');
    await until((job) => job.silentSince === undefined);
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done', silentSince: undefined });
  });
});
