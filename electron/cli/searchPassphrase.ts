/** The command `passphrase`: reads the pieces, prints the size of the search, asks, searches and prints the result. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import {
  memoryOf,
  type PassphraseFound,
  type PassphraseMemory,
} from '../../shared/model/search/passphraseMemory.ts';
import { say } from '../../shared/wording/say.ts';
import {
  NOT_UTF8,
  PIECES_HINT,
  PIECES_LACKING,
  passphraseCountLines,
  passphraseProgressLine,
} from '../../shared/wording/searchWords.ts';
import { type CommandDeps, encoded } from './client.ts';
import { type PassphraseCommand, UsageError } from './commandLine.ts';
import { readSecret, type Terminal } from './terminal.ts';
import { EXIT } from './usage.ts';

/** Resolves with the exit code. Throws AppError and UsageError. */
export async function searchPassphrase(
  command: PassphraseCommand,
  { client, terminal, signal }: CommandDeps,
): Promise<number> {
  const { file, json, resume, yes, show } = command;
  let searching = false;
  // Print this before the interrupt mutes the terminal.
  signal.addEventListener('abort', () => {
    if (searching) terminal.err([say('Stopped. To continue: --go-on.')]);
  });
  const memory = await memoryFrom(command, terminal);
  const source = { by: 'file', path: file } as const;
  const count = await client.ask('passphrase.count', { source, memory });
  terminal.err(passphraseCountLines(count));
  if (!yes && !(await terminal.confirm(say('Run this? [y/N]')))) {
    if (json) terminal.document(encoded('passphrase.count', count));
    if (!terminal.isInteractive) terminal.err([say('Add --yes to start.')]);
    return EXIT.stopped;
  }
  const task = randomUUID();
  const leave = client.on('searchProgress', (progress) => {
    if (progress.task !== task || signal.aborted) return;
    terminal.progress(passphraseProgressLine(progress, false), passphraseProgressLine(progress, true));
  });
  searching = true;
  try {
    const result = await client.ask('passphrase.search', { source, memory, resume, task });
    terminal.progress(null, null);
    const { tried, found } = result;
    if (json)
      terminal.document(show ? encoded('passphrase.search', result) : { tried, found: found !== null });
    report(result, command, terminal);
    return found === null ? EXIT.failed : EXIT.done;
  } finally {
    searching = false;
    leave();
  }
}

async function memoryFrom(
  { piecesFd, variations }: PassphraseCommand,
  terminal: Terminal,
): Promise<PassphraseMemory> {
  if (piecesFd === null && !terminal.isInteractive) throw new UsageError(say('Add --pieces-fd N.'));
  const pieces = piecesFd === null ? await askPieces(terminal) : await readSecret(piecesFd, terminal.stdin);
  const memory = memoryOf(pieces, variations);
  if (memory === null) throw new UsageError(PIECES_LACKING);
  return memory;
}

function askPieces(terminal: Terminal): Promise<string> {
  terminal.err([PIECES_HINT]);
  return terminal.secrets((number) => say('Piece {number}, or Enter:', { number }));
}

/** Prints the passphrase only with `--show`. */
function report({ found }: PassphraseFound, command: PassphraseCommand, terminal: Terminal): void {
  const { json, show, foundFd } = command;
  if (found === null) {
    terminal.err([say('No passphrase fits.')]);
    return;
  }
  if (foundFd !== null) writeFileSync(foundFd, Buffer.from(found.hex, 'hex'));
  if (show && !json) terminal.out([found.text ?? found.hex]);
  terminal.err([
    say('Passphrase found.'),
    ...(show || foundFd !== null ? [] : [say('Add --show to see it.')]),
    ...(found.text === null ? [NOT_UTF8] : []),
  ]);
}
