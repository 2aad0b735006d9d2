/** `passphrase`: variants of what its owner nearly remembers, tried on the owner's own file until one fits. */
import { say } from '../../../shared/text/say.ts';
import { formatCount } from '../../../shared/words/format/counted.ts';
import { formatElapsed } from '../../../shared/words/format/formatDuration.ts';
import type { Command } from './commandLine.ts';
import { readSecret } from './readSecret.ts';
import type { Means } from './runCrossing.ts';
import { EXIT } from './usage.ts';

/** How long each question to the services takes, about: what is lost where it is stopped. */
const SECONDS_AT_ONCE = 20;

/** Says how many tries there are and how long they take before it goes on. Prints the passphrase, and nothing else there. */
export async function searchPassphrase(
  { file, rememberedFd, from, json }: Extract<Command, { verb: 'passphrase' }>,
  { client, terminal, signal }: Means,
): Promise<number> {
  let next = from;
  signal.addEventListener('abort', () =>
    terminal.err([say('To go on: {option}', { option: `--from ${next}` })]),
  );
  const remembered =
    rememberedFd === null
      ? await terminal.secret(say('What you remember, with (one|other) for alternatives:'))
      : await readSecret(rememberedFd);
  if (!remembered) return EXIT.stopped;
  const source = { by: 'file', path: file } as const;
  const search = (count: number) =>
    client.ask('wallet.searchPassphrase', { source, remembered, from: next, count, job: client.newJob() });
  const { total } = await search(0);
  let atOnce = FIRST;
  let isTold = false;
  while (next < total) {
    const { tried, perSecond, found } = await search(atOnce);
    if (found !== null) {
      terminal.progress(null, null);
      if (json) terminal.document({ found, total });
      else {
        terminal.err([say('This is the passphrase ({encoding}):', { encoding: found.encoding })]);
        terminal.out([found.text]);
      }
      return EXIT.done;
    }
    next += atOnce;
    const left = (total - next) / Math.max(perSecond ?? 1, 0.001);
    const words = say('{total, number} variants, at most {time}.', {
      total,
      time: formatElapsed(Math.max(0, left)),
    });
    if (!isTold) terminal.err([words]);
    isTold = true;
    terminal.progress(`${formatCount(Math.min(next, total))} · ${words}`, null);
    if (perSecond !== null && tried > 0) atOnce = Math.max(FIRST, Math.round(perSecond * SECONDS_AT_ONCE));
  }
  terminal.progress(null, null);
  if (json) terminal.document({ found: null, total });
  terminal.err([say('None of the variants fits.')]);
  return EXIT.failed;
}

/** Enough to measure how fast it goes. */
const FIRST = 8;
