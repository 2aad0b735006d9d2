/** The terminal: prints lines and one progress line, asks questions and reads secrets, also from a file descriptor. */
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { isatty, type ReadStream } from 'node:tty';
import { MAX_PASTED_LENGTH } from '../../shared/contract.ts';
import { visibleParts, visibleText } from '../../shared/model/names/visibleText.ts';
import { say } from '../../shared/wording/say.ts';
import { systemCode } from '../files/fileError.ts';
import { readBoundedBytes, utf8TextOrNull } from '../http/boundedBody.ts';
import { UsageError } from './commandLine.ts';

export type Terminal = ReturnType<typeof createTerminal>;

interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Called for Ctrl+C while the user types a secret, when the terminal sends no signal. */
  readonly interrupt: () => void;
}

export function createTerminal({ stdin, stdout, stderr, interrupt }: Streams) {
  // The reader may be gone (`| head`). A running job must still finish.
  stderr.on('error', () => {});
  let lost: string | null = null;
  stdout.on('error', (error) => {
    const code = systemCode(error) ?? error.message;
    if (!READER_GONE.includes(code)) lost ??= code;
  });
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;
  const lines = isInteractive ? lineReader(stdin, interrupt) : null;
  let muted = false;
  /** The progress line on the screen. */
  let progressLine = '';
  let lastPlain = '';

  function write(stream: NodeJS.WriteStream, text: string): void {
    if (muted) return;
    clear();
    stream.write(text);
  }

  function clear(): void {
    if (progressLine !== '') stderr.write('\r\x1b[K');
    progressLine = '';
  }

  /** Reads a line without showing it; null if the input ended. */
  async function secret(prompt: string): Promise<string | null> {
    if (lines === null) return null;
    clear();
    stderr.write(`${visibleText(prompt)} `);
    try {
      return await lines.hidden(lines.read);
    } finally {
      stderr.write('\n');
    }
  }

  const printable = (lines: readonly string[]) => `${lines.map((line) => visibleText(line)).join('\n')}\n`;

  return {
    /** Whether a user can answer questions. */
    isInteractive,
    stdin,
    /** The system's code for why a part of the result could not be written, such as on a full disk; else null. */
    lost: () => lost,
    /** Writes the result. Shows control characters in names instead of obeying them. */
    out: (lines: readonly string[]) => write(stdout, printable(lines)),
    /** Writes messages for the user. */
    err: (lines: readonly string[]) => write(stderr, printable(lines)),
    /** Writes the JSON document of `--json`. */
    document: (value: unknown) => write(stdout, `${plainJson(value)}\n`),
    /** Redraws the progress line; null removes it. Without a screen, writes `plain` when it changes. */
    progress(line: string | null, plain: string | null): void {
      if (muted) return;
      if (stderr.isTTY === true) {
        const cut = line === null ? '' : visibleText(line).slice(0, (stderr.columns || USUAL_COLUMNS) - 1);
        if (cut === progressLine) return;
        clear();
        stderr.write(cut);
        progressLine = cut;
      } else if (plain !== null && plain !== lastPlain) {
        lastPlain = plain;
        stderr.write(printable([plain]));
      }
    },
    /** Asks a question; whether the answer is yes. */
    async confirm(question: string): Promise<boolean> {
      if (lines === null) return false;
      clear();
      stderr.write(`\n${visibleText(question)} `);
      const answer = await lines.read();
      return answer !== null && /^y(es)?$/i.test(answer.trim());
    },
    secret,
    /** Hides also what the user types during `work`, such as while a passphrase is tried. */
    hidden: <T>(work: () => Promise<T>) => (lines === null ? work() : lines.hidden(work)),
    /** Reads lines without showing them, until an empty line or the end of the input. Numbers start at 1. */
    async secrets(promptOf: (number: number) => string): Promise<string> {
      const lines: string[] = [];
      for (;;) {
        const line = await secret(promptOf(lines.length + 1));
        if (line === null || line === '') return lines.join('\n');
        lines.push(line);
      }
    },
    /** Stops all output, because the program is exiting. */
    mute(): void {
      clear();
      muted = true;
    },
  };
}

const USUAL_COLUMNS = 80;
const READER_GONE = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

