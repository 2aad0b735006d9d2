import { describe, expect, it } from 'vitest';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { createBusyWallets } from './busyWallets.ts';

const running = expect.objectContaining({ code: 'job_running' });
const at = (host: string, port = 8332): NodeAddress => ({ host, port, tls: false });

describe('createBusyWallets', () => {
  it.each(['127.0.0.1', '::1', '[::1]', 'LOCALHOST'])(
    'counts localhost and %s as one node, and frees both after the work',
    (host) => {
      const { occupy } = createBusyWallets();
      const free = occupy('migrate', 'w', at('localhost'));
      expect(() => occupy('migrate', 'w', at(host))).toThrow(running);
      free();
      occupy('migrate', 'w', at(host));
    },
  );

  it('does not reserve the same name on another port or another machine', () => {
    const { occupy } = createBusyWallets();
    occupy('migrate', 'w', at('localhost'));
    occupy('migrate', 'w', at('127.0.0.1', 18_332));
    occupy('migrate', 'w', at('192.0.2.1'));
    expect(() => occupy('backup', 'w', at('192.0.2.1'))).toThrow(running);
  });

  it('allows no load or unload of a wallet or its companions during its migration', () => {
    const { occupy } = createBusyWallets();
    const free = occupy('migrate', 'w', at('127.0.0.1'));
    for (const name of ['w', 'w_watchonly', 'w_solvables']) {
      expect(() => occupy('load', name, at('127.0.0.1'))).toThrow(running);
      expect(() => occupy('unload', name, at('127.0.0.1'))).toThrow(running);
    }
    occupy('load', 'other', at('127.0.0.1'));
    free();
    occupy('unload', 'w', at('127.0.0.1'));
    expect(() => occupy('migrate', 'w', at('127.0.0.1'))).toThrow(running);
    // A load is about that wallet alone.
    occupy('unload', 'w_watchonly', at('127.0.0.1'));
  });
});
