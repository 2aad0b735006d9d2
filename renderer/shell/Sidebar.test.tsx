import { expect, it } from 'vitest';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../shared/testing/sampleWallet.ts';
import type { StoredIcon } from '../state/openedStore.ts';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../state/testing/rendered.tsx';

installFakeFerry();
const { Sidebar } = await import('./Sidebar.tsx');
const { useApp } = await import('../state/appStore.ts');
const { useJobs } = await import('../state/jobsStore.ts');
const { useWallets } = await import('../state/walletsStore.ts');
const { useOpened } = await import('../state/openedStore.ts');

it('lists a few of many opened files, those in danger first and the shown one among them, and offers the others', () => {
  const markAt = (at: number): StoredIcon | null => {
    if (at >= 400) return 'read';
    return at === 333 ? 'danger' : at >= 330 ? 'interrupted' : null;
  };
  const files = Array.from({ length: 500 }, (_, at) => ({
    path: `/file ${at}.dat`,
    title: `file ${at}.dat`,
    balance: null,
    icon: markAt(at),
    version: null,
  }));
  startWith(useOpened, { files });
  startWith(useApp, { route: { at: 'wallet', source: { by: 'file', path: '/file 321.dat' } } });
  const markup = rendered(<Sidebar />);
  startWith(useOpened, { files: [] });
  startWith(useApp, { route: { at: 'home' } });
  expect(markup.match(/(?<=title=")file [^"]+/g)).toEqual(
    [333, 330, 331, 332, 334, 321].map((at) => `file ${at}.dat`),
  );
  expect(markup).toContain('Show 50 more');
});

it('offers the wallets of the node that it does not list, and lists those not in use last', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'kept'];
  const kept = { copies: 1, restoredAs: 'a' };
  const wallets = names
    .toReversed()
    .map((name) =>
      sampleWallet(name === 'kept' ? { name, kind: 'interrupted', interruption: kept } : { name }),
    );
  startWith(useWallets, { wallets });
  startWith(useApp, { connection: { state: 'connected', node: sampleNodeStatus() } });
  const listed = () => {
    const markup = rendered(<Sidebar />);
    return [markup.match(/(?<=title=")(?:\w|kept)(?=")/g), /Show \d+ more/.exec(markup)?.[0]];
  };
  expect(listed()).toEqual([['g', 'f', 'e', 'd', 'c', 'b'], 'Show 2 more']);
  startWith(useWallets, { wallets: wallets.slice(0, 6) });
  expect(listed()).toEqual([['g', 'f', 'e', 'd', 'c', 'kept'], undefined]);
  startWith(useWallets, { wallets: null });
  startWith(useApp, { connection: { state: 'none' } });
});

it('marks the wallet of the shown job, unless another node has it', () => {
  const jobIn = (walletsFolder: string) =>
    sampleJob({ id: walletsFolder, wallet: 'a', node: { ...sampleJob().node, walletsFolder } });
  const node = sampleNodeStatus({ walletsFolder: '/here' });
  const jobs = [jobIn('/here'), jobIn('/elsewhere')];
  startWith(useJobs, { jobs });
  startWith(useWallets, { wallets: [sampleWallet({ name: 'a' })] });
  const isMarked = (job: string) => {
    const source = { by: 'wallet', name: 'a' } as const;
    startWith(useApp, { connection: { state: 'connected', node }, route: { at: 'wallet', source, job } });
    return rendered(<Sidebar />).includes('aria-current');
  };
  expect(['/here', '/elsewhere'].map(isMarked)).toEqual([true, false]);
  startWith(useJobs, { jobs: [] });
  startWith(useWallets, { wallets: null });
  startWith(useApp, { connection: { state: 'none' }, route: { at: 'home' } });
});
