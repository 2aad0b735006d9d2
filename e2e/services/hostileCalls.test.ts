/** Requests from a compromised page, and files that another program opens the app with. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod/mini';
import { CAN_LINK_FOLDERS } from '../../electron/files/testing/system.ts';
import { makeTestFolder } from '../../electron/files/testing/testFolder.ts';
import { requests } from '../../shared/contract.ts';
import { plan } from '../../shared/model/plan.ts';
import { type OpenedServices, openServices, startBench } from './services.ts';

let folder: string;
let opened: OpenedServices;
beforeEach(() => {
  folder = makeTestFolder();
  opened = openServices(join(folder, 'data'));
});
afterEach(async () => {
  await opened.services.close();
});

const LONG = 'x'.repeat(200_000);
const texts = ['', '\0', 'a\0b', LONG, '../../../etc/passwd', '__proto__', 'constructor', '\ud800'];
const values = [...texts, -1, 1e308, null, [], {}];
const fields = [
  ...'path name id task source destination backupFile passphrase plan action answers previousPlan'.split(' '),
  ...'network walletsFolder by address login purpose suggestedName part format private loadOnStartup'.split(
    ' ',
  ),
];

describe('a request', () => {
  // Searches for nodes and files would find those of this machine.
  // SECURITY.md: A compromised page
  it.each(Object.keys(requests).filter((name) => name !== 'nodes.discover' && name !== 'files.search'))(
    '%s answers any input without an internal error',
    async (name) => {
      const inputs: unknown[] = [
        ...[undefined, null, 0, 'x', [], [[]], true],
        JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
        ...values.map((value) => Object.fromEntries(fields.map((field) => [field, value]))),
        ...values.map((value) => ({
          source: { by: 'file', path: value },
          name: value,
          path: value,
          id: value,
          task: value,
        })),
      ];
      for (const input of inputs) {
        const answer = await opened.services.call(name, input);
        if (answer.ok) expect(() => JSON.stringify(answer.value)).not.toThrow();
        else {
          // The input may contain a secret, so an error never repeats it at length.
          expect(JSON.stringify(answer.error).length).toBeLessThan(10_000);
          expect(answer.error.code).not.toBe('internal');
        }
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', LONG])(
    'is refused if the contract does not define it: %s',
    async (name) => {
      expect(await opened.services.call(name, {})).toMatchObject({ ok: false, error: { code: 'bad_input' } });
    },
  );
});

/** Each request that writes to a path of the page's choice, with its input for a path. */
const writing: Record<string, (path: string) => unknown> = {
  'files.searchImage': (path) => ({ path: join(folder, 'image'), folder: path, task: 'search' }),
  'wallet.export': (path) => ({
    source: { by: 'file', path: join(folder, 'wallet.dat') },
    private: false,
    format: 'importdescriptors',
    destination: path,
  }),
  'plan.run': (path) => ({ plan: 'none', answers: { destination: path } }),
  'jobs.saveReport': (path) => ({ id: 'none', which: 'record', destination: path }),
  'engine.start': (path) => ({ walletsFolder: path, network: 'regtest' }),
  'nodes.useWalletsFolder': (path) => ({ path }),
};
/** Each other request with a path in its input. They only read; what `plan.make` plans is written by `plan.run`. */
const reading = [
  ...['nodes.connect', 'files.inspect', 'files.browse', 'files.forget', 'files.show', 'wallet.inspect'],
  ...['wallet.interruption', 'wallet.tryPassphrase', 'wallet.fromText', 'passphrase.count'],
  ...['passphrase.search', 'plan.make', 'plan.rehearse'],
];

describe('a request that writes to a path of the page’s choice', () => {
  // SECURITY.md: A compromised page
  it.each(
    Object.keys(writing).flatMap((name) =>
      [
        '.ssh/keys.json',
        '.config/autostart/a.txt',
        'Library/LaunchAgents/a.bak',
        ...(CAN_LINK_FOLDERS ? ['link/a.json'] : []),
        '.bash_profile',
      ].map((path) => [name, path] as const),
    ),
  )('%s does not write to %s', async (name, path) => {
    mkdirSync(join(folder, '.ssh'));
    if (CAN_LINK_FOLDERS) symlinkSync(join(folder, '.ssh'), join(folder, 'link'), 'junction');
    const input = writing[name]?.(join(folder, path));
    await expect(opened.call(name, input)).rejects.toThrow(/The app saves nothing there|Nothing was saved/);
    expect(
      readdirSync(folder)
        .filter((each) => each !== 'data')
        .sort(),
    ).toEqual(CAN_LINK_FOLDERS ? ['.ssh', 'link'] : ['.ssh']);
    expect(readdirSync(join(folder, '.ssh'))).toEqual([]);
  });

  it('is in this list, and every other request with a path is in the list of readers', () => {
    const withPath = Object.entries(requests).filter(([, { input }]) => {
      const shape = JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
      return /"(?:path|destination|folder|walletsFolder|cookieFile|logs)":/.test(shape);
    });
    expect(withPath.map(([name]) => name).sort()).toEqual([...Object.keys(writing), ...reading].sort());
  });
});

describe.skipIf(process.platform === 'win32')('a path that is not a regular file', () => {
  // SECURITY.md: A hostile wallet file
  it('is refused as a backup at once', async () => {
    const bench = await startBench('29.3');
    onTestFinished(bench.close);
    await bench.connect();
    const { services, call, node, folder } = bench;
    const at = (name: string) => join(folder, name);
    execFileSync('mkfifo', [at('pipe.bak')]);
    symlinkSync('/dev/zero', at('linked.bak'));
    symlinkSync('loop.bak', at('loop.bak'));
    const server = createServer().listen(at('socket.bak'));
    const special = ['pipe.bak', 'socket.bak', 'linked.bak', 'loop.bak'].map(at);
    for (const path of [...special, '/dev/zero', '/dev/null', folder, '/proc/self/mem', '/proc/kmsg']) {
      const source = { by: 'file', path };
      const inspected = await services.call('files.inspect', { path });
      if (inspected.ok) expect([path, inspected.value]).toMatchObject([path, { kind: 'other' }]);
      expect(await services.call('wallet.inspect', { source }), path).toMatchObject({ ok: false });
      const request = { action: 'restore', source, answers: {}, task: 'special' };
      const { id, checks } = plan.parse(await call('plan.make', request));
      expect(
        checks.map(({ verdict }) => verdict),
        path,
      ).toContain('blocker');
      expect(await call('plan.run', { plan: id, answers: {} }), path).toMatchObject({ began: false });
    }
    server.close();
    expect(node.countCalls('restorewallet')).toBe(0);
    for (const path of ['a\0b', `${folder}\0/x`, 'x'.repeat(5000), '', 'relative.dat']) {
      for (const name of ['files.inspect', 'files.browse', 'files.show']) {
        expect([name, path, (await services.call(name, { path })).ok]).toEqual([name, path, false]);
      }
    }
  });
});

describe('a file that the app is opened with', () => {
  it('reaches the page only if its path is valid', async () => {
    await opened.call('app.info');
    for (const path of ['', `/${LONG}.bak`, '/a\0.bak']) opened.services.openFile(path);
    opened.services.openFile('/home/ana/wallet.bak');
    expect(opened.events.filter(({ name }) => name === 'openFile')).toEqual([
      { name: 'openFile', value: { path: '/home/ana/wallet.bak' } },
    ]);
  });
});
