import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { networks } from '../../../shared/model/network.ts';
import { chainFolder, defaultDataFolders, defaultRpcPorts } from './nodeCandidates.ts';

describe('defaultDataFolders', () => {
  it('is .bitcoin in the home folder on Linux, before those of packages', () => {
    const [first, ...others] = defaultDataFolders({ platform: 'linux', env: {}, home: '/home/ann' });
    expect(first).toBe('/home/ann/.bitcoin');
    expect(others).toContain('/home/ann/snap/bitcoin-core/common/.bitcoin');
  });

  it('is in Application Support on macOS', () => {
    expect(defaultDataFolders({ platform: 'darwin', env: {}, home: '/Users/ann' })).toEqual([
      '/Users/ann/Library/Application Support/Bitcoin',
    ]);
  });

  it('is Roaming, then Local on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    expect(defaultDataFolders({ platform: 'win32', env, home: 'C:\\Users\\ann' })).toEqual([
      'D:\\Roaming\\Bitcoin',
      'D:\\Local\\Bitcoin',
    ]);
    expect(defaultDataFolders({ platform: 'win32', env: {}, home: 'C:\\Users\\ann' })).toEqual([
      'C:\\Users\\ann\\AppData\\Roaming\\Bitcoin',
      'C:\\Users\\ann\\AppData\\Local\\Bitcoin',
    ]);
  });
});

it('knows the folder and port of every network', () => {
  const facts = networks.map((name) => [name, chainFolder('data', name), defaultRpcPorts[name]]);
  expect(facts).toEqual([
    ['main', 'data', 8332],
    ['testnet3', join('data', 'testnet3'), 18332],
    ['testnet4', join('data', 'testnet4'), 48332],
    ['signet', join('data', 'signet'), 38332],
    ['regtest', join('data', 'regtest'), 18443],
  ]);
});
