/** The reasons why the engine cannot start. */
import type { NoFile, NoFileError } from '../../files/openFile.ts';

/** Plain sentences for the terminal and for the app. */
export class EngineError extends Error {
  constructor(
    message: string,
    /** What to do next; null where the message says it. */
    readonly todo: string | null = null,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

/** The error for an engine file that is not safe to open. `what`: the beginning of the sentence, such as "The log file". */
export function notOpenedError(what: string, path: string, { reason }: NoFileError): EngineError {
  return new EngineError(
    `${what} ${path} ${words[reason]}. It was neither read nor changed: whoever put it there could make the engine write to another file. Move it away and start again.`,
  );
}

const words: Readonly<Record<NoFile, string>> = {
  folder: 'is a folder',
  special: 'is a pipe, a socket or a device',
  link: 'is a link to another place',
  'of-another-user': 'belongs to another user of this computer',
  'of-several-names': 'has a second name elsewhere (a hard link)',
};
