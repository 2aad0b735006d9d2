import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellQuoted, visibleParts, visibleText, walletArgument } from './visibleText.ts';

describe('visibleText', () => {
  it('keeps readable text', () => {
    for (const text of ['savings', 'Sparbuch für Ölgötze', 'محفظة', 'ארנק', '財布', 'a  b', '']) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it('keeps markup, which is plain text here', () => {
    expect(visibleParts('<img onerror=alert(1)>')).toEqual([
      { at: 0, text: '<img onerror=alert(1)>', escaped: false },
    ]);
  });

  it('escapes overrides, isolates and direction marks', () => {
    expect(visibleText('safe\u202Etad.tellaw')).toBe('safe⟨U+202E⟩tad.tellaw');
    expect(visibleText('\u2066a\u2069\u200f\u061c')).toBe('⟨U+2066⟩a⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩');
  });

  it('escapes invisible characters', () => {
    expect(visibleText('a\u200bb\ufeffc\u00add')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d');
    expect(visibleText('\u3164')).toBe('⟨U+3164⟩');
    expect(visibleText('a\u{e0041}')).toBe('a⟨U+E0041⟩');
  });

  it('escapes every ignorable character of Unicode, at any place', () => {
    const nothing: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character))
        nothing.push(character);
    }
    expect(nothing.length).toBeGreaterThan(4000);
    const asIs = nothing.flatMap((character) =>
      [`savings${character}`, `sav${character}ings`, `${character}savings`, `кош${character}елек`].filter(
        (name) => visibleText(name) === name,
      ),
    );
    expect(asIs).toEqual([]);
  });

  it('escapes unusual spaces, marks without a letter, and unassigned characters', () => {
    const spaced = 'a\u00a0b\u3000c\u2009d';
    expect(visibleText(spaced, { spaces: true })).toBe('a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2009⟩d');
    expect(visibleText(spaced)).toBe(spaced);
    expect(visibleText('\u0301a')).toBe('⟨U+0301⟩a');
    expect(visibleText('a\u0301')).toBe('a\u0301');
    expect(visibleText('a\uffffb\u2800')).toBe('a⟨U+FFFF⟩b⟨U+2800⟩');
  });

  it('keeps one selector after a picture, and escapes a second', () => {
    expect(visibleText('❤\ufe0f')).toBe('❤\ufe0f');
    expect(visibleText('❤\ufe0f\ufe0f')).toBe('❤\ufe0f⟨U+FE0F⟩');
    expect(visibleText('❤\ufe0f\u200d🔥')).toBe('❤\ufe0f\u200d🔥');
  });

  it('escapes controls and unpaired surrogates', () => {
    expect(visibleText('a\u0000b\u001b[31m')).toBe('a⟨U+0000⟩b⟨U+001B⟩[31m');
    expect(visibleText('x\ud800y')).toBe('x⟨U+D800⟩y');
  });

  it('keeps joiners inside emoji and words, and escapes others', () => {
    expect(visibleText('👩\u200d🚀')).toBe('👩\u200d🚀');
    expect(visibleText('می\u200cخواهم')).toBe('می\u200cخواهم');
    expect(visibleText('wal\u200dlet')).toBe('wal⟨U+200D⟩let');
    expect(visibleText('👩\u200d')).toBe('👩⟨U+200D⟩');
  });

  it('keeps line ends only on request', () => {
    expect(visibleText('a\nb\tc')).toBe('a⟨U+000A⟩b⟨U+0009⟩c');
    expect(visibleText('a\nb\tc\rd', { lines: true })).toBe('a\nb\tc⟨U+000D⟩d');
  });

  it('marks escapes, so that a name that imitates one looks different', () => {
    expect(visibleParts('a\u202eb')).toEqual([
      { at: 0, text: 'a', escaped: false },
      { at: 1, text: '⟨U+202E⟩', escaped: true },
      { at: 2, text: 'b', escaped: false },
    ]);
    expect(visibleParts('⟨U+202E⟩')).toEqual([{ at: 0, text: '⟨U+202E⟩', escaped: false }]);
  });
});

