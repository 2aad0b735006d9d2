import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { headless } from '../../e2e/services/headless.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { walletWorkHere } from '../workers/testing/walletWorkHere.ts';
import { createServices } from './services.ts';

/** An engine that never says that it is ready. */
function silentEngine() {
  let end = () => {};
  const ended = new Promise<number | null>((resolve) => {
    end = () => resolve(0);
  });
  return { output: new PassThrough(), errors: new PassThrough(), ended, end, kill: end };
}

it('cancels the start of the first engine when the user disconnects', async () => {
  const startEngine = vi.fn(silentEngine);
  const services = createServices({
    host: { ...headless, startEngine },
    dataFolder: makeTestFolder(),
    walletWork: walletWorkHere,
    version: '0.0.0',
  });
  onTestFinished(() => services.close());
  const start = services.call('engine.start', { walletsFolder: null, network: 'regtest' });
  await vi.waitFor(() => expect(startEngine).toHaveBeenCalledOnce());
  await services.call('nodes.disconnect', {});
  expect(await start).toMatchObject({ ok: false, error: { code: 'cancelled' } });
});
