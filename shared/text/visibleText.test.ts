import { describe, expect, it } from 'vitest';
import { visibleParts, visibleText } from './visibleText.ts';

describe('visibleText', () => {
  it('leaves what can be read as it is', () => {
    for (const text of ['savings', 'Sparbuch für Ölgötze', 'محفظة', 'ארנק', '財布', 'a  b', '']) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it('leaves markup alone: it is text like any other', () => {
    expect(visibleParts('<img onerror=alert(1)>')).toEqual([
      { at: 0, text: '<img onerror=alert(1)>', escaped: false },
    ]);
  });

  it('shows overrides, isolates and marks of direction', () => {
    expect(visibleText('safe\u202Etad.tellaw')).toBe('safe⟨U+202E⟩tad.tellaw');
    expect(visibleText('\u2066a\u2069\u200f\u061c')).toBe('⟨U+2066⟩a⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩');
  });

  it('shows what is drawn as nothing', () => {
    expect(visibleText('a\u200bb\ufeffc\u00add')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d');
    expect(visibleText('\u3164')).toBe('⟨U+3164⟩');
    expect(visibleText('a\u{e0041}')).toBe('a⟨U+E0041⟩');
  });

  it('shows controls and halves of surrogate pairs', () => {
    expect(visibleText('a\u0000b\u001b[31m')).toBe('a⟨U+0000⟩b⟨U+001B⟩[31m');
    expect(visibleText('x\ud800y')).toBe('x⟨U+D800⟩y');
  });

  it('keeps joiners inside emoji and words, and shows them elsewhere', () => {
    expect(visibleText('👩\u200d🚀')).toBe('👩\u200d🚀');
    expect(visibleText('می\u200cخواهم')).toBe('می\u200cخواهم');
    expect(visibleText('wal\u200dlet')).toBe('wal⟨U+200D⟩let');
    expect(visibleText('👩\u200d')).toBe('👩⟨U+200D⟩');
  });

  it('keeps lines only where they are asked for', () => {
    expect(visibleText('a\nb\tc')).toBe('a⟨U+000A⟩b⟨U+0009⟩c');
    expect(visibleText('a\nb\tc\rd', { lines: true })).toBe('a\nb\tc⟨U+000D⟩d');
  });

  it('tells which parts are escapes, so that a name that imitates one looks different', () => {
    expect(visibleParts('a\u202eb')).toEqual([
      { at: 0, text: 'a', escaped: false },
      { at: 1, text: '⟨U+202E⟩', escaped: true },
      { at: 2, text: 'b', escaped: false },
    ]);
    expect(visibleParts('⟨U+202E⟩')).toEqual([{ at: 0, text: '⟨U+202E⟩', escaped: false }]);
  });
});
