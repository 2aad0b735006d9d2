import { expect, it } from 'vitest';
import { z } from 'zod/mini';
import { type RequestName, requestTable } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { ImageSearchResult } from '../../shared/model/searches.ts';
import { sampleInspection } from '../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../shared/testing/samplePlan.ts';
import { sampleWallet } from '../../shared/testing/sampleWallet.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { OTHERS_MAY_READ } from '../../shared/wording/findings/hints.ts';
import { type CommandDeps, createClient } from './client.ts';
import { readCommandLine } from './commandLine.ts';
import { runVerb } from './runVerb.ts';

const saved: ImageSearchResult['wallets'][number] = {
  kind: 'sqlite',
  keys: 1,
  encrypted: false,
  pages: 3,
  path: '/out/found-1.dat',
  wasThere: false,
  error: null,
};
const full = { code: 'no_space', finding: { code: 'disk_full' } } as const;

it.each([
  ['saved what it found', 0, [saved, { ...saved, path: '/out/found-2.dat', wasThere: true }]],
  ['found nothing', 1, []],
  ['could save nothing on a full disk', 1, [{ ...saved, path: null, error: full }]],
  ['could save only a part on a full disk', 1, [saved, { ...saved, path: null, error: full }]],
])('exits a search that %s with %i', async (_, code, wallets) => {
  const { exitCode, printed } = await searched({ wallets, unread: 0, leftOver: false });
  expect(exitCode).toBe(code);
  const isFull = wallets.some(({ error }) => error !== null);
  expect(printed.join(' ').includes('The disk is full.')).toBe(isFull);
});

// SECURITY.md: Other users, on Windows, outside your own folders
it.each([
  ['may be able', { othersMayRead: true }, [OTHERS_MAY_READ]],
  ['cannot', {}, []],
] as const)('says where other users %s to read what a search wrote', async (_, rights, words) => {
  const { printed } = await searched({ wallets: [saved], unread: 0, leftOver: false, ...rights });
  expect(printed).toEqual(words);
});

it('prints the command that looks into what a search found, or has it written', async () => {
  const next = async (found: typeof saved, folder: string | null) =>
    (await searched({ wallets: [found], unread: 0, leftOver: false }, folder)).result.at(-1);
  expect(await next(saved, '/out')).toBe('  ferry inspect /out/found-1.dat');
  expect(await next({ ...saved, path: null }, null)).toBe('  ferry search /image --out DIR');
});

const EXPORT = { verb: 'export', file: '/w', passphraseFd: null, format: 'lines' };

it('says before it writes private keys where a service copies them', async () => {
  const linesOf = async (destination: string, isPrivate: boolean) => {
    const written = { path: destination, size: 9, descriptors: 8, keys: null, othersMayRead: false };
    const command = { ...EXPORT, destination, private: isPrivate, json: false };
    const { printed } = await ran(command, (name) =>
      name === 'wallet.export' ? written : sampleInspection(),
    );
    return printed;
  };
  const [first] = await linesOf('/home/u/Dropbox/keys.txt', true);
  expect(first).toBe('This folder syncs to Dropbox.');
  expect(await linesOf('/home/u/keys.txt', true)).not.toContain(first);
  expect(await linesOf('/home/u/Dropbox/list.txt', false)).toEqual([]);
});

// SECURITY.md: Other users, on Windows, outside your own folders
it.each([
  ['may be able', true],
  ['cannot', false],
] as const)('says where other users %s to read what an export wrote', async (_, othersMayRead) => {
  const written = { path: '/out/list.txt', size: 9, descriptors: 8, keys: null, othersMayRead };
  const command = { ...EXPORT, destination: '/out/list.txt', private: false };
  const { printed } = await ran({ ...command, json: false }, (name) =>
    name === 'wallet.export' ? written : sampleInspection(),
  );
  expect(printed).toEqual(othersMayRead ? [OTHERS_MAY_READ] : []);
});

const STOP = { id: 'interrupted', verdict: 'blocker', title: 'Incomplete', text: [], todo: [] } as const;

it('backs up the other wallets where one cannot start, counts them, and prints them as one document', async () => {
  const busy = { code: 'job_running', message: 'This wallet is busy.', hint: 'Wait.' } as const;
  const line = ['run', 'backup', '--all', '/b', '--node', 'http://node:8332', '--cookie', '/c', '--yes'];
  const run = (args: readonly string[]) =>
    ran(readCommandLine(args), (name, input) => {
      const { source, plan: id } = input as { source?: { name: string }; plan?: string };
      if (id === 'busy') throw AppError.fromShape(busy);
      if (name === 'nodes.connect') return { state: 'connected', node: sampleNodeStatus({ local: false }) };
      if (name === 'wallets.list')
        return { wallets: ['busy', 'free', 'kept'].map((each) => sampleWallet({ name: each })), closed: [] };
      if (name === 'plan.make') {
        const made = samplePlan({ action: 'backup', id: source?.name ?? '' });
        return made.id === 'kept' ? { ...made, checks: [STOP], isKept: true } : made;
      }
      return { began: true, job: sampleJob({ kind: 'backup', wallet: id ?? '', state: 'done' }) };
    });
  const { exitCode, result } = await run(line);
  expect(exitCode).toBe(1);
  expect(result.join('\n')).toMatch(/“busy”\n {2}This wallet is busy\.\n {2}Wait\.[\s\S]*: “free”/);
  expect(result.at(-1)).toBe('1 of 2 backed up');
  const { documents } = await run([...line, '--json']);
  expect(documents).toMatchObject([
    [
      { ok: false, error: busy },
      { began: true, job: { wallet: 'free' } },
    ],
  ]);
});

