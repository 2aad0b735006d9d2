import { expect, it } from 'vitest';
import { NO_BACKUPS } from '../../../shared/model/walletBackups.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { failedBackups } = await import('./Wallets.tsx');

it('names each wallet whose last backup failed, with the reason, even if an earlier one is finished', () => {
  const finished = sampleJob({ kind: 'backup', state: 'done' });
  const error = { code: 'no_space', message: 'Not enough space.', hint: '' } as const;
  const failed = sampleJob({ kind: 'backup', state: 'failed', error });
  const backups = new Map([
    ['full', { ...NO_BACKUPS, lastTried: failed }],
    ['again', { ...NO_BACKUPS, lastFinished: finished, lastTried: failed }],
    ['saved', { ...NO_BACKUPS, lastFinished: finished, lastTried: finished }],
  ]);
  const refused = { state: 'refused', error: { ...error, message: 'Taken.' } } as const;
  const names = ['full', 'again', 'saved', 'new', 'taken'];
  expect(failedBackups(names, backups, (wallet) => (wallet === 'taken' ? refused : null))).toEqual([
    { wallet: 'full', why: 'Not enough space.' },
    { wallet: 'again', why: 'Not enough space.' },
    { wallet: 'taken', why: 'Taken.' },
  ]);
});
