import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEngineLog } from './log.ts';
import { makeDataFolder, removeDataFolder } from './testEngine.ts';

describe('openEngineLog', () => {
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
});
