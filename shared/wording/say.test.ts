import { afterEach, describe, expect, it } from 'vitest';
import { configureLanguage, configureRegion, currentLocale, say, sayParts } from './say.ts';

afterEach(() => configureLanguage('en', {}));

describe('say', () => {
  it('returns the English text without a translation', () => {
    expect(say('Restore this wallet')).toBe('Restore this wallet');
    expect(say('A wallet’s “name”: it is <b> & 100 %')).toBe('A wallet’s “name”: it is <b> & 100 %');
  });

  it('inserts values unchanged', () => {
    const path = String.raw`C:\x86\u202e\{name} $1 $& 'quoted' <b>`;
    expect(say('Nothing is at {path}.', { path })).toBe(`Nothing is at ${path}.`);
    expect(say('{a} and {b}', { a: '{b}', b: '{a}' })).toBe('{b} and {a}');
  });

  it('matches a noun to its number', () => {
    const text = '{count, plural, one {# wallet is} other {# wallets are}} not in the list';
    expect(say(text, { count: 1 })).toBe('1 wallet is not in the list');
    expect(say(text, { count: 12_000 })).toBe('12,000 wallets are not in the list');
  });

  it('uses the catalogue and plural rules of another language', () => {
    configureLanguage('de', {
      '{count, plural, one {# wallet} other {# wallets}} in {folder}':
        '{count, plural, one {# Wallet} other {# Wallets}}: {folder}',
    });
    expect(
      say('{count, plural, one {# wallet} other {# wallets}} in {folder}', { count: 1200, folder: '/a' }),
    ).toBe('1.200 Wallets: /a');
    expect(say('Not translated')).toBe('Not translated');
  });

  it('applies a later region to dates and numbers', () => {
    configureLanguage('en', {}, ['en-US']);
    expect(say('{count, number}', { count: 1200 })).toBe('1,200');
    configureRegion(['de-DE', 'en-IN', 'en-GB']);
    expect(currentLocale()).toEqual(expect.objectContaining({ language: 'en', region: 'en-IN' }));
    expect(say('{count, number}', { count: 1_200_000 })).toBe('12,00,000');
    configureRegion(['no tag', 'fr']);
    expect(currentLocale().region).toBe('en-GB');
  });

  it('keeps parts other than text', () => {
    const link = { is: 'an element' };
    expect(sayParts('Read {link} first', { link })).toEqual(['Read ', link, ' first']);
  });
});

describe('configureLanguage', () => {
  it('uses the region only of a user of the same language', () => {
    configureLanguage('en', {}, ['de-DE', 'en-US', 'en-GB']);
    expect(currentLocale().region).toBe('en-US');
    configureLanguage('en', {}, ['de-DE', 'not a tag']);
    expect(currentLocale().region).toBe('en-GB');
  });
});
