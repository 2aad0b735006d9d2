import { expect, it } from 'vitest';
import { syncServiceAt } from '../../shared/model/files.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { useApp } = await import('./appStore.ts');
const { pickFile, useFilePicker } = await import('./filePicker.ts');

it.each([
  ['C:\\Users\\ana\\OneDrive\\Documents', 'OneDrive'],
  ['C:\\Users\\ana\\OneDrive - Work\\b', 'OneDrive'],
  ['/Users/ana/Library/CloudStorage/OneDrive-Personal', 'OneDrive'],
  ['/Users/ana/Library/CloudStorage/GoogleDrive-ana@mail.com/My Drive', 'Google Drive'],
  ['/Users/ana/Library/Mobile Documents/com~apple~CloudDocs/keys.txt', 'iCloud'],
  ['/home/ana/Dropbox (Personal)', 'Dropbox'],
  ['/home/ana/not in Dropbox', null],
  ['/home/ana/OneDriver', null],
  ['/media/stick', null],
])('knows the service that copies %s', (path, service) => {
  expect(syncServiceAt(path)).toBe(service);
});

it('asks before keys are saved where a service copies them, and takes another folder instead', async () => {
  useApp.setState({ info: { entry: 'electron' } as never });
  const answer = async (path: string) => {
    await new Promise((resolve) => setImmediate(resolve));
    await ferry.answer('files.pick', { path });
  };
  const ask = (keys?: 'open') => pickFile({ purpose: 'backups-folder', ...(keys && { keys }) });
  const synced = () => useFilePicker.getState().synced;

  const again = ask('open');
  await answer('/home/ana/Dropbox');
  expect(synced()).toMatchObject({ service: 'Dropbox', keys: 'open' });
  synced()?.onAnswer('again');
  await answer('/media/stick');
  expect([await again, synced()]).toEqual(['/media/stick', null]);

  const anyway = ask('open');
  await answer('/home/ana/Dropbox');
  synced()?.onAnswer('save');
  expect(await anyway).toBe('/home/ana/Dropbox');

  const withoutKeys = ask();
  await answer('/home/ana/Dropbox');
  expect([await withoutKeys, synced()]).toEqual(['/home/ana/Dropbox', null]);
});
