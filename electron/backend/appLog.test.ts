import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { appLogPath, createAppLog } from './appLog.ts';

const ABOUT = { version: '1.2.3', entry: 'browser' };
let folder: string;

beforeEach(() => {
  folder = makeTestFolder();
});

/** The lines of the log without their times. */
const lines = () =>
  readFileSync(appLogPath(folder), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, ''));

it('logs the start, connections, the steps of jobs, and the codes of failed requests', () => {
  const log = createAppLog(folder, ABOUT);
  log.connection({ state: 'connected', node: sampleNodeStatus() });
  const running = sampleJob({ id: 'ab', steps: [{ phase: 'safety-copy', state: 'running' }] });
  log.job(running);
  log.job({ ...running, progress: { share: 0.5 } as never });
  log.job({ ...running, steps: [{ phase: 'sent', state: 'running' }], connection: 'lost' });
  const proofError = { code: 'no_space', message: 'No room on /home/ana', hint: '' } as const;
  log.job({ ...running, state: 'done', steps: [], proofError });
  log.failure('plan.make', new AppError('file_missing', 'No /home/ana/x', 'Nothing was changed.'));
  const ofNode = { code: -4, message: 'Wallet “ana” corrupted' };
  log.failure('wallets.load', new AppError('wallet_error', 'x', 'y', ofNode));
  log.close();
  const [first, ...rest] = lines();
  expect(first).toMatch(/^started 1\.2\.3 browser \w+ \S+ \w+ node \d+/);
  const { network, release } = sampleNodeStatus();
  expect(rest).toEqual([
    `connection connected ${network} ${release.text}`,
    'job ab migrate running safety-copy',
    'job ab migrate running sent connection lost',
    'job ab migrate done not compared: no_space',
    'failed plan.make file_missing',
    'failed wallets.load wallet_error rpc -4',
    'closed',
  ]);
});

it('writes no name, path, label, amount or message', () => {
  const log = createAppLog(folder, ABOUT);
  const secret = 'hidden-stash';
  log.connection({ state: 'connected', node: sampleNodeStatus({ label: secret }) });
  const error = { code: 'wallet_error', message: secret, hint: secret } as const;
  log.job(sampleJob({ wallet: secret, state: 'failed', log: [secret], warnings: [secret], error }));
  const fault = Object.assign(new Error(`cannot open /home/${secret}/wallet.dat`), { path: secret });
  fault.stack = `Error: ${secret}\n    at read (/home/${secret}/app/main.cjs:12:5)\n    at /opt/${secret}/x.cjs:1:2`;
  log.failure('files.inspect', fault);
  log.failure('files.inspect', secret);
  log.close();
  expect(readFileSync(appLogPath(folder), 'utf8')).not.toContain(secret);
  expect(lines()).toContain('failed files.inspect Error main.cjs:12:5 x.cjs:1:2');
  expect(lines()).toContain('failed files.inspect not an error');
});

it('starts a new file at a mebibyte and keeps the one before', () => {
  writeFileSync(appLogPath(folder), 'x'.repeat(1024 * 1024 + 1));
  createAppLog(folder, ABOUT).close();
  expect(statSync(join(folder, 'app.old.log')).size).toBe(1024 * 1024 + 1);
  expect(lines().at(-1)).toBe('closed');
  expect(lines()).toHaveLength(2);
});

it.skipIf(process.platform === 'win32')('can be read by its owner only', () => {
  createAppLog(folder, ABOUT).close();
  expect(statSync(appLogPath(folder)).mode & 0o777).toBe(0o600);
});

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('drops lines if it cannot write', () => {
  chmodSync(folder, 0o500);
  createAppLog(folder, ABOUT).close();
  expect(existsSync(appLogPath(folder))).toBe(false);
});

it('drops lines if its folder is a file, and prints nothing', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const file = join(folder, 'file');
  writeFileSync(file, '');
  createAppLog(file, ABOUT).close();
  expect(readFileSync(file, 'utf8')).toBe('');
  expect(print).not.toHaveBeenCalled();
  print.mockRestore();
});
