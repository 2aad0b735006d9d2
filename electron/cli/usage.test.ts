import { describe, expect, it } from 'vitest';
import { type Plan, type Question, questionShape } from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { sampleInspection } from '../../shared/testing/sampleInspection.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import { readCommandLine } from './commandLine.ts';
import { ANSWERS, commandLines, idleOptions, optionsFor, usage } from './usage.ts';

const STOP: Check = { id: 'logs', verdict: 'blocker', title: 'Stop', text: [], todo: [] };
const all = questionShape.def.options.flatMap(({ shape }) => shape.ask.def.values);

/** One open question of each kind. */
const OPEN: Readonly<Record<Question['ask'], Question>> = {
  name: { ask: 'name', value: '', check: STOP },
  destination: { ask: 'destination', value: '', check: STOP },
  passphrase: { ask: 'passphrase', needed: true, canBeTried: true, secondsPerTry: null },
  'load-on-startup': { ask: 'load-on-startup', value: null },
  'load-afterwards': { ask: 'load-afterwards', value: true },
  'own-copy': { ask: 'own-copy', value: false },
  'read-loss': { ask: 'read-loss', value: false },
  logs: { ask: 'logs', value: '', check: STOP },
  'bitcoin-keys': { ask: 'bitcoin-keys', value: false },
  'closed-elsewhere': { ask: 'closed-elsewhere', value: false },
  'wallets-folder': { ask: 'wallets-folder', check: STOP },
  'rescan-from': { ask: 'rescan-from', value: 0, check: STOP },
};

const berkeley = sampleInspection().file;
const unclosed = { ...berkeley, format: { ...berkeley.format, cleanlyClosed: false } } as typeof berkeley;
const lost = { page: 1, finding: { code: 'not_closed_cleanly' }, lost: true } as const;
const OPEN_SHELL = { hasPassphrase: false, program: 'ferry' };

const planWith = (open: readonly Question[], checks: readonly Check[] = []) =>
  ({ action: 'rescue', asks: open, checks, elsewhere: null, facts: { contents: null } }) as unknown as Plan;

describe('each ask of a plan', () => {
  it.each(all)('%s has an option that --help lists and the command line accepts', (kind) => {
    const help = usage('ferry');
    for (const option of ANSWERS[kind][0].split(', ')) {
      const [name = '', value] = option.split(' ');
      expect(help).toContain(name);
      if (!name.startsWith('--')) continue;
      const values = { 'yes|no': 'yes', N: '0', 'HEIGHT|DATE': '100' };
      const args = value === undefined ? [name] : [name, values[value as keyof typeof values] ?? 'x'];
      expect(readCommandLine(['plan', 'migrate', 'w', ...args])).toMatchObject({ verb: 'plan' });
    }
  });

  it.each(all)('%s appears with its option in the refusal that it causes', (kind) => {
    const plan = planWith([OPEN[kind]]);
    const options = optionsFor(plan, OPEN_SHELL);
    if (blockerText(plan, false) === null) expect(options).toEqual([]);
    else expect(options.join()).toContain(ANSWERS[kind][0]);
  });
});

describe('an option has no effect', () => {
  it.each([
    ['name', '--name', { name: 'new' }],
    ['load-on-startup', '--load-on-startup', { loadOnStartup: null }],
    ['load-afterwards', '--load-afterwards', { loadAfterwards: false }],
    ['rescan-from', '--from', { rescanFrom: { by: 'height', height: 5 } }],
  ] as const)('on a plan that does not ask for it: %s', (kind, option, answers) => {
    expect(idleOptions(planWith([OPEN[kind]]), answers)).toEqual([]);
    expect(idleOptions(planWith([]), answers)).toEqual([option]);
  });

  it.each([
    ['rescue', '--logs', { logs: '/logs' }],
    ['rescue', '--without-logs', { logs: null }],
    ['rescue', '--open-only', { openOnly: true }],
    ['put-back', '--copy', { copy: '/copy.dat' }],
  ] as const)('on other jobs than a %s: %s', (action, option, answers) => {
    expect(idleOptions({ ...planWith([]), action }, answers)).toEqual([]);
    expect(idleOptions({ ...planWith([]), action: 'migrate' }, answers)).toEqual([option]);
  });
});

