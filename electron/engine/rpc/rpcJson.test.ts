import { describe, expect, it } from 'vitest';
import { writeRpcJson } from './rpcJson.ts';

describe('writeRpcJson', () => {
  it('writes satoshi as bitcoin with eight decimals, exactly', () => {
    const amounts = [0n, 1n, 859997180n, -10n, 2_100_000_000_000_000n];
    expect(writeRpcJson(amounts)).toBe('[0.00000000,0.00000001,8.59997180,-0.00000010,21000000.00000000]');
  });

  it('leaves out members that are undefined and keeps those that are null', () => {
    expect(writeRpcJson({ a: undefined, b: null, c: { d: [] } })).toBe('{"b":null,"c":{"d":[]}}');
  });

  it('escapes text as JSON does', () => {
    expect(JSON.parse(writeRpcJson({ 'a"b': 'line\nbreak 💰' }))).toEqual({ 'a"b': 'line\nbreak 💰' });
  });
});