describe('shellQuoted', () => {
  it.each([
    ['savings', 'savings', 'savings'],
    ['/home/ana/wallet.dat', '/home/ana/wallet.dat', '/home/ana/wallet.dat'],
    ['C:\\backups\\wallet.dat', "'C:\\backups\\wallet.dat'", 'C:\\backups\\wallet.dat'],
    ['old wallet.dat', "'old wallet.dat'", '"old wallet.dat"'],
    ['C:\\old backups\\', "'C:\\old backups\\'", '"C:\\old backups\\\\"'],
    // Windows PowerShell 5.1 passes on neither an empty argument nor a double quote.
    ['', "''", 'FILE'],
    ['a"b', `'a"b'`, 'FILE'],
    ['=x', "'=x'", '=x'],
    ['@home', '@home', '"@home"'],
    ['-a.b', '-a.b', '"-a.b"'],
    ['“a”; calc', "'“a”; calc'", 'FILE'],
    ['‘a’ x', "'‘a’ x'", '"‘a’ x"'],
    // In the single quotes of PowerShell, cmd would run calc.
    ['$&calc', "'$&calc'", 'FILE'],
    ['a&calc', "'a&calc'", '"a&calc"'],
    ['hello!', "'hello!'", '"hello!"'],
    ['~ana', "'~ana'", '"~ana"'],
    ['50%', '50%', 'FILE'],
    ["x'; touch pwned #", "'x'\\''; touch pwned #'", `"x'; touch pwned #"`],
    ["it's $(calc)", "'it'\\''s $(calc)'", 'FILE'],
  ])('%s becomes %s, and on Windows %s', (argument, quoted, onWindows) => {
    expect(shellQuoted(argument, false, 'FILE')).toBe(quoted);
    expect(shellQuoted(argument, true, 'FILE')).toBe(onWindows);
  });

  const ON_WINDOWS = [..."ab1 %!^&`$\\'‘’‚‛“”„@-–=.,;(){}[]#~|<>*?/:+é"];
  const texts = (characters: readonly string[]) => fc.string({ unit: fc.constantFrom(...characters) });

  it.skipIf(process.platform === 'win32')('gives sh each argument as it is', () => {
    const names = fc.sample(texts([...ON_WINDOWS, '"', '\n', '\t']), 500);
    const quoted = names.map((one) => shellQuoted(one, false, 'FILE'));
    const printed = execFileSync('sh', ['-c', `printf '<%s>' ${quoted.join(' ')}`]);
    expect(printed.toString()).toBe(names.map((one) => `<${one}>`).join(''));
  });

  /** The text of one PowerShell argument. Throws if it is more than one, or if PowerShell would expand it. */
  function readByPowerShell(word: string): string {
    const double = /^"([^"“”„$`]+)"$/.exec(word)?.[1];
    if (double !== undefined) return double;
    if (/^[@#-]|[\s'‘’‚‛"“”„`$(){};,|&<>]/.test(word) || word === '') throw new Error(word);
    return word;
  }

  /** What `cmd` passes on. Throws if it would expand or split it. */
  function readByCmd(word: string): string {
    if (!/^(?:"[^"%]*"|[^\s"%!^&|<>()]+)$/.test(word)) throw new Error(word);
    return word;
  }

  /** The argument that a program finds in its command line, by the rules of Microsoft's C runtime. */
  function readByProgram(line: string): string {
    const inner = /^"(.*)"$/s.exec(line)?.[1];
    if (inner === undefined) return line;
    const last = /\\*$/.exec(inner)?.[0].length ?? 0;
    if (last % 2 === 1) throw new Error(line);
    return inner.slice(0, inner.length - last / 2);
  }

  it('gives a Windows program each argument as it is, by both shells', () => {
    fc.assert(
      fc.property(texts([...ON_WINDOWS, '"', '\n']), (argument) => {
        const quoted = shellQuoted(argument, true, '');
        expect(quoted === '').toBe(/^$|["“”„$`%\n]/.test(argument));
        if (quoted === '') return;
        expect(readByProgram(readByCmd(quoted))).toBe(argument);
        const passed = readByPowerShell(quoted);
        // Windows PowerShell 5.1 puts an argument with spaces in quotes, as it is.
        const received = readByProgram(/\s/.test(passed) ? `"${passed}"` : passed);
        expect(received.replace(/\\+$/, '')).toBe(argument.replace(/\\+$/, ''));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['savings', 'savings'],
    ['', '--wallet='],
    ['-x', '--wallet=-x', '--wallet="-x"'],
    ['-x $y', "--wallet='-x $y'", '--wallet=WALLET'],
    ['$y', "'$y'", 'WALLET'],
  ])('names the wallet %j with %s, and on Windows with %s', (name, argument, onWindows = argument) => {
    expect(walletArgument(name, false)).toBe(argument);
    expect(walletArgument(name, true)).toBe(onWindows);
  });
});
