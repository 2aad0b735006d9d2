/** The terminal itself: lines out, words in, one line that is drawn anew. */
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import { visibleParts, visibleText } from '../../shared/model/names/visibleText.ts';

export type Terminal = ReturnType<typeof createTerminal>;

interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Called for Ctrl+C where the terminal does not make a signal of it: while a secret is typed. */
  readonly interrupt: () => void;
}

export function createTerminal({ stdin, stdout, stderr, interrupt }: Streams) {
  // Whoever reads may have gone (`| head`). What was begun is seen through.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const asks = stdin.isTTY === true && stderr.isTTY === true;
  const typed = asks ? typedLines(stdin, interrupt) : null;
  let muted = false;
  /** What stands in the last line. */
  let drawn = '';
  let told = '';

  function write(stream: NodeJS.WriteStream, text: string): void {
    if (muted) return;
    clear();
    stream.write(text);
  }

  function clear(): void {
    if (drawn !== '') stderr.write('\r\x1b[K');
    drawn = '';
  }

  /** Typed without being shown; null where the input ended. */
  async function secret(prompt: string): Promise<string | null> {
    if (typed === null) return null;
    clear();
    stderr.write(`${visibleText(prompt)} `);
    try {
      return await typed(true);
    } finally {
      stderr.write('\n');
    }
  }

  const shown = (lines: readonly string[]) => `${lines.map((line) => visibleText(line)).join('\n')}\n`;

  return {
    /** Whether somebody is there to be asked. */
    asks,
    /** Writes what was asked for. What a name holds is shown, never obeyed. */
    out: (lines: readonly string[]) => write(stdout, shown(lines)),
    /** Writes words beside it, for a person. */
    err: (lines: readonly string[]) => write(stderr, shown(lines)),
    /** Writes the one document of `--json`. */
    document: (value: unknown) => write(stdout, `${plainJson(value)}\n`),
    /** Draws the line of progress anew; null takes it away. Without a screen, writes it where it is another one. */
    progress(line: string | null, plain: string | null): void {
      if (muted) return;
      if (stderr.isTTY === true) {
        const cut = line === null ? '' : visibleText(line).slice(0, (stderr.columns || USUAL_COLUMNS) - 1);
        if (cut === drawn) return;
        clear();
        stderr.write(cut);
        drawn = cut;
      } else if (plain !== null && plain !== told) {
        told = plain;
        stderr.write(shown([plain]));
      }
    },
    /** Whether the answer is yes. */
    async confirm(question: string): Promise<boolean> {
      if (typed === null) return false;
      clear();
      stderr.write(`\n${visibleText(question)} `);
      const answer = await typed(false);
      return answer !== null && /^y(es)?$/i.test(answer.trim());
    },
    secret,
    /** Lines that are typed without being shown, until an empty one or the end of the input; the first is number 1. */
    async secrets(promptOf: (number: number) => string): Promise<string> {
      const lines: string[] = [];
      for (;;) {
        const line = await secret(promptOf(lines.length + 1));
        if (line === null || line === '') return lines.join('\n');
        lines.push(line);
      }
    },
    /** Nothing more is said: the program is leaving. */
    mute(): void {
      clear();
      muted = true;
    },
  };
}

const USUAL_COLUMNS = 80;

/** JSON in which a terminal obeys nothing and shows everything: what hides or turns text is written as `\\u202e`. */
function plainJson(value: unknown): string {
  return visibleParts(JSON.stringify(value, null, 2), { lines: true })
    .map(({ text, escaped }) => (escaped ? jsonEscape(text) : text))
    .join('');
}

/** `⟨U+E0101⟩` as JSON writes it: one escape for each half of a pair. */
function jsonEscape(shown: string): string {
  const character = String.fromCodePoint(Number.parseInt(shown.slice(3, -1), 16));
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * Reads one line after another as they are typed; hidden ones without an echo. Null where the input has ended. What is
 * typed ahead is kept for the next question.
 */
function typedLines(stdin: ReadStream, interrupt: () => void): (hidden: boolean) => Promise<string | null> {
  const decoder = new StringDecoder('utf8');
  let ahead = '';
  let ended = false;
  stdin.on('end', () => {
    ended = true;
  });
  return (hidden) =>
    new Promise((resolve) => {
      let line = '';
      const leave = (answer: string | null) => {
        stdin.off('data', take).off('end', end);
        if (hidden) stdin.setRawMode(false);
        stdin.pause();
        resolve(answer);
      };
      const end = () => leave(null);
      const read = () => {
        while (ahead !== '') {
          const [character = ''] = ahead;
          ahead = ahead.slice(character.length);
          if (character === '\n' || character === '\r') return leave(line);
          if (character === CTRL_C) {
            leave(null);
            return interrupt();
          }
          if (character === CTRL_D) return leave(line === '' ? null : line);
          if (character === '\x7f' || character === '\b') line = [...line].slice(0, -1).join('');
          else line += character;
        }
      };
      const take = (bytes: Buffer) => {
        ahead += decoder.write(bytes);
        read();
      };
      if (ended) return resolve(null);
      if (hidden) stdin.setRawMode(true);
      stdin.on('data', take).on('end', end);
      stdin.resume();
      read();
    });
}

const CTRL_C = '\x03';
const CTRL_D = '\x04';
