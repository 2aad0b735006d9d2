import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPageWrites } from './pageWrites.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'writes-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const ENDINGS = ['.json', '.txt'];
const asked = (path: string, writes = createPageWrites()) => {
  writes.refuseFile('save-descriptors', path, ENDINGS);
  return 'written';
};

describe('a path that the page names', () => {
  it.each(['keys.json', 'KEYS.TXT', 'a b.txt'])('may be a visible file of the app’s kinds: %s', (name) => {
    expect(asked(join(home, name))).toBe('written');
  });

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
    'seen/../.ssh/keys.txt',
  ])('is no hidden file, no program and none that the system starts: %s', (name) => {
    expect(() => asked(`${home}/${name}`)).toThrow('The app saves nothing there.');
  });

  it.skipIf(process.platform === 'win32')('does not lead to a hidden folder through a link', () => {
    mkdirSync(join(home, '.ssh'));
    symlinkSync(join(home, '.ssh'), join(home, 'seen'));
    expect(() => asked(join(home, 'seen', 'keys.txt'))).toThrow('The app saves nothing there.');
    expect(() => createPageWrites().refuseFolder(join(home, 'seen'))).toThrow('The app saves nothing there.');
  });

  it.runIf(process.getuid?.() === 0)('is in no folder of another user (needs root to test)', () => {
    chownSync(home, 65_534, 65_534);
    expect(() => asked(join(home, 'keys.txt'))).toThrow('The app saves nothing there.');
  });

  it('may be anything that the system’s dialog gave for this, and for nothing else', () => {
    const writes = createPageWrites();
    const path = join(home, '.hidden');
    writes.choose('save-descriptors', path);
    expect(asked(path, writes)).toBe('written');
    expect(() => writes.refuseFile('save-backup', path, ['.bak'])).toThrow('The app saves nothing there.');
    writes.choose('backups-folder', join(home, '.backups'));
    expect(() => writes.refuseFolder(join(home, '.backups'))).not.toThrow();
    expect(() => writes.refuseFile('save-backup', join(home, '.backups', 'a.bak'), ['.bak'])).not.toThrow();
    expect(() => writes.refuseFile('save-backup', join(home, '.backups', 'a.sh'), ['.bak'])).toThrow();
  });

  it('is never that of a report, unless the dialog gave it, and once', () => {
    const writes = createPageWrites();
    const path = join(home, 'report.txt');
    expect(() => writes.takeChosen('save-report', path)).toThrow('Nothing was saved.');
    writes.choose('save-report', path);
    expect(() => writes.takeChosen('save-report', path)).not.toThrow();
    expect(() => writes.takeChosen('save-report', path)).toThrow('Nothing was saved.');
  });
});
