import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder, removeDataFolder } from '../testing/testEngine.ts';
import { openEngineLog } from './log.ts';

describe('openEngineLog', () => {
  // SECURITY.md: Words from a node or a file
  it('adds lines as a node does, one per event whatever a name holds', () => {
    const folder = makeDataFolder();
    const path = join(folder, 'chain', 'debug.log');
    const now = () => new Date('2026-11-20T13:17:18.765Z');
    const first = openEngineLog(path, now);
    first.write('init message: Loading wallet…');
    first.close();
    first.write('too late');
    const second = openEngineLog(path, now);
    second.ofWallet('a\nb', 'Wallet migration complete.');
    second.ofWallet('', 'Wallet migration complete.');
    second.close();
    expect(readFileSync(path, 'utf8')).toBe(
      [
        '2026-11-20T13:17:18Z init message: Loading wallet…',
        '2026-11-20T13:17:18Z [a\\x0ab] Wallet migration complete.',
        '2026-11-20T13:17:18Z [default wallet] Wallet migration complete.',
        '',
      ].join('\n'),
    );
    removeDataFolder(folder);
  });

  // SECURITY.md: Words from a node or a file
  it('writes out every line break and control character', () => {
    const folder = makeDataFolder();
    const log = openEngineLog(join(folder, 'debug.log'), () => new Date(0));
    log.ofWallet('\n$(cmd)\r\u001b[2J\u007f\u0085\u009b\u2028\u2029', 'Wallet migration complete.');
    log.close();
    expect(readFileSync(log.path, 'utf8')).toBe(
      '1970-01-01T00:00:00Z [\\x0a$(cmd)\\x0d\\x1b[2J\\x7f\\x85\\x9b\\u2028\\u2029] Wallet migration complete.\n',
    );
    removeDataFolder(folder);
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(process.platform === 'win32')('writes nothing through a link', () => {
    const folder = makeDataFolder();
    const [target, path] = [join(folder, 'profile'), join(folder, 'debug.log')];
    writeFileSync(target, 'theirs');
    symlinkSync(target, path);
    expect(() => openEngineLog(path)).toThrow(
      `The log file ${path} is a link to another place. It was neither read nor changed`,
    );
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    removeDataFolder(folder);
  });
});
