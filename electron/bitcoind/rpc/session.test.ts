import { describe, expect, it } from 'vitest';
import { releaseOf } from './session.ts';

describe('releaseOf', () => {
  it.each([
    [280100, '28.1'],
    [300000, '30.0'],
    [250200, '25.2'],
    [299900, '29.99'],
    [220000, '22.0'],
    [210100, '0.21.1'],
    [200100, '0.20.1'],
    [300201, '30.2.1'],
  ])('%i is %s', (number, text) => {
    expect(releaseOf(number)).toMatchObject({ number, text });
  });

  it.each([
    [230000, 'no'],
    [239900, 'no'],
    [240000, 'unlock-first'],
    [240001, 'unlock-first'],
    [240100, 'yes'],
    [240200, 'yes'],
    [250000, 'yes'],
    [310000, 'yes'],
  ])('%i migrates: %s', (number, migrates) => {
    expect(releaseOf(number).migrates).toBe(migrates);
  });

  it('loads legacy wallets up to 29 only', () => {
    expect(releaseOf(290300).loadsLegacy).toBe(true);
    expect(releaseOf(300000).loadsLegacy).toBe(false);
  });
});
