import { describe, expect, it } from 'vitest';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { createBusyWallets } from './busyWallets.ts';

const running = expect.objectContaining({ code: 'job_running' });
const at = (host: string, port = 8332): NodeAddress => ({ host, port, tls: false });

describe('createBusyWallets', () => {
  it.each(['127.0.0.1', '::1', '[::1]', 'LOCALHOST'])(
    'counts localhost and %s as one node, and frees both after the work',
    (host) => {
      const { reserve } = createBusyWallets();
      const free = reserve('migrate', 'w', at('localhost'));
      expect(() => reserve('migrate', 'w', at(host))).toThrow(running);
      free();
      reserve('migrate', 'w', at(host));
    },
  );

  it('does not reserve the same name on another port or another machine', () => {
    const { reserve } = createBusyWallets();
    reserve('migrate', 'w', at('localhost'));
    reserve('migrate', 'w', at('127.0.0.1', 18_332));
    reserve('migrate', 'w', at('192.0.2.1'));
    expect(() => reserve('backup', 'w', at('192.0.2.1'))).toThrow(running);
  });

  it('allows no load or unload of a wallet or its companions during its migration', () => {
    const { reserve } = createBusyWallets();
    const free = reserve('migrate', 'w', at('127.0.0.1'));
    for (const name of ['w', 'w_watchonly', 'w_solvables']) {
      expect(() => reserve('load', name, at('127.0.0.1'))).toThrow(running);
      expect(() => reserve('unload', name, at('127.0.0.1'))).toThrow(running);
    }
    reserve('load', 'other', at('127.0.0.1'));
    free();
    reserve('unload', 'w', at('127.0.0.1'));
    expect(() => reserve('migrate', 'w', at('127.0.0.1'))).toThrow(running);
    // A load is about that wallet alone.
    reserve('unload', 'w_watchonly', at('127.0.0.1'));
  });
});
