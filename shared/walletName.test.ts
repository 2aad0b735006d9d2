import { describe, expect, it } from 'vitest';
import { checkWalletName, type NameRules } from './walletName.ts';

const reasonOf = (name: string, rules: Partial<NameRules> = {}) => {
  const refusal = checkWalletName(name, { taken: [], platform: 'linux', ...rules });
  return refusal === null ? 'ok' : REASONS[refusal];
};

const REASONS: Readonly<Record<string, string>> = {
  'Give the wallet a name.': 'empty',
  'This name is already taken.': 'taken',
  'A name cannot hold a backslash.': 'leaves-folder',
  'A name cannot begin with a drive letter.': 'leaves-folder',
  'A name cannot lead out of the wallets folder.': 'leaves-folder',
  'A name cannot hold control characters.': 'not-storable',
  'No file name can hold this.': 'not-storable',
  'A name cannot hold characters that do not show.': 'hidden',
  'Slashes must stand between names.': 'not-storable',
  'No < > : " | ? * on Windows.': 'not-storable',
  'No dot or space at the end on Windows.': 'not-storable',
  'Windows reserves this name.': 'not-storable',
  'Longer than 255 bytes.': 'too-long',
  'A name cannot begin with “.wallet-ferry-”.': 'own',
};

describe('checkWalletName', () => {
  it.each([
    ['savings'],
    ['wallet.dat'],
    ['family/alice'],
    ['Ersparnisse für später 💰'],
    ['a..b'],
    ['..hidden'],
    ['odd [name] of: mine'],
    ['trailing dot.'],
  ])('takes %j, which a node on Linux can store', (name) => {
    expect(reasonOf(name)).toBe('ok');
  });

  // SECURITY.md: A hostile wallets folder
  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['..', 'leaves-folder'],
    ['../outside', 'leaves-folder'],
    ['a/../../b', 'leaves-folder'],
    ['/etc/wallet', 'not-storable'],
    ['wallet/', 'not-storable'],
    ['C:/wallets', 'leaves-folder'],
    ['c:', 'leaves-folder'],
    ['a\\b', 'leaves-folder'],
    ['a//b', 'not-storable'],
    ['./a', 'not-storable'],
    ['.', 'not-storable'],
    ['nul\0byte', 'not-storable'],
    ['two\nlines', 'not-storable'],
    ['delete\u007f', 'not-storable'],
    ['half a pair \ud83d', 'not-storable'],
    ['savings\ufe0f', 'hidden'],
    ['sav\u034fings', 'hidden'],
    ['sav\u00a0ings', 'hidden'],
    ['\u202esgnivas', 'hidden'],
    ['savings\u{e0fff}', 'hidden'],
    ['.wallet-ferry-0123456789abcdef.part', 'own'],
    ['a/.Wallet-Ferry-x/b', 'own'],
  ])('refuses %j on every system: %s', (name, reason) => {
    for (const platform of ['linux', 'darwin', 'win32', 'other'] as const) {
      expect(reasonOf(name, { platform })).toBe(reason);
    }
  });

  it.each([
    ['what?'],
    ['a|b'],
    ['"quoted"'],
    ['<x>'],
    ['a*'],
    ['ends in a dot.'],
    ['ends in a space '],
    ['CON'],
    ['folder/aux'],
    ['nul.dat'],
    ['Lpt1'],
  ])('refuses %j on Windows only', (name) => {
    expect(reasonOf(name, { platform: 'win32' })).toBe('not-storable');
    expect(reasonOf(name, { platform: 'linux' })).toBe('ok');
    expect(reasonOf(name, { platform: 'darwin' })).toBe('ok');
  });

  it('counts bytes of UTF-8, for each part of the path by itself', () => {
    expect(reasonOf('a'.repeat(255))).toBe('ok');
    expect(reasonOf('a'.repeat(256))).toBe('too-long');
    expect(reasonOf('💰'.repeat(63))).toBe('ok');
    expect(reasonOf('💰'.repeat(64))).toBe('too-long');
    expect(reasonOf(`${'a'.repeat(200)}/${'b'.repeat(200)}`)).toBe('ok');
  });

  it('knows a taken name, also under another case where the file system does not tell cases apart', () => {
    const taken = ['Savings', 'family/alice'];
    expect(reasonOf('Savings', { taken })).toBe('taken');
    expect(reasonOf('savings', { taken })).toBe('ok');
    expect(reasonOf('savings', { taken, platform: 'darwin' })).toBe('taken');
    expect(reasonOf('SAVINGS', { taken, platform: 'win32' })).toBe('taken');
    expect(reasonOf('family/alice', { taken })).toBe('taken');
    expect(reasonOf('family', { taken })).toBe('ok');
  });

  it('knows a taken nested name that Windows lists with a backslash', () => {
    expect(reasonOf('family/alice', { taken: ['family\\alice'], platform: 'win32' })).toBe('taken');
  });

  it('knows a taken name whose accents are stored apart on a Mac', () => {
    expect(reasonOf('sp\u00e4ter', { taken: ['spa\u0308ter'], platform: 'darwin' })).toBe('taken');
  });

  it('says in a sentence what is wrong', () => {
    const refusal = checkWalletName('../x', { taken: [], platform: 'linux' });
    expect(refusal).toBe('A name cannot lead out of the wallets folder.');
  });
});