/** JSON without characters that a terminal obeys, or that hide or turn text: writes them as escapes, such as `\u202e`. */
function plainJson(value: unknown): string {
  return visibleParts(JSON.stringify(value, null, 2), { lines: true })
    .map(({ text, escaped }) => (escaped ? jsonEscape(text) : text))
    .join('');
}

/** Turns `⟨U+E0101⟩` into JSON's escapes, one for each half of a surrogate pair. */
function jsonEscape(notation: string): string {
  const character = String.fromCodePoint(Number.parseInt(notation.slice(3, -1), 16));
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Reads lines from a terminal. Keeps text that the user types ahead for the next question. */
function lineReader(stdin: ReadStream, interrupt: () => void) {
  const decoder = new StringDecoder('utf8');
  let ahead = '';
  let ended = false;
  /** Takes typed text for the question that waits. */
  let answer: (() => void) | null = null;
  let users = 0;
  let hiding = 0;
  stdin.on('end', () => {
    ended = true;
    answer?.();
  });
  const take = (bytes: Buffer) => {
    ahead += decoder.write(bytes);
    if (answer !== null) return answer();
    // In raw mode the terminal sends no signal.
    if (hiding === 0 || !ahead.includes(CTRL_C)) return;
    ahead = '';
    interrupt();
  };

  async function listen<T>(work: () => Promise<T>): Promise<T> {
    users += 1;
    if (users === 1) stdin.on('data', take).resume();
    try {
      return await work();
    } finally {
      users -= 1;
      if (users === 0) stdin.off('data', take).pause();
    }
  }

  return {
    /** The next line; null if the input has ended. */
    read: () =>
      listen(() => {
        let line = '';
        return new Promise<string | null>((resolve) => {
          const leave = (text: string | null) => {
            answer = null;
            resolve(text);
          };
          answer = () => {
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
            if (ended) leave(null);
          };
          answer();
        });
      }),
    /** Shows nothing of what the user types during `work`. */
    hidden: <T>(work: () => Promise<T>) =>
      listen(async () => {
        hiding += 1;
        if (hiding === 1) stdin.setRawMode(true);
        try {
          return await work();
        } finally {
          hiding -= 1;
          if (hiding === 0) stdin.setRawMode(false);
        }
      }),
  };
}

const CTRL_C = '\x03';
const CTRL_D = '\x04';

/**
 * Reads a secret from a file descriptor: everything, without the last line break. Throws UsageError if it can read nothing or no UTF-8,
 * and for a terminal, which would show the typed text.
 */
export async function readSecret(fd: number, stdin: NodeJS.ReadStream): Promise<string> {
  const text = utf8TextOrNull(await readFd(fd, stdin));
  // A replacement character would make it another passphrase.
  if (text === null) throw new UsageError(say('File descriptor {fd} sends text that is not UTF-8.', { fd }));
  return withoutLineEnd(text, fd);
}

/** Reads a text with keys: UTF-16 if it begins with that byte order mark, else UTF-8. Throws UsageError as `readSecret` does. */
export async function readKeyText(fd: number, stdin: NodeJS.ReadStream): Promise<string> {
  const bytes = await readFd(fd, stdin, 2 * MAX_PASTED_LENGTH);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  // Keys are ASCII, so another encoding garbles only labels.
  return withoutLineEnd(new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes), fd);
}

function withoutLineEnd(text: string, fd: number): string {
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(say('File descriptor {fd} is empty.', { fd }));
  return secret;
}

/** `most`: in bytes. */
async function readFd(fd: number, stdin: NodeJS.ReadStream, most = 100_000): Promise<Buffer> {
  if (fd === 0 ? stdin.isTTY : isatty(fd))
    throw new UsageError(say('File descriptor {fd} is the terminal: leave the option out.', { fd }));
  // Standard input is non-blocking in Node: only its own stream waits for data.
  // Leave others open: another file could otherwise get the number.
  const stream = fd === 0 ? stdin : createReadStream('', { fd, autoClose: false });
  const bytes = await readBoundedBytes(stream, most).catch(() => {
    throw new UsageError(say('File descriptor {fd} is unreadable.', { fd }));
  });
  if (bytes === null) throw new UsageError(say('File descriptor {fd} sends too much data.', { fd }));
  return bytes;
}
