import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CAN_LINK_FOLDERS } from '../files/testing/system.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { createPathGuard as create } from './pathGuard.ts';

let home: string;
beforeEach(() => {
  home = makeTestFolder();
});

const createPageWrites = (options: Partial<Parameters<typeof create>[0]> = {}) =>
  create({
    hasDialogs: true,
    knownFolders: async () => [],
    nodeFolders: async () => [],
    ownFolders: [],
    ...options,
  });

const ENDINGS = ['.json', '.txt'];
const write = async (path: string, writes = createPageWrites()) => {
  await writes.refuseFile('save-descriptors', path, ENDINGS);
  return 'written';
};

describe('a wallets folder that the page names', () => {
  const refused = 'The app saves nothing there.';

  it('must come from the system’s dialog or be known to the app', async () => {
    const known = join(home, '.known');
    const writes = createPageWrites({ knownFolders: async () => [known] });
    writes.recordChoice('wallets-folder', join(home, '.chosen'));
    writes.recordChoice('backups-folder', join(home, 'backups'));
    await writes.refuseWalletsFolder(join(home, '.chosen'));
    await writes.refuseWalletsFolder(known);
    await writes.refuseWalletsFolder(join(home, 'x', '..', '.known'));
    for (const other of [home, join(home, 'backups'), join(known, 'inside'), join(home, '.chosen', '..')])
      await expect(writes.refuseWalletsFolder(other)).rejects.toThrow(refused);
  });

  it('must be visible or a node’s in a browser, which has no such dialog', async () => {
    const [node, hidden] = [join(home, '.bitcoin'), join(home, '.ssh')];
    const writes = createPageWrites({
      hasDialogs: false,
      nodeFolders: async () => [node, join(home, 'none')],
    });
    mkdirSync(join(node, 'wallets'), { recursive: true });
    mkdirSync(hidden);
    await writes.refuseWalletsFolder(join(home, 'wallets'));
    await writes.refuseWalletsFolder(join(node, 'wallets'));
    const others = [hidden, join(node, '..', '.ssh'), join(home, '.config', 'autostart'), join(node, 'none')];
    for (const other of others) await expect(writes.refuseWalletsFolder(other)).rejects.toThrow(refused);
  });

  it.skipIf(!CAN_LINK_FOLDERS)('must not be a link to a hidden folder in a node’s', async () => {
    const [node, hidden] = [join(home, '.bitcoin'), join(home, '.ssh')];
    for (const folder of [node, hidden]) mkdirSync(folder);
    symlinkSync(hidden, join(node, 'link'), 'junction');
    const writes = createPageWrites({ hasDialogs: false, nodeFolders: async () => [node] });
    await expect(writes.refuseWalletsFolder(join(node, 'link'))).rejects.toThrow(refused);
  });
});

