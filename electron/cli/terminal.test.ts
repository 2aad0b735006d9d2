import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

/** Streams as a program has them; `raw` tells how often what is typed was hidden, and shown again. */
function streams({ tty }: { tty: boolean }) {
  const raw: boolean[] = [];
  let interrupts = 0;
  const made = () => Object.assign(new PassThrough(), { isTTY: tty, columns: 40 });
  const stdin = Object.assign(made(), { setRawMode: (on: boolean) => raw.push(on) });
  const [stdout, stderr] = [made(), made()];
  const terminal = createTerminal({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    interrupt: () => {
      interrupts += 1;
    },
  });
  const told = (stream: PassThrough) => String(stream.read() ?? '');
  return { terminal, stdin, stdout, stderr, raw, told, interrupts: () => interrupts };
}

// SECURITY.md: Words from a node or a file
it('shows what a name holds, and obeys none of it', () => {
  const { terminal, stdout, told } = streams({ tty: false });
  terminal.out(['wallet \x1b[2J\x9b2J\n“Run this? [y/N] y” \u202egnp.']);
  expect(told(stdout)).toBe('wallet ⟨U+001B⟩[2J⟨U+009B⟩2J⟨U+000A⟩“Run this? [y/N] y” ⟨U+202E⟩gnp.\n');
  terminal.document({ name: '\x1b\x9b\x7f' });
  const text = told(stdout);
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(text)).toEqual({ name: '\x1b\x9b\x7f' });
});

it('asks nobody where nobody is', async () => {
  const { terminal, stderr, told } = streams({ tty: false });
  expect(terminal.asks).toBe(false);
  expect(await terminal.confirm('Run this?')).toBe(false);
  expect(await terminal.secret('Passphrase:')).toBeNull();
  expect(told(stderr)).toBe('');
});

it('reads a passphrase without an echo, and takes back what is taken back', async () => {
  const { terminal, stdin, stdout, stderr, raw, told } = streams({ tty: true });
  const typed = terminal.secret('Passphrase:');
  stdin.write('a hörsx');
  stdin.write('\x7fe\r');
  expect(await typed).toBe('a hörse');
  expect(raw).toEqual([true, false]);
  expect(told(stderr)).toBe('Passphrase: \n');
  expect(told(stdout)).toBe('');
});

it('keeps what is typed ahead for the next question', async () => {
  const { terminal, stdin } = streams({ tty: true });
  stdin.write('secret\ny\n');
  expect(await terminal.secret('Passphrase:')).toBe('secret');
  expect(await terminal.confirm('Run this?')).toBe(true);
});

it.each(['', 'n', 'yup', 'run'])('takes “%s” for no', async (answer) => {
  const { terminal, stdin } = streams({ tty: true });
  stdin.write(`${answer}\n`);
  expect(await terminal.confirm('Run this?')).toBe(false);
});

it('ends a question with the input, and leaves for Ctrl+C', async () => {
  const one = streams({ tty: true });
  const typed = one.terminal.secret('Passphrase:');
  one.stdin.end('half');
  expect(await typed).toBeNull();
  expect(one.raw).toEqual([true, false]);
  const other = streams({ tty: true });
  const begun = other.terminal.secret('Passphrase:');
  other.stdin.write('half\x03');
  expect(await begun).toBeNull();
  expect(other.interrupts()).toBe(1);
});

it('draws one line anew on a screen, and writes each other one where there is none', () => {
  const screen = streams({ tty: true });
  screen.terminal.progress('one · 1 s', 'one');
  screen.terminal.progress('one · 2 s', 'one');
  screen.terminal.out(['done']);
  expect(screen.told(screen.stderr)).toBe('one · 1 s\r\x1b[Kone · 2 s\r\x1b[K');
  const file = streams({ tty: false });
  file.terminal.progress('one · 1 s', 'one');
  file.terminal.progress('one · 2 s', 'one');
  file.terminal.progress('two · 3 s', 'two');
  expect(file.told(file.stderr)).toBe('one\ntwo\n');
});

it('goes on when whoever read has gone, and is quiet once it leaves', () => {
  const { terminal, stdout, stderr, told } = streams({ tty: false });
  stdout.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
  terminal.err(['still here']);
  terminal.mute();
  terminal.err(['too late']);
  expect(told(stderr)).toBe('still here\n');
});

it('prints JSON in which nothing is hidden or turned, and which reads the same', () => {
  const { terminal, stdout, told } = streams({ tty: false });
  const value = { name: 'a\u202eb\u2066c\u200bd\ufe0fe\u{e0101}f\u007f\u009b', text: 'two\nlines' };
  terminal.document(value);
  const json = told(stdout);
  expect(json).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
  expect(json).toContain('a\\u202eb\\u2066c\\u200bd\\ufe0fe\\udb40\\udd01f\\u007f\\u009b');
  expect(JSON.parse(json)).toEqual(value);
});
