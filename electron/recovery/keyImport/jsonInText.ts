/** Finds JSON anywhere in a text: alone, behind a line of chatter, or typed into a console. */
import { parseJson } from '../../../shared/model/parseJson.ts';

/** The outermost objects and arrays of a text that are valid JSON. */
export function jsonInText(text: string): unknown[] {
  const found: unknown[] = [];
  // Bounds the work on a text of many brackets.
  let budget = 4 * text.length + 10_000;
  for (let at = nextBracket(text, 0); at >= 0 && budget > 0; at = nextBracket(text, at)) {
    const end = closingBracket(text, at);
    budget -= (end ?? text.length) - at;
    const value =
      end === null ? undefined : (parseJson(text.slice(at, end)) ?? unescaped(text.slice(at, end)));
    if (typeof value === 'object' && value !== null) found.push(value);
    at = typeof value === 'object' && value !== null && end !== null ? end : at + 1;
  }
  return found;
}

function nextBracket(text: string, from: number): number {
  const rest = text.slice(from).search(/[{[]/);
  return rest < 0 ? -1 : from + rest;
}

/** The index after the bracket that closes the one at `start`; null if none does. */
function closingBracket(text: string, start: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '\\') at += 1;
    else if (mark === '"') isString = !isString;
    else if (isString) continue;
    else if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Windows' command line needs a backslash before each quotation mark. */
function unescaped(text: string): unknown {
  return text.includes('\\"') ? parseJson(text.replaceAll('\\"', '"')) : undefined;
}