describe('a path that the page names', () => {
  it.each(['keys.json', 'KEYS.TXT', 'a b.txt'])(
    'may be a visible file with an ending that the app writes: %s',
    async (name) => {
      expect(await write(join(home, name))).toBe('written');
    },
  );

  it.each([
    '.bash_profile',
    '.profile.txt',
    'run.sh',
    'keys',
    'keys.txt.desktop',
    'keys.json.',
    'keys.json/',
    '.config/autostart/keys.txt',
    '.ssh/keys.txt',
    'Library/LaunchAgents/keys.json',
    'Startup/keys.txt',
    'visible/../.ssh/keys.txt',
  ])('must not be a hidden file, a program or a file that the system starts: %s', async (name) => {
    await expect(write(`${home}/${name}`)).rejects.toThrow('The app saves nothing there.');
  });

  it.each([
    ['keys.sh', 'End the name with .json or .txt, and begin without a dot.'],
    ['.ssh/keys.txt', '.ssh is hidden. Choose another folder.'],
    ['Startup/keys.txt', 'Files in Startup run automatically. Choose another folder.'],
  ])('is refused with what to change: %s', async (name, hint) => {
    const writes = createPageWrites();
    const saved = writes.refuseFile('save-descriptors', join(home, name), ['.json', '.txt']);
    await expect(saved).rejects.toThrow(expect.objectContaining({ hint }));
  });

  it.skipIf(!CAN_LINK_FOLDERS)('must not lead to a hidden folder through a link', async () => {
    mkdirSync(join(home, '.ssh'));
    symlinkSync(join(home, '.ssh'), join(home, 'visible'), 'junction');
    await expect(write(join(home, 'visible', 'keys.txt'))).rejects.toThrow('The app saves nothing there.');
    await expect(createPageWrites().refuseFolder(join(home, 'visible'))).rejects.toThrow(
      'The app saves nothing there.',
    );
  });

  it.runIf(process.getuid?.() === 0)(
    'must not be in a folder of another user (needs root to test)',
    async () => {
      chownSync(home, 65_534, 65_534);
      for (const path of [join(home, 'keys.txt'), join(home, 'new', 'below', 'keys.txt')])
        await expect(write(path)).rejects.toThrow('The app saves nothing there.');
      const hint = `Another user owns ${home}. Choose another folder.`;
      await expect(createPageWrites().refuseFolder(join(home, 'new'))).rejects.toThrow(
        expect.objectContaining({ hint }),
      );
    },
  );

  it.runIf(process.platform === 'linux')('must not be below a pipe', async () => {
    const child = spawn('cat', { stdio: 'pipe' });
    const pipe = `/proc/${child.pid}/fd/1`;
    await expect(write(join(pipe, 'keys.txt'))).rejects.toThrow('The app saves nothing there.');
    await expect(createPageWrites().refuseFolder(pipe)).rejects.toThrow('The app saves nothing there.');
    const inBrowser = createPageWrites({ hasDialogs: false, nodeFolders: async () => [home] });
    await expect(inBrowser.refuseWalletsFolder(pipe)).rejects.toThrow('The app saves nothing there.');
    child.kill();
  });

  it
    .runIf(process.platform === 'win32')
    .each(['\\\\host\\share', '//host/share', '\\\\.\\pipe', '\\\\?\\C:\\a'])(
    'must not lead to another machine or a device: %s',
    async (folder) => {
      await expect(write(`${folder}\\keys.json`)).rejects.toThrow('The app saves nothing there.');
      await expect(createPageWrites().refuseFolder(folder)).rejects.toThrow('The app saves nothing there.');
    },
  );

  it('may be any path that the user chose in the system’s dialog, for that purpose only', async () => {
    const writes = createPageWrites();
    const path = join(home, '.hidden');
    writes.recordChoice('save-descriptors', path);
    expect(await write(path, writes)).toBe('written');
    await expect(writes.refuseFile('save-backup', path, ['.bak'])).rejects.toThrow(
      'The app saves nothing there.',
    );
    writes.recordChoice('backups-folder', join(home, '.backups'));
    await writes.refuseFolder(join(home, '.backups'));
    await writes.refuseFile('save-backup', join(home, '.backups', 'a.bak'), ['.bak']);
    await expect(
      writes.refuseFile('save-backup', join(home, '.backups', 'a.sh'), ['.bak']),
    ).rejects.toThrow();
  });

  it('is judged by its name alone if it is for a backup on another machine', async () => {
    // Another user than the owner of this machine's folders.
    vi.spyOn(process, 'getuid').mockReturnValue(65_534);
    onTestFinished(() => void vi.restoreAllMocks());
    const guard = createPageWrites();
    for (const path of ['/home/bitcoin/.bitcoin/backups/a.dat', '/mnt/backup/a.bak', 'D:\\backups\\a.dat']) {
      await expect(guard.refuseBackup(path, { local: true })).rejects.toThrow('The app saves nothing there.');
      await guard.refuseBackup(path, { local: false });
    }
    for (const path of ['/mnt/backup/a.sh', '/mnt/backup/.a.dat'])
      await expect(guard.refuseBackup(path, { local: false })).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('works for one report per choice in the dialog', () => {
    const writes = createPageWrites();
    const path = join(home, 'report.txt');
    expect(() => writes.spendReportPath(path)).toThrow('Nothing was saved.');
    writes.recordChoice('save-report', path);
    expect(() => writes.spendReportPath(path)).not.toThrow();
    expect(() => writes.spendReportPath(path)).toThrow('Nothing was saved.');
  });
});

// SECURITY.md: A compromised page
describe('a path to another machine', () => {
  const share = '\\\\evil.example\\share';
  const onWindows = (options: Parameters<typeof createPageWrites>[0] = {}) =>
    createPageWrites({ platform: 'win32', ...options });
  const refused = 'On another machine.';

  it.each([
    `${share}\\wallet.dat`,
    '//evil.example/share/wallet.dat',
    '\\\\?\\UNC\\evil.example\\share\\wallet.dat',
    '\\??\\UNC\\evil.example\\share\\wallet.dat',
  ])('is refused on Windows in every field of a request: %s', (path) => {
    const [file, login] = [
      { by: 'file', path },
      { by: 'cookie', cookieFile: path },
    ];
    const answers = [{ answers: { copy: path } }, { answers: { logs: path } }];
    for (const request of [{ path }, { source: file }, { from: file }, ...answers, { by: 'hand', login }])
      expect(() => onWindows().refuseNetworkPaths(request)).toThrow(refused);
    const clues = { pieces: [{ alternatives: [path] }] };
    for (const request of [{ passphrase: path }, { clues }, { path: 'C:\\x' }])
      onWindows().refuseNetworkPaths(request);
    createPageWrites({ platform: 'linux' }).refuseNetworkPaths({ path });
  });

  it('is allowed below a folder of the app or one that the user chose', () => {
    const writes = onWindows({ ownFolders: [`${share}\\ana`] });
    writes.refuseNetworkPaths({ path: `${share}\\ANA\\wallet.dat` });
    for (const path of [`${share}\\ana2\\x`, `${share}\\ana\\..\\bob`, '//evil.example/other/ana'])
      expect(() => writes.refuseNetworkPaths({ path })).toThrow(refused);
    writes.recordChoice('wallet', `${share}\\bob\\wallet.dat`);
    writes.refuseNetworkPaths({ path: `${share}\\bob\\wallet.dat` });
    expect(() => writes.refuseNetworkPaths({ path: `${share}\\bob\\other.dat` })).toThrow(refused);
    writes.trust('//nas/wallets/old.dat');
    writes.refuseNetworkPaths({ path: '\\\\nas\\wallets\\old.dat' });
  });
});
