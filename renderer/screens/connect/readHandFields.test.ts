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

const problemsOf = (change: Partial<HandFields>) =>
  Object.keys(readHandFields({ ...fields, ...change }).problems);

describe('readHandFields', () => {
  it('takes names and addresses, with spaces around and brackets cut off', () => {
    const address = { host: '127.0.0.1', port: 8332, tls: false };
    expect(readHandFields(fields)).toEqual({ problems: {}, address });
    expect(readHandFields({ ...fields, host: ' [::1] ', port: ' 18443 ' })).toEqual({
      problems: {},
      address: { ...address, host: '::1', port: 18443 },
    });
  });

  it('says of each field what is wrong with it', () => {
    const wrong = { host: 'http://node', port: '0', cookieFile: ' ' };
    expect(problemsOf(wrong)).toEqual(['host', 'port', 'cookieFile']);
  });

  it('refuses ports that no node can have', () => {
    for (const port of ['', 'abc', '65536', '-1', '1e3', '80.5'])
      expect(problemsOf({ port }), port).toEqual(['port']);
  });

  it('asks for the fields of the chosen login only', () => {
    expect(problemsOf({ by: 'password', user: 'me', cookieFile: '' })).toEqual([]);
    expect(problemsOf({ by: 'password' })).toEqual(['user']);
  });
});
