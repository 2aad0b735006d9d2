/** Names the command line options that answer a plan's asks and clear its blockers. */
import { chainOfNetwork } from '../../shared/model/network.ts';
import { type Ask, needsAnswer, type Plan } from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { say } from '../../shared/wording/say.ts';

/** Every ask has an option, so that the terminal can answer any plan of the window. */
export const ANSWER_OPTIONS: Readonly<Record<Ask['ask'], readonly string[]>> = {
  name: ['--name NAME'],
  destination: ['NEW-FILE'],
  passphrase: ['--passphrase-fd N'],
  'load-on-startup': ['--load-on-startup yes|no'],
  'load-afterwards': ['--load-afterwards yes|no'],
  'own-copy': ['--own-copy'],
  'read-loss': ['--loss-read'],
  logs: ['--logs DIR', '--without-logs'],
  'bitcoin-keys': ['--bitcoin-keys'],
  'rescan-from': ['--from HEIGHT|DATE'],
  'wallets-folder': ['--wallets-folder DIR'],
};

/** What each option says, in the help and where it is still needed. Absent where the option says it all. */
export const ANSWER_WORDS = {
  name: say('of the new wallet'),
  passphrase: say('passphrase from file descriptor N'),
  'load-on-startup': say('load at each start'),
  'load-afterwards': say('load migrated wallets (release 32)'),
  'own-copy': say('you have a copy'),
  'read-loss': say('you read what the rehearsal found'),
  logs: say('the folder “database”, or none'),
  'wallets-folder': say('the node’s wallets folder'),
  'bitcoin-keys': say('its keys are Bitcoin’s'),
} as const satisfies Partial<Record<Ask['ask'], string>>;

/** `--own-copy: you have a copy`. */
export function answerText({ ask }: Ask): string {
  const words: Partial<Record<Ask['ask'], string>> = ANSWER_WORDS;
  const options = ANSWER_OPTIONS[ask].join(', ');
  return words[ask] === undefined ? options : `${options}: ${words[ask]}`;
}

/** Whether the ask still blocks the plan. */
export function isOpen(ask: Ask, hasPassphrase: boolean): boolean {
  return 'check' in ask ? ask.check.verdict === 'blocker' : needsAnswer(ask, hasPassphrase);
}

/** Lists every option that unblocks the plan, one a line. */
export function optionsFor(plan: Plan, { hasPassphrase }: { hasPassphrase: boolean }): string[] {
  const fixes = plan.checks.flatMap((check) => (check.verdict === 'blocker' ? fixesFor(check, plan) : []));
  const answers = plan.asks.filter((ask) => isOpen(ask, hasPassphrase)).map(answerText);
  const elsewhere = plan.elsewhere === 'this-file' ? elsewhereOf(plan) : [];
  return [...new Set([...fixes, ...answers, ...elsewhere])];
}

/** The fixes for which the page has a button. */
function fixesFor({ id }: Check, plan: Plan): string[] {
  switch (id) {
    case 'wallet-loaded':
      return [say('Load it: {option}', { option: '--load' })];
    case 'network': {
      const name = plan.facts.contents?.network.name ?? 'unknown';
      if (name === 'unknown') return [];
      const option = `--chain ${chainOfNetwork(name)}`;
      return [say('Its own network: {option}', { option })];
    }
    case 'not-closed':
      return plan.action === 'rescue'
        ? []
        : [say('Rescue it: {command}', { command: 'rescue FILE --out DIR' })];
    default:
      return [];
  }
}

function elsewhereOf({ action, facts }: Plan): string[] {
  const path = facts.path ?? 'FILE';
  const command = action === 'rescue' ? `rescue ${path} --out DIR` : `run restore ${path} --offline DIR`;
  return [say('Without a node: {command}', { command })];
}
