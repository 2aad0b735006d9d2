import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../say.ts';
import { allOf, oneOf } from './perRegion.ts';

afterEach(() => speak('en', {}));

describe('lists in sentences', () => {
  it('are joined as English does', () => {
    expect(allOf(['a', 'b', 'c'])).toBe('a, b and c');
    expect(oneOf(['test', 'signet'])).toBe('test or signet');
  });

  it('are joined in the language of the texts', () => {
    speak('de', {});
    expect(allOf(['a', 'b'])).toBe('a und b');
    expect(oneOf(['a', 'b'])).toBe('a oder b');
  });
});
