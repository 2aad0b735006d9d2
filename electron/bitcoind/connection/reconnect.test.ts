import { describe, expect, it, vi } from 'vitest';
import type { Connection, FoundNode, Profile } from '../../../shared/model/node.ts';
import { sampleIdentity } from '../../../shared/testing/sampleNodeStatus.ts';
import { type ReconnectDeps, reconnect } from './connection.ts';

const known = sampleIdentity({ walletsFolder: '/node/wallets' });
const found = (id: string, port: number, fields: Partial<FoundNode> = {}): FoundNode => ({
  id,
  dataFolder: '/node',
  network: 'main',
  address: { host: '127.0.0.1', port, tls: false },
  credentials: 'cookie',
  state: { state: 'starting', message: 'Loading…' },
  ...fields,
});
const profile = (id: string, port: number, passwordSaved: boolean): Profile => ({
  id,
  label: id,
  address: { host: '127.0.0.1', port, tls: false },
  login: { by: 'password', user: 'u', passwordSaved },
  lastUsed: 1,
});

/** Ways that lead to a connection as soon as one of them is taken. */
function waysWith(
  fields: {
    current?: () => Connection;
    isConnecting?: () => boolean;
    found?: () => Promise<FoundNode[]>;
    profiles?: () => Promise<Profile[]>;
  } = {},
  arrives = true,
) {
  let state: Connection = { state: 'none' };
  const arrive = async (_: unknown) => {
    if (!arrives) throw new Error('no');
    state = { state: 'starting', label: 'n', message: '' };
    return state;
  };
  const connect = vi.fn(arrive);
  const start = vi.fn(arrive);
  const { current = () => state, isConnecting = () => false, found = async () => [] } = fields;
  const ways: ReconnectDeps = {
    connection: { current, isConnecting, connect },
    engine: { start },
    discovery: { discover: found },
    profiles: { list: fields.profiles ?? (async () => []) },
  };
  return { ways, connect, start };
}

const options = () => ({ signal: AbortSignal.timeout(10_000), everyMs: 5 });

describe('reconnect', () => {
  it('connects to the found node of that address, and to no other', async () => {
    const { ways, connect } = waysWith({
      found: async () => [
        found('other', 18443),
        found('test', 8332, { network: 'signet' }),
        found('it', 8332),
      ],
    });
    await reconnect(known, ways, options());
    expect(connect.mock.calls).toEqual([[{ by: 'found', id: 'it' }]]);
  });

  it('waits for a node that does not run yet', async () => {
    let looks = 0;
    const { ways, connect } = waysWith({ found: async () => (++looks < 3 ? [] : [found('it', 8332)]) });
    await reconnect(known, ways, options());
    expect(looks).toBe(3);
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('uses a remembered login only where it has one', async () => {
    const { ways, connect } = waysWith({
      profiles: async () => [profile('asks', 8332, false), profile('knows', 8332, true)],
    });
    await reconnect(known, ways, options());
    expect(connect.mock.calls).toEqual([[{ by: 'profile', id: 'knows' }]]);
  });

  it('starts the engine again on its folder', async () => {
    const { ways, connect, start } = waysWith();
    await reconnect({ ...known, offline: true }, ways, options());
    expect(start.mock.calls).toEqual([[{ walletsFolder: '/node/wallets', network: 'main' }]]);
    expect(connect).not.toHaveBeenCalled();
  });

  it('does not cut short what the user began, and goes on when that came to nothing', async () => {
    let looks = 0;
    const { ways, connect } = waysWith({
      isConnecting: () => {
        looks += 1;
        return looks <= 3;
      },
      found: async () => [found('it', 8332)],
    });
    await reconnect(known, ways, options());
    expect(looks).toBeGreaterThan(3);
    expect(connect.mock.calls).toEqual([[{ by: 'found', id: 'it' }]]);
  });

  it('leaves the user alone who has connected meanwhile, and stops when it is told to', async () => {
    const { ways, connect } = waysWith({ current: () => ({ state: 'starting', label: 'n', message: '' }) });
    await reconnect(known, ways, options());
    expect(connect).not.toHaveBeenCalled();
    const stop = new AbortController();
    const trying = reconnect(known, waysWith({}, false).ways, { signal: stop.signal, everyMs: 5 });
    stop.abort();
    await expect(trying).resolves.toBeUndefined();
  });
});
