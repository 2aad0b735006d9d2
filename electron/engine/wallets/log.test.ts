import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onUnix } from '../../files/testing/onUnix.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { openEngineLog } from './log.ts';

describe('openEngineLog', () => {
  // SECURITY.md: Text that forges log lines
  it('writes one line per event, as a node does, whatever a name contains', () => {
    const folder = makeTestFolder();
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
  });

  // SECURITY.md: Text that forges log lines
  it('escapes every line break and control character', () => {
    const folder = makeTestFolder();
    const log = openEngineLog(join(folder, 'debug.log'), () => new Date(0));
    log.ofWallet('\n$(cmd)\r\u001b[2J\u007f\u0085\u009b\u2028\u2029', 'Wallet migration complete.');
    log.close();
    expect(readFileSync(log.path, 'utf8')).toBe(
      '1970-01-01T00:00:00Z [\\x0a$(cmd)\\x0d\\x1b[2J\\x7f\\x85\\x9b\\u2028\\u2029] Wallet migration complete.\n',
    );
  });

  // SECURITY.md: Links, pipes and devices in place of files
  onUnix('writes nothing through a link or to a pipe', () => {
    const folder = makeTestFolder();
    const [target, path] = [join(folder, 'profile'), join(folder, 'debug.log')];
    writeFileSync(target, 'theirs');
    symlinkSync(target, path);
    expect(() => openEngineLog(path)).toThrow(
      `The log file ${path} is a link to another place. It was neither read nor changed`,
    );
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    rmSync(path);
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    expect(() => openEngineLog(path)).toThrow(`${path} is a pipe, a socket or a device`);
  });
});
