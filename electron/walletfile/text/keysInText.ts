/** Reads all keys of a text, in its lines or in JSON, with what the text says of each, and accounts for every line. */
import type { LineState, TextLines } from '../../../shared/model/findings/textLines.ts';
import { parseJson } from '../../../shared/model/shapes.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { readExtendedKey } from '../keys/extendedKey.ts';
import { type Columns, columnsIn, factsOnLine, type KeyFacts, NO_FACTS } from './keyFacts.ts';
import { readTypedKey, withoutType, withRightMarks } from './keyText.ts';
import { type HexKey, type JsonObject, KeyMaterialCollector, memberFacts } from './otherKeys.ts';
import { LINE_START, type ScannedLine, scanText, type TextKey } from './scanText.ts';

/** A key or descriptor of a text. `line`: from 1. */
export interface KeyInText extends KeyFacts {
  readonly text: string;
  readonly form: TextKey['form'];
  readonly line: number;
  readonly isComment: boolean;
  /** The object of JSON that has it as a member, or in an array of its own. */
  readonly jsonObject: JsonObject | null;
}

export interface TextContents {
  readonly keys: readonly KeyInText[];
  readonly hexKeys: readonly HexKey[];
  /** Encrypted keys and their master keys, scripts, and the labels of encrypted keys. */
  readonly records: readonly RawRecord[];
  /** Multisig scripts beside its keys, each once. */
  readonly multisigs: readonly Uint8Array[];
  /** Whether its extended keys are shares of a multisig wallet, which its text describes in words. */
  readonly isMultisig: boolean;
  /** The damage of each line that has any. */
  readonly lines: TextLines;
}

/**
 * `text`: as `decodeText` gives it. `compares`: whether keys in hex are compared with the addresses near them, which takes up to
 * seconds; without it, only those that are called private count.
 */
export function keysInText(text: string, { compares = true } = {}): TextContents {
  const lines = scanText(text);
  // With the quoting of a shell undone.
  const plain = lines.map((line) => line.text).join('\n');
  const members = membersOf(plain.includes('"') ? jsonInText(plain) : []);
  const columns = tableOf(lines);
  const factsInObject = objectReader();
  const keys = lines.flatMap((line, at) => {
    const onLine = factsOnLine(line.text, line.keys, columns);
    return line.keys.map((key, number): KeyInText => {
      // Each export of a wallet has an object of its own for the same key.
      const owners = members.byKey.get(key.text) ?? [];
      const jsonObject = (owners.length > 1 ? owners.shift() : owners[0]) ?? null;
      const facts = jsonObject ? factsInObject(jsonObject, key) : (onLine[number] ?? NO_FACTS);
      return {
        ...facts,
        text: key.text,
        form: key.form,
        line: at + 1,
        isComment: line.isComment,
        jsonObject,
      };
    });
  });
  const others = new KeyMaterialCollector(
    keys.map(({ text }) => text),
    lines,
    compares,
  );
  for (const object of members.all) others.addObject(object);
  lines.forEach((line, at) => {
    others.addLine(line, at, columns);
  });
  const { hexKeys, records, count } = others;
  const multisigs = new Map<string, Uint8Array>();
  // Without a key, a script may be of anybody.
  for (const { script, start, end } of keys.length + count > 0 ? others.multisigs : []) {
    multisigs.set(toLatin1(script), script);
    for (let at = start; at < end; at += 1) others.taken.add(at);
  }
  const isMultisig = MULTISIG.test(plain) || (SHARED.test(plain) && nodesOf(keys).size > 1);
  const account = { keys: keys.length + count, ...accountOf(lines, others) };
  return { keys, hexKeys, records, multisigs: [...multisigs.values()], isMultisig, lines: account };
}

/** Returns a function that gives the facts of a key in an object. It reads an object once, which can have thousands of keys. */
function objectReader(): (object: JsonObject, key: TextKey) => KeyFacts {
  const read = new Map<JsonObject, { facts: KeyFacts; seeds: ReadonlySet<unknown> }>();
  return (object, { text, form }) => {
    const { facts, seeds } = read.get(object) ?? { facts: memberFacts(object), seeds: seedsIn(object) };
    read.set(object, { facts, seeds });
    return { ...facts, chain: form === 'private' && seeds.has(text) ? 'seed' : null };
  };
}

/** The values with the name of a seed, or all of a request to `sethdseed`, whose arguments may have names. */
function seedsIn(object: JsonObject): ReadonlySet<unknown> {
  const members = Object.entries(object);
  const isRequest = members.some(([name, value]) => value === 'sethdseed' || name === 'newkeypool');
  const seeds = members.filter(([name]) => isRequest || /^hd_?(?:seed|master)$/i.test(name));
  return new Set(seeds.flatMap(([, value]) => value));
}

/** The extended keys of a text, as the chain codes that each private one shares with its public one. */
function nodesOf(keys: readonly KeyInText[]): ReadonlySet<string> {
  const extended = keys.flatMap(({ form, text }) => (form === 'extended' ? [readTypedKey(text).plain] : []));
  const nodes = extended.map((text) => readExtendedKey(text, 'main') ?? readExtendedKey(text, 'testnet3'));
  return new Set(nodes.flatMap((node) => (node ? [toLatin1(node.chainCode)] : [])));
}

