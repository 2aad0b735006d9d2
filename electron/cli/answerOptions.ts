/** Names the command line options that answer a plan's asks and clear its blockers. */
import { chainOfNetwork } from '../../shared/model/network.ts';
import type { Ask, Plan } from '../../shared/model/plan.ts';
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

/** Explains the option that answers an ask. */
export function answerText({ ask }: Ask): string {
  const [option = '', other] = ANSWER_OPTIONS[ask];
  switch (ask) {
    case 'name':
      return say('Another name: {option}', { option });
    case 'destination':
      return say('Another place for the backup: {option}', { option });
    case 'passphrase':
      return say('The passphrase: run asks, or {option}', { option });
    case 'load-on-startup':
      return say('Load it at each start: {option}', { option });
    case 'load-afterwards':
      return say('Load it afterwards: {option}', { option });
    case 'own-copy':
      return say('You have a copy: {option}', { option });
    case 'read-loss':
      return say('You read what the rehearsal found: {option}', { option });
    case 'logs':
      return say('Its folder “database”: {option}. Without it: {other}', { option, other: other ?? '' });
    case 'rescan-from':
      return say('Another start: {option}', { option });
    case 'wallets-folder':
      return say('The node’s wallets folder: {option}', { option });
    case 'bitcoin-keys':
      return say('Its keys are Bitcoin’s: {option}', { option });
  }
}

/** Whether the ask still blocks the plan. */
export function isOpen(ask: Ask, hasPassphrase: boolean): boolean {
  if ('check' in ask) return ask.check.verdict === 'blocker';
  switch (ask.ask) {
    case 'passphrase':
      return !hasPassphrase && ask.needed;
    case 'load-on-startup':
    case 'load-afterwards':
      return false;
    case 'own-copy':
    case 'read-loss':
    case 'bitcoin-keys':
      return !ask.value;
  }
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
