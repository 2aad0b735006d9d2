/** The bytes of a text: in UTF-8, in other Unicode forms, and in the code pages of old systems. */
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * As it is in UTF-8 first. With `all`, the other forms and code pages too, as far as they can hold it. What has a zero
 * byte comes cut before it as well: releases before 25 took no more of it.
 */
export function* encodingsOf(text: string, all: boolean): Generator<Uint8Array> {
  for (const bytes of all && !isAscii(text) ? allBytesOf(text) : [utf8ToBytes(text)]) {
    yield bytes;
    const zero = bytes.indexOf(0);
    if (zero >= 0) yield bytes.subarray(0, zero);
  }
}

/** At most how many `encodingsOf` gives. */
export function countOfEncodings(all: boolean): number {
  return (all ? 1 + FORMS.length + codePages.length + 1 : 1) * 2;
}

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** The upper halves of code pages, as Unicode's mapping tables have them; a zero byte: nothing there. */
const codePages: readonly ReadonlyMap<string, number>[] = [
  // Windows-1252, of Western Windows.
  `€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ${latin1Half()}`,
  // CP437 and CP850, of its command prompt.
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
].map((half) => new Map([...half].flatMap((letter, at) => (letter === '\0' ? [] : [[letter, 128 + at]]))));

function* allBytesOf(text: string): Generator<Uint8Array> {
  yield utf8ToBytes(text);
  for (const form of FORMS) yield utf8ToBytes(text.normalize(form));
  const letters = [...text.normalize('NFC')];
  for (const page of codePages) {
    const bytes = letters.map((letter) => (isAscii(letter) ? letter.charCodeAt(0) : page.get(letter)));
    if (bytes.every((byte) => byte !== undefined)) yield Uint8Array.from(bytes);
  }
  // ISO-8859-1, as Qt 4 made it: a question mark for what it does not have.
  yield Uint8Array.from(letters, (letter) => (letter <= '\xff' ? letter.charCodeAt(0) : QUESTION_MARK));
}

const QUESTION_MARK = 0x3f;

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function latin1Half(): string {
  return String.fromCharCode(...Array.from({ length: 96 }, (_, at) => 0xa0 + at));
}