function accountOf(lines: readonly ScannedLine[], others: KeyMaterialCollector): Omit<TextLines, 'keys'> {
  const damaged: TextLines['damaged'] = [];
  let taken = 0;
  const states: LineState[] = [];
  const cut = cutLine(lines);
  lines.forEach((line, at) => {
    const damages = [...line.damages, ...(others.damages.get(at) ?? [])];
    if (at === cut) damages.push({ column: 1, why: 'cut' });
    damaged.push(...damages.map((damage) => ({ ...damage, line: at + 1 })));
    const state = damages.length > 0 ? 'damaged' : stateOf(line, others.taken.has(at), states.at(-1));
    if (damages.length > 0 ? damages.every(({ isKeyRead }) => isKeyRead) : state === 'taken') taken += 1;
    states.push(state);
  });
  return { taken, damaged, states: states.slice(0, MAX_STATES) };
}

/** The last line of a `dumpwallet` file that lacks its closing comment (`dumpwallet` in `backup.cpp`), from 0; null for others. */
function cutLine(lines: readonly ScannedLine[]): number | null {
  const has = (start: RegExp) => lines.some(({ text }) => start.test(text.replace(/[\s,;]+/g, ' ')));
  if (!has(DUMP_HEAD) || has(DUMP_END)) return null;
  return lines.findLastIndex(({ text }) => text.trim() !== '');
}

const DUMP_HEAD = new RegExp(`${LINE_START}# Wallet dump created by`);
const DUMP_END = new RegExp(`${LINE_START}# End of dump`);

/** The state of a line without damage. `before`: of the line before it. */
function stateOf(line: ScannedLine, hasOtherKey: boolean, before: LineState = 'other'): LineState {
  if (line.continuesKey) return before;
  if (line.keys.length > 0 || hasOtherKey) return 'taken';
  return KEYLESS.test(line.text) ? 'empty' : line.isComment ? 'comment' : 'other';
}

/** A line of marks, or a number or yes and no in JSON. */
const KEYLESS = /^[^\p{L}\p{N}#]*(?:"\w+"\s*:\s*(?:\d+|true|false|null)?[^\p{L}\p{N}]*)?$/u;

const MAX_STATES = 1000;

/** A Coldcard's setup, Electrum's, Sparrow's, Caravan's and others' JSON, and the usual path of a multisig key (BIP 48). */
const MULTISIG =
  /^[ \t]*Policy:\s*\d+ (?:of|\/) \d+|"wallet_type"\s*:\s*"(?:\d+of\d+|2fa)|"policyType"\s*:\s*"MULTI|"(?:quorum|requiredSigners)"\s*:|\/48['h]\/\d['h]\/\d+['h]\/[12]['h]/m;

/** What people write above the keys of a multisig wallet. */
const SHARED =
  /\b\d{1,2}-of-\d|\b[2-9] of [2-9]\b|(?<!\bno[nt]?[ -](?:a )?)multi-?sig(?!["']?\s*[:=]\s*["']?(?:no|false|0)\b)/i;

/** The columns of a table, if its header is among the first lines with text. */
function tableOf(lines: readonly ScannedLine[]): Columns | null {
  const first = lines.filter(({ text }) => text.trim() !== '').slice(0, MAX_TITLES);
  for (const { text, keys } of first) {
    if (keys.length > 0) return null;
    const columns = columnsIn(text);
    if (columns) return columns;
  }
  return null;
}

/** A title, and the separator that Excel reads. */
const MAX_TITLES = 4;

interface Members {
  readonly byKey: ReadonlyMap<string, JsonObject[]>;
  readonly all: readonly JsonObject[];
}

/** Every object in parsed JSON, and the objects of each text in it. */
function membersOf(values: readonly unknown[]): Members {
  const byKey = new Map<string, JsonObject[]>();
  const all: JsonObject[] = [];
  const visit = (value: unknown, owner: JsonObject | null, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      const text = /^\w+\(.*#/.test(value) ? withRightMarks(value) : withoutType(value);
      const owners = byKey.get(text) ?? [];
      if (owner) owners.push(owner);
      byKey.set(text, owners);
    } else if (Array.isArray(value)) {
      for (const one of value) visit(one, owner, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      const object = value as JsonObject;
      all.push(object);
      for (const one of Object.values(object)) visit(one, object, depth + 1);
    }
  };
  for (const value of values) visit(value, null, 0);
  return { byKey, all };
}

const MAX_DEPTH = 50;

/** The outermost objects and arrays of a text that are valid JSON. */
function jsonInText(text: string): unknown[] {
  const found: unknown[] = [];
  // Bounds the work on a text of many brackets.
  let budget = 4 * text.length + 10_000;
  for (let at = nextBracket(text, 0); at >= 0 && budget > 0; at = nextBracket(text, at)) {
    const end = closingBracket(text, at);
    budget -= (end ?? text.length) - at;
    const value =
      end === null ? undefined : (parseJson(text.slice(at, end)) ?? parseEscaped(text.slice(at, end)));
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
function parseEscaped(text: string): unknown {
  return text.includes('\\"') ? parseJson(text.replaceAll('\\"', '"')) : undefined;
}
