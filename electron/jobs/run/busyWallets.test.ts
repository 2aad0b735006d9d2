import { describe, expect, it } from 'vitest';
import { createBusyWallets } from './busyWallets.ts';

const running = expect.objectContaining({ code: 'job_running' });
const at = (host: string, port = 8332, walletsFolder: string | null = null) => ({
  address: { host, port, tls: false },
  walletsFolder,
});

describe('createBusyWallets', () => {
  it.each(['127.0.0.1', '::1', '[::1]', 'LOCALHOST'])(
    'counts localhost and %s as one node, and frees both after the work',
    (host) => {
      const { reserve } = createBusyWallets();
      const free = reserve(['w'], at('localhost'));
      expect(() => reserve(['w'], at(host))).toThrow(running);
      free();
      reserve(['w'], at(host));
    },
  );

  it.each([
    ['/srv/backup/b.dat', '/srv//backup/./B.dat'],
    ['C:\\b\\w.dat', 'c:/b//w.dat'],
  ])('counts %s and %s as one new backup', (one, other) => {
    const { reserve } = createBusyWallets();
    reserve(['a'], at('192.0.2.1'), one);
    expect(() => reserve(['b'], at('192.0.2.1'), other)).toThrow(running);
  });

  it('does not reserve the same name on another port or another machine', () => {
    const { reserve } = createBusyWallets();
    reserve(['w'], at('localhost'));
    reserve(['w'], at('127.0.0.1', 18_332));
    reserve(['w'], at('192.0.2.1'));
    expect(() => reserve(['w'], at('192.0.2.1'))).toThrow(running);
  });

  it('counts a wallets folder as one, on another port too', () => {
    const { reserve } = createBusyWallets();
    reserve(['./w'], at('127.0.0.1', 40_001, '/w'));
    expect(() => reserve(['w'], at('127.0.0.1', 40_002, '/w'))).toThrow(running);
    reserve(['w'], at('127.0.0.1', 40_002, '/other'));
  });

  it('refuses every one of several reserved wallets, and frees all of them once', () => {
    const { reserve } = createBusyWallets();
    const free = reserve(['w', 'w_watchonly'], at('127.0.0.1'));
    for (const names of [['w'], ['w_watchonly'], ['other', 'w']])
      expect(() => reserve(names, at('127.0.0.1'))).toThrow(running);
    reserve(['other'], at('127.0.0.1'));
    free();
    reserve(['w'], at('127.0.0.1'));
    free();
    expect(() => reserve(['w'], at('127.0.0.1'))).toThrow(running);
    reserve(['w_watchonly'], at('127.0.0.1'));
  });
});