it('fails a backup of all wallets where one cannot be listed, or another node answers meanwhile', async () => {
  const line = ['run', 'backup', '--all', '/b', '--node', 'http://node:8332', '--cookie', '/c', '--yes'];
  const first = sampleNodeStatus({ local: false, walletsFolder: '/one' });
  const run = (closed: string[], ...nodes: NodeStatus[]) =>
    ran(readCommandLine(line), (name) => {
      if (name === 'nodes.connect') return { state: 'connected', node: first };
      if (name === 'wallets.list') return { wallets: [sampleWallet(), sampleWallet()], closed };
      if (name === 'plan.make') return samplePlan({ action: 'backup' }, nodes.shift());
      return { began: true, job: sampleJob({ kind: 'backup', state: 'done' }) };
    });
  const hidden = await run(['/one/hidden'], first, first);
  expect(hidden.exitCode).toBe(1);
  expect(hidden.result.at(-1)).toBe('2 of 2 backed up');
  expect(hidden.printed).toContain('/one/hidden');
  const changed = await run([], first, { ...first, walletsFolder: '/two' });
  expect(changed.exitCode).toBe(1);
  expect(changed.result.at(-1)).toBe('1 of 2 backed up');
  expect(changed.result.join('\n')).toContain('Connected to another node.');
});

it('shows a plan that got a warning and runs it, but runs none that got a blocker or other calls', async () => {
  const plan = samplePlan({ action: 'backup' });
  const run = async (
    ...changes: (Pick<Plan['checks'][number], 'verdict'> & Partial<Pick<Plan, 'calls'>>)[]
  ) => {
    const line = ['run', 'backup', 'w', '/b.dat', '--node', 'http://node:8332', '--cookie', '/c', '--yes'];
    const { exitCode, result } = await ran(readCommandLine(line), (name) => {
      if (name === 'nodes.connect') return { state: 'connected', node: sampleNodeStatus({ local: false }) };
      if (name === 'plan.make') return plan;
      const change = changes.shift();
      if (change) {
        const { calls = plan.calls, verdict } = change;
        return { began: false, plan: { ...plan, calls, checks: [{ ...STOP, verdict }] } };
      }
      return { began: true, job: sampleJob({ kind: 'backup', state: 'done' }) };
    });
    return [exitCode, result.some((printed) => printed.includes('Incomplete'))];
  };
  expect(await run()).toEqual([0, false]);
  expect(await run({ verdict: 'warning' })).toEqual([0, true]);
  expect(await run({ verdict: 'blocker' })).toEqual([4, true]);
  const calls = [{ method: 'backupwallet', params: ['/other.dat'], wallet: 'w', when: null }];
  expect(await run({ verdict: 'warning', calls })).toEqual([4, true]);
});

it.each([
  ['/home/u/backups', /^\/home\/u\/backups\/savings [\d -]+\.dat$/],
  ['D:\\backups', /^D:\\backups\\savings [\d -]+\.dat$/],
])('names a folder of a node on another machine as it was typed: %s', async (folder, destination) => {
  const line = ['run', 'backup', '--all', folder, '--node', 'http://node:8332', '--cookie', '/c', '--yes'];
  const destinations: unknown[] = [];
  await ran(readCommandLine(line), (name, input) => {
    if (name === 'nodes.connect') return { state: 'connected', node: sampleNodeStatus({ local: false }) };
    if (name === 'wallets.list') return { wallets: [sampleWallet({ name: 'savings' })], closed: [] };
    if (name === 'plan.make') return samplePlan({ action: 'backup' });
    destinations.push((input as { answers: { destination: string } }).answers.destination);
    return { began: true, job: sampleJob({ kind: 'backup', state: 'done' }) };
  });
  expect(destinations).toEqual([expect.stringMatching(destination)]);
});

function searched(found: ImageSearchResult, folder: string | null = '/out') {
  return ran({ verb: 'search', image: '/image', folder, json: false }, () => found);
}

async function ran(command: object, answer: (name: RequestName, input: unknown) => unknown) {
  const services = {
    call: async (name: RequestName, input: unknown) => {
      try {
        const value = z.encode<z.ZodMiniType>(requestTable[name].output, answer(name, input));
        return { ok: true, value } as const;
      } catch (error) {
        return { ok: false, error: errorShapeOf(error) } as const;
      }
    },
    subscribe: () => () => {},
  };
  const printed: string[] = [];
  const err = (lines: readonly string[]) => void printed.push(...lines);
  const result: string[] = [];
  const out = (lines: readonly string[]) => void result.push(...lines);
  const documents: unknown[] = [];
  const document = (value: unknown) => void documents.push(value);
  const terminal = { progress: () => {}, out, err, document };
  const { signal } = new AbortController();
  const deps = {
    client: createClient(services),
    terminal,
    program: 'ferry',
    signal,
  } as unknown as CommandDeps;
  return { exitCode: await runVerb(command as never, deps), printed, result, documents };
}
