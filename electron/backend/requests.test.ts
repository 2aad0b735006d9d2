import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAX_PASTED_LENGTH } from '../../shared/contract.ts';
import { endedJob } from '../../shared/testing/sampleJob.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { createPathGuard } from './pathGuard.ts';
import type { RequestDeps } from './requests.ts';
import { createCall } from './services.ts';

const path = '\\\\evil.example\\share\\wallet.dat';
const source = { by: 'file', path };

/** The services are missing: a request that reaches one throws another error. */
const deps = {
  info: { dataFolder: tmpdir() },
  walletFiles: {},
  plans: {},
  failed: () => undefined,
  pathGuard: createPathGuard({
    hasDialogs: true,
    knownFolders: async () => [],
    nodeFolders: async () => [],
    ownFolders: [],
    platform: 'win32',
  }),
} as unknown as RequestDeps;
const call = createCall(deps);

// SECURITY.md: A compromised page
it.each([
  ['files.inspect', { path }],
  ['files.browse', { path }],
  ['files.show', { path }],
  ['files.forget', { path }],
  ['files.searchImage', { path, folder: null, task: 'a' }],
  ['wallet.inspect', { source }],
  ['wallet.interruption', { source }],
  ['wallet.tryPassphrase', { source, passphrase: 'x' }],
  ['wallet.fromText', { from: source }],
  ['plan.make', { action: 'restore', source, answers: {} }],
  ['nodes.useWalletsFolder', { path }],
  ['engine.start', { walletsFolder: path, network: 'main' }],
])('%s refuses a path to another machine', async (name, input) => {
  const refused = { ok: false, error: { message: 'On another machine.' } };
  expect(await call(name, input)).toMatchObject(refused);
});

it.each([
  ['x'.repeat(MAX_PASTED_LENGTH + 1), 'beyond_limits', 'Too long.'],
  [7, 'bad_input', 'Not understood: from.text.'],
])('says what is wrong with an input that it refuses', async (text, code, message) => {
  expect(await call('wallet.fromText', { from: { by: 'text', text } })).toMatchObject({
    ok: false,
    error: { code, message },
  });
});

it('jobs.resolve compares only the named job again, and without one looks for unknown outcomes', async () => {
  const asked: string[] = [];
  const jobs = {
    compareAgain: async (id: string) => void asked.push(id),
    resolveUnknown: async () => void asked.push('unknown outcomes'),
  };
  const callJobs = createCall({ ...deps, jobs } as unknown as RequestDeps);
  await callJobs('jobs.resolve', {});
  await callJobs('jobs.resolve', { id: 'one' });
  expect(asked).toEqual(['unknown outcomes', 'one']);
});

it('jobs.report says of a backup that its file is not there', async () => {
  const proof = {
    seen: true,
    path: join(makeTestFolder(), 'w.bak'),
    size: 1,
    sha256: 'a',
  } as const;
  const job = endedJob('backup', 'w', { result: { kind: 'backup', walletName: 'w', proof } });
  const jobs = { list: async () => [job] };
  const callJobs = createCall({
    ...deps,
    info: { ...deps.info, version: '1' },
    jobs,
  } as unknown as RequestDeps);
  const report = await callJobs('jobs.report', { id: job.id, which: 'record' });
  expect(report).toMatchObject({ ok: true, value: { text: expect.stringContaining('File not seen') } });
});

it('says that a file is gone only where its folder is, and else that its disk may be missing', async () => {
  const folder = makeTestFolder();
  const messageFor = (path: string) => createCall({ ...deps, pathGuard: null })('files.show', { path });
  expect(await messageFor(join(folder, 'a.dat'))).toMatchObject({ error: { message: 'This file is gone.' } });
  const out = join(folder, 'disk', 'a.dat');
  expect(await messageFor(out)).toMatchObject({
    error: { code: 'file_missing', message: expect.stringContaining(out) },
  });
});
