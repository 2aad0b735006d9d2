import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

/** A terminal on streams. `raw`: each change of raw mode, which hides the typed text. */
function streams({ tty }: { tty: boolean }) {
  const raw: boolean[] = [];
  let interrupts = 0;
  const createStream = () => Object.assign(new PassThrough(), { isTTY: tty, columns: 40 });
  const stdin = Object.assign(createStream(), { setRawMode: (on: boolean) => raw.push(on) });
  const [stdout, stderr] = [createStream(), createStream()];
  const terminal = createTerminal({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    interrupt: () => {
      interrupts += 1;
    },
  });
  const output = (stream: PassThrough) => String(stream.read() ?? '');
  return { terminal, stdin, stdout, stderr, raw, output, interrupts: () => interrupts };
}

// SECURITY.md: A node or file with markup, scripts, or characters that hide or reverse text
it('shows control characters in names instead of obeying them', () => {
  const { terminal, stdout, output } = streams({ tty: false });
  terminal.out(['wallet \x1b[2J\x9b2J\n“Run this? [y/N] y” \u202egnp.']);
  expect(output(stdout)).toBe('wallet ⟨U+001B⟩[2J⟨U+009B⟩2J⟨U+000A⟩“Run this? [y/N] y” ⟨U+202E⟩gnp.\n');
});

it('asks nothing without a user', async () => {
  const { terminal, stderr, output } = streams({ tty: false });
  expect(terminal.isInteractive).toBe(false);
  expect(await terminal.confirm('Run this?')).toBe(false);
  expect(await terminal.secret('Passphrase:')).toBeNull();
  expect(output(stderr)).toBe('');
});

it('reads a passphrase without an echo, and obeys the backspace key', async () => {
  const { terminal, stdin, stdout, stderr, raw, output } = streams({ tty: true });
  const typed = terminal.secret('Passphrase:');
  stdin.write('a hörsx');
  stdin.write('\x7fe\r');
  expect(await typed).toBe('a hörse');
  expect(raw).toEqual([true, false]);
  expect(output(stderr)).toBe('Passphrase: \n');
  expect(output(stdout)).toBe('');
});

it('keeps text typed ahead for the next question', async () => {
  const { terminal, stdin } = streams({ tty: true });
  stdin.write('secret\ny\n');
  expect(await terminal.secret('Passphrase:')).toBe('secret');
  expect(await terminal.confirm('Run this?')).toBe(true);
});

it('hides what the user types while a passphrase is tried', async () => {
  const { terminal, stdin, raw, interrupts } = streams({ tty: true });
  const tried = terminal.hidden(async () => {
    stdin.write('first\n');
    const typed = await terminal.secret('Passphrase:');
    expect(raw).toEqual([true]);
    stdin.write('sec');
    await new Promise(setImmediate);
    return typed;
  });
  expect(await tried).toBe('first');
  expect(raw).toEqual([true, false]);
  stdin.write('ond\n');
  expect(await terminal.secret('Passphrase:')).toBe('second');
  await terminal.hidden(async () => {
    stdin.write('\x03');
    await new Promise(setImmediate);
  });
  expect(interrupts()).toBe(1);
});

it.each(['', 'n', 'yup', 'run'])('reads “%s” as no', async (answer) => {
  const { terminal, stdin } = streams({ tty: true });
  stdin.write(`${answer}\n`);
  expect(await terminal.confirm('Run this?')).toBe(false);
});

it('ends a question when the input ends, and interrupts on Ctrl+C', async () => {
  const one = streams({ tty: true });
  const typed = one.terminal.secret('Passphrase:');
  one.stdin.end('half');
  expect(await typed).toBeNull();
  expect(one.raw).toEqual([true, false]);
  const other = streams({ tty: true });
  const second = other.terminal.secret('Passphrase:');
  other.stdin.write('half\x03');
  expect(await second).toBeNull();
  expect(other.interrupts()).toBe(1);
});

it('redraws one line on a screen, and writes each new line elsewhere', () => {
  const screen = streams({ tty: true });
  screen.terminal.progress('one · 1 s', 'one');
  screen.terminal.progress('one · 2 s', 'one');
  screen.terminal.out(['done']);
  expect(screen.output(screen.stderr)).toBe('one · 1 s\r\x1b[Kone · 2 s\r\x1b[K');
  const file = streams({ tty: false });
  file.terminal.progress('one · 1 s', 'one');
  file.terminal.progress('one · 2 s', 'one');
  file.terminal.progress('two · 3 s', 'two');
  expect(file.output(file.stderr)).toBe('one\ntwo\n');
});

it('continues when the reader is gone, and is silent when muted', () => {
  const { terminal, stdout, stderr, output } = streams({ tty: false });
  stdout.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
  terminal.err(['still here']);
  terminal.mute();
  terminal.err(['too late']);
  expect(output(stderr)).toBe('still here\n');
});

it('knows that a part of the result is lost, unless only the reader is gone', () => {
  const { terminal, stdout } = streams({ tty: false });
  stdout.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
  expect(terminal.lost()).toBeNull();
  stdout.emit('error', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
  expect(terminal.lost()).toBe('ENOSPC');
  const other = streams({ tty: false });
  other.stdout.emit('error', new Error('write after end'));
  expect(other.terminal.lost()).toBe('write after end');
});

it('prints JSON without control and invisible characters, which parses to the same value', () => {
  const { terminal, stdout, output } = streams({ tty: false });
  const value = { name: '\x1ba\u202eb\u2066c\u200bd\ufe0fe\u{e0101}f\u007f\u009b', text: 'two\nlines' };
  terminal.document(value);
  const json = output(stdout);
  expect(json).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
  expect(json).toContain('a\\u202eb\\u2066c\\u200bd\\ufe0fe\\udb40\\udd01f\\u007f\\u009b');
  expect(JSON.parse(json)).toEqual(value);
});
