import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemDialog } from './desktopServices.ts';

vi.mock('electron', () => ({}));

const folderOf = (name: 'documents' | 'home') => join('/', name);

const FILES = ['wallet', 'cookie'] as const;
const FOLDERS = ['wallets-folder', 'backups-folder'] as const;
const SAVING = ['save-backup', 'save-descriptors', 'save-report'] as const;

describe('the system’s dialog', () => {
  it.each(FILES)('opens one file for %s, hidden ones too', (purpose) => {
    const { shows, options } = systemDialog({ purpose }, folderOf);
    expect(shows).toBe('open');
    expect(options.properties).toEqual(expect.arrayContaining(['openFile', 'showHiddenFiles']));
    expect(options.properties).not.toContain('openDirectory');
  });

  it.each(FOLDERS)('opens a folder, or a new one, for %s', (purpose) => {
    const { shows, options } = systemDialog({ purpose }, folderOf);
    expect(shows).toBe('open');
    expect(options.properties).toEqual(expect.arrayContaining(['openDirectory', 'createDirectory']));
    expect(options.properties).not.toContain('openFile');
  });

  it.each(SAVING)('saves for %s under the name that is suggested', (purpose) => {
    const dialog = systemDialog({ purpose, suggestedName: 'mine.x' }, folderOf);
    // Many systems upload the documents.
    const folder = purpose === 'save-report' ? '/documents' : '/home';
    expect(dialog).toMatchObject({ shows: 'save', options: { defaultPath: join(folder, 'mine.x') } });
  });

  it('has a title of its own for each purpose', () => {
    const purposes = [...FILES, ...FOLDERS, ...SAVING];
    const titles = purposes.map((purpose) => systemDialog({ purpose }, folderOf).options.title);
    expect(new Set(titles).size).toBe(purposes.length);
  });
});
