import { describe, expect, it } from 'vitest';
import { dialects } from '../rpc/dialect.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { helpText, type Method, optional, readArguments, required } from './method.ts';

const method: Method = {
  name: 'example',
  group: 'util',
  about: 'For this test.',
  params: [
    required('name', 'string', 'A name.'),
    optional('flag', 'bool', 'A flag.'),
    optional('count', 'number', 'A count.'),
  ],
  run: () => null,
};

function refusal(params: readonly unknown[] | Record<string, unknown>, release: 23 | 30 = 30) {
  try {
    readArguments(method, params, dialects[release]);
  } catch (error) {
    if (error instanceof RpcError) return { code: error.code, message: error.message };
  }
  return null;
}

describe('readArguments', () => {
  it('reads arguments by position and by name; null means missing', () => {
    const positional = readArguments(method, ['x', null, 3], dialects[30]);
    const named = readArguments(method, { count: 3, name: 'x' }, dialects[30]);
    for (const args of [positional, named]) {
      expect([args.text('name'), args.flag('flag'), args.integer('count')]).toEqual(['x', null, 3]);
    }
  });

  it('refuses an unknown name with -8', () => {
    expect(refusal({ nam: 'x' })).toEqual({ code: -8, message: 'Unknown named parameter nam' });
    expect(refusal({ constructor: 'x' })?.code).toBe(-8);
  });

  it('takes arguments by position next to named ones since release 25', () => {
    const args = readArguments(method, { args: ['x'], count: 3 }, dialects[30]);
    expect([args.text('name'), args.flag('flag'), args.integer('count')]).toEqual(['x', null, 3]);
    // A node ignores other values.
    expect(readArguments(method, { args: 'y', name: 'x' }, dialects[30]).all).toEqual(['x']);
    expect(refusal({ args: ['x', true], flag: false })).toEqual({
      code: -8,
      message: 'Parameter flag specified twice both as positional and named argument',
    });
    expect(refusal({ args: ['x', true, 1, 2] })?.code).toBe(-1);
    expect(refusal({ args: ['x'] }, 23)).toEqual({ code: -8, message: 'Unknown named parameter args' });
  });

  it('answers too few and too many with -1 and the help', () => {
    for (const params of [[], ['x', true, 1, 2], {}]) {
      expect(refusal(params)).toMatchObject({ code: -1, message: /^example "name" \( flag count \)\n/ });
    }
  });

  it('reports every wrong type from release 25 on, by position and name', () => {
    expect(refusal([5, 'yes'])).toEqual({
      code: -3,
      message:
        'Wrong type passed:\n{\n    "Position 1 (name)": "JSON value of type number is not of expected type string",\n    "Position 2 (flag)": "JSON value of type string is not of expected type bool"\n}',
    });
    expect(refusal({ flag: true })?.message).toContain(
      'JSON value of type null is not of expected type string',
    );
  });

  it('reports the first wrong type in release 23', () => {
    expect(refusal(['x', 'yes', 'no'], 23)).toEqual({
      code: -1,
      message: 'JSON value is not a boolean as expected',
    });
  });

  it('refuses a fraction', () => {
    const args = readArguments(method, ['x', true, 1.5], dialects[30]);
    expect(() => args.integer('count')).toThrow('JSON integer out of range');
  });
});

describe('helpText', () => {
  it('describes a method, lists all, and says that it does not know one', () => {
    expect(helpText([method], 'example')).toMatch(/^example "name" \( flag count \)\n\nFor this test\./);
    expect(helpText([method], null)).toBe('== Util ==\nexample "name" ( flag count )');
    expect(helpText([method], 'nosuch')).toBe('help: unknown command: nosuch');
  });
});
