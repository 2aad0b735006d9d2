import { describe, expect, it } from 'vitest';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import type { HandFields } from './ConnectByHand.tsx';

installFakeFerry();
const { readHandFields } = await import('./ConnectByHand.tsx');

const fields: HandFields = {
  host: '127.0.0.1',
  port: '8332',
  tls: false,
  by: 'cookie',
  cookieFile: '/data/.cookie',
  user: '',
};

describe('readHandFields', () => {
  it('takes names and addresses, with spaces around and brackets cut off', () => {
    expect(readHandFields(fields)).toMatchObject({
      ok: true,
      address: { host: '127.0.0.1', port: 8332, tls: false },
    });
    expect(readHandFields({ ...fields, host: ' [::1] ', port: ' 18443 ' })).toMatchObject({
      ok: true,
      address: { host: '::1', port: 18443 },
    });
  });

  it('says of each field what is wrong with it', () => {
    const read = readHandFields({ ...fields, host: 'http://node', port: '0', cookieFile: ' ' });
    expect(read).toMatchObject({
      ok: false,
      problems: { host: expect.any(String), port: expect.any(String), cookieFile: expect.any(String) },
    });
  });

  it('refuses ports that no node can have', () => {
    for (const port of ['', 'abc', '65536', '-1', '1e3', '80.5']) {
      expect(readHandFields({ ...fields, port }).ok, port).toBe(false);
    }
  });

  it('asks for the fields of the chosen login only', () => {
    expect(readHandFields({ ...fields, by: 'password', user: 'me', cookieFile: '' }).ok).toBe(true);
    expect(readHandFields({ ...fields, by: 'password' })).toMatchObject({
      ok: false,
      problems: { user: expect.any(String) },
    });
  });
});
