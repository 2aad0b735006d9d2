import { describe, expect, it } from 'vitest';
import { type Ask, ask, type Plan } from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import { ANSWER_OPTIONS, optionsFor } from './answerOptions.ts';
import { readCommandLine } from './commandLine.ts';
import { usage } from './usage.ts';

const STOP: Check = { id: 'logs', verdict: 'blocker', title: 'Stop', text: [], todo: [] };
const all = ask.options.map(({ shape }) => shape.ask.value);

/** One of each that is still open. */
const OPEN: Readonly<Record<Ask['ask'], Ask>> = {
  name: { ask: 'name', value: '', check: STOP },
  destination: { ask: 'destination', value: '', check: STOP },
  passphrase: { ask: 'passphrase', needed: true, canBeTried: true, secondsPerTry: null },
  'load-on-startup': { ask: 'load-on-startup', value: null },
  'load-afterwards': { ask: 'load-afterwards', value: true },
  'own-copy': { ask: 'own-copy', value: false },
  'read-loss': { ask: 'read-loss', value: false },
  logs: { ask: 'logs', value: '', check: STOP },
  'bitcoin-keys': { ask: 'bitcoin-keys', value: false },
  'wallets-folder': { ask: 'wallets-folder', check: STOP },
  'rescan-from': { ask: 'rescan-from', value: 0, check: STOP },
};

const planWith = (open: readonly Ask[], checks: readonly Check[] = []) =>
  ({ action: 'rescue', asks: open, checks, elsewhere: null, facts: { contents: null } }) as unknown as Plan;

describe('each ask of a plan', () => {
  it.each(all)('%s has an option in --help that the command line takes', (kind) => {
    const help = usage('ferry');
    for (const option of ANSWER_OPTIONS[kind]) {
      const [name = '', value] = option.split(' ');
      expect(help).toContain(name);
      if (!name.startsWith('--')) continue;
      const values = { 'yes|no': 'yes', N: '0', 'HEIGHT|DATE': '100' };
      const given = value === undefined ? [name] : [name, values[value as keyof typeof values] ?? 'x'];
      expect(readCommandLine(['plan', 'migrate', 'w', ...given])).toMatchObject({ verb: 'plan' });
    }
  });

  it.each(all)('%s is named with its option by the refusal that it causes', (kind) => {
    const plan = planWith([OPEN[kind]]);
    const told = optionsFor(plan, { hasPassphrase: false });
    if (blockerText(plan, false) === null) expect(told).toEqual([]);
    else expect(told.join()).toContain(ANSWER_OPTIONS[kind][0]);
  });
});

describe('the options of a refusal', () => {
  it('are none for what is answered', () => {
    const answered: Ask[] = [
      { ask: 'own-copy', value: true },
      { ask: 'passphrase', needed: true, canBeTried: true, secondsPerTry: null },
    ];
    expect(optionsFor(planWith(answered), { hasPassphrase: true })).toEqual([]);
  });

  it('go on without a log that is missed, or name its folder', () => {
    const told = optionsFor(planWith([OPEN.logs]), { hasPassphrase: false });
    expect(told).toEqual([expect.stringMatching(/--logs DIR.*--without-logs/)]);
  });

  it('load a wallet, and rescue a file that was not closed', () => {
    const stops = (id: Check['id']) => planWith([], [{ ...STOP, id }]);
    expect(optionsFor(stops('wallet-loaded'), { hasPassphrase: false }).join()).toContain('--load');
    const restore = { ...stops('not-closed'), action: 'restore' } as Plan;
    expect(optionsFor(restore, { hasPassphrase: false }).join()).toContain('rescue FILE --out DIR');
  });
});