it('takes “no” where a node without settings never loads the wallet at its start, and refuses “yes”', () => {
  const restored = { ...planWith([]), action: 'restore', kind: 'restore' } as Plan;
  expect(idleOptions(restored, { loadOnStartup: false })).toEqual([]);
  expect(idleOptions(restored, { loadOnStartup: true })).toEqual(['--load-on-startup']);
  expect(idleOptions({ ...restored, kind: 'restore-migrate' }, { loadOnStartup: false })).toEqual([
    '--load-on-startup',
  ]);
});

describe('the options of a refusal', () => {
  it('are empty for answered asks', () => {
    const answered: Question[] = [
      { ask: 'own-copy', value: true },
      { ask: 'passphrase', needed: true, canBeTried: true, secondsPerTry: null },
    ];
    expect(optionsFor(planWith(answered), { ...OPEN_SHELL, hasPassphrase: true })).toEqual([]);
  });

  it('continue without a missing log, or name its folder', () => {
    const options = optionsFor(planWith([OPEN.logs]), OPEN_SHELL);
    expect(options).toEqual([expect.stringMatching(/--logs DIR.*--without-logs/)]);
  });

  it('load a wallet', () => {
    const stopped = planWith([], [{ ...STOP, id: 'wallet-loaded' }]);
    expect(optionsFor(stopped, OPEN_SHELL).join()).toContain('--load');
  });

  it.each([
    ['that its program did not close', { file: unclosed }],
    ['that lost records', { problems: [lost] }],
    ['that releases refuse', { conditions: [{ code: 'page-version', shown: [], total: 1 }] as never }],
  ])('rescue a file %s, instead of a job that needs a whole one', (_, change) => {
    const contents = sampleInspection(change);
    const facts = { path: "/home/ana/x'; id.dat", contents } as unknown as Plan['facts'];
    const plan = { ...planWith([], [STOP]), action: 'migrate', elsewhere: 'this-file', facts } as Plan;
    const command = "Rescue it: ferry rescue '/home/ana/x'\\''; id.dat' --out DIR";
    expect(optionsFor(plan, OPEN_SHELL)).toEqual([command]);
    expect(optionsFor({ ...plan, checks: [] }, OPEN_SHELL)).not.toContain(command);
  });

  it('rescue a file that is cut short, whose contents are unknown', () => {
    const facts = { path: '/x.dat', contents: null, file: { truncated: true, kind: 'legacy-wallet' } };
    const plan = { ...planWith([], [STOP]), action: 'restore', facts } as unknown as Plan;
    expect(optionsFor(plan, OPEN_SHELL)).toEqual(['Rescue it: ferry rescue /x.dat --out DIR']);
  });

  it.each([
    ['restore', 'ferry run restore /old.bak --offline DIR'],
    ['migrate', 'ferry run restore /old.bak --offline DIR'],
    // Only an undo leaves a legacy wallet as it is.
    ['undo', 'ferry run undo /old.bak --offline DIR'],
    ['rescue', 'ferry rescue /old.bak --out DIR'],
  ] as const)('name the same job without a node: %s', (action, command) => {
    const facts = { path: '/old.bak', contents: null } as Plan['facts'];
    const plan = { ...planWith([]), action, elsewhere: 'this-file', facts } as Plan;
    expect(optionsFor(plan, OPEN_SHELL)).toEqual([`Without a node: ${command}`]);
  });
});

it('says once what stands for a path that no shell takes in quotes', () => {
  const quoted = (path: string) => (path.includes('$') ? 'FILE' : path);
  const paths = ['/a.dat', 'C:\\$R1.dat', 'C:\\$R2.dat'];
  const commands = paths.map((path) => `ferry inspect ${quoted(path)}`);
  expect(commandLines(commands, paths, quoted)).toEqual([
    'ferry inspect /a.dat',
    'ferry inspect FILE',
    'FILE: the path above, in quotes.',
  ]);
  expect(commandLines(commands.slice(0, 1), ['/a.dat'], quoted)).toEqual(['ferry inspect /a.dat']);
});
