import { describe, expect, it } from 'vitest';
import { isNetworkPath } from './openFile.ts';

describe('a path that a node names', () => {
  // SECURITY.md: A hostile RPC server
  it.each([
    '\\\\evil.example\\share\\debug.log',
    '//evil.example/share/debug.log',
    '\\/evil.example/share',
    '\\\\?\\UNC\\evil.example\\share\\debug.log',
    '\\\\.\\pipe\\evil',
    '\\??\\UNC\\evil.example\\share\\debug.log',
  ])('on Windows never leads to another machine: %s', (path) => {
    expect(isNetworkPath(path, 'win32')).toBe(true);
  });

  it('is one of this machine everywhere else', () => {
    expect(isNetworkPath('C:\\Users\\ana\\AppData\\Roaming\\Bitcoin\\debug.log', 'win32')).toBe(false);
    expect(isNetworkPath('//srv/bitcoin/debug.log', 'linux')).toBe(false);
    expect(isNetworkPath('/home/ana/.bitcoin/debug.log', 'darwin')).toBe(false);
  });
});
