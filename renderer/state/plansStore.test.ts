import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import type { FoundNode } from '../../shared/model/node.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../shared/testing/samplePlan.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const kept = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => kept.set(name, value),
});
const ferry = installFakeFerry();
const { startApp, useApp } = await import('./appStore.ts');
const { useNodes } = await import('./nodesStore.ts');
const { startJobs, useJobs } = await import('./jobsStore.ts');
const { isBatchRunning, isOfSameWallet, passphraseFields, requestAgain, whyNotReady, useDrafts } =
  await import('./draftsStore.ts');
const { keepPlans } = await import('../shell/keepHistory.ts');
const { plans } = await import('./plansStore.ts');
const { beginOffline } = await import('./walletActions.ts');
const { leaveBatch, startBatch, stopAfterThis } = await import('./batchPlans.ts');

const node = (port = 18443) =>
  sampleNodeStatus({ address: { host: '127.0.0.1', port, tls: false }, network: 'regtest' });
const error = (code: AppErrorShape['code']) => ({ code, message: `${code}.`, hint: '' });
const warning: Check = { id: 'space', verdict: 'warning', title: 'Little room', text: [], todo: [] };
const stop: Check = { id: 'space', verdict: 'blocker', title: 'No room', text: [], todo: [] };

const planOf = (wallet: string, fields: Partial<Plan> = {}) =>
  samplePlan({ id: `plan of ${wallet}`, wallet, ...fields }, node());

const job = (wallet: string, state: Job['state'] = 'running') =>
  sampleJob({
    id: `of ${wallet}`,
    wallet,
    node: { ...sampleJob().node, address: node().address, network: 'regtest' },
    state,
    ended: state === 'running' ? null : 2,
    error: state === 'failed' ? error('wallet_error') : null,
  });

const migrate = (name: string) => ({ action: 'migrate', source: { by: 'wallet', name } }) as const;
const runStates = () => useDrafts.getState().drafts.map(({ runState }) => runState.state);
const first = () => {
  const [draft] = useDrafts.getState().drafts;
  if (!draft) throw new Error('there is no draft');
  return draft;
};
const focus = vi.fn();
const type = (key: string, value: string) =>
  passphraseFields.set(key, { value, focus: focus as () => void } as HTMLInputElement);
const start = () => {
  const { drafts, batch } = useDrafts.getState();
  for (const { key } of drafts) type(key, 'typed');
  return batch === 'none' ? plans.start(drafts[0]?.key ?? '') : startBatch();
};
const page = (name: string) => ({ at: 'wallet', source: { by: 'wallet', name } });
const isPlanned = () => vi.waitFor(() => expect(ferry.waiting('plan.make')).toBe(1));
const isAsked = () => vi.waitFor(() => expect(ferry.waiting('plan.run')).toBe(1));
async function startJob(wallet: string): Promise<void> {
  await isAsked();
  await ferry.answer('plan.run', { began: true, job: job(wallet) });
}

/** Starts it, and ends it well. */
async function runJob(wallet: string): Promise<void> {
  await startJob(wallet);
  ferry.emit('job', job(wallet, 'done'));
}

void startApp();
void startJobs();
keepPlans();

beforeEach(() => {
  vi.useRealTimers();
  ferry.forget();
  useDrafts.setState({ drafts: [], batch: 'none', starting: [] });
  useJobs.setState({ jobs: [] });
  ferry.emit('connection', { state: 'connected', node: node() });
});

async function planned(...wallets: string[]): Promise<void> {
  plans.begin(wallets.map(migrate));
  for (const wallet of wallets) await ferry.answer('plan.make', planOf(wallet));
}

async function tryIt(key: string): Promise<void> {
  const tried = plans.tryPassphrase(key);
  await ferry.answer('plan.tryPassphrase', { ...warning, id: 'passphrase', verdict: 'fine' });
  await tried;
}

describe('one plan', () => {
  it('is made, shown and run, and leads to its job', async () => {
    await planned('w');
    expect(useApp.getState().route).toEqual(page('w'));
    expect(first()).toMatchObject({ isPlanning: false, plan: { wallet: 'w' } });
    const ended = start();
    await startJob('w');
    await ended;
    expect(useApp.getState().route).toEqual({ ...page('w'), job: 'of w' });
    expect(useDrafts.getState().drafts).toEqual([]);
  });

  it('shows the new plan if a verdict got worse', async () => {
    await planned('w');
    const ended = start();
    await isAsked();
    await ferry.answer('plan.run', { began: false, plan: planOf('w', { checks: [stop] }) });
    await ended;
    expect(first()).toMatchObject({ worse: true, plan: { checks: [{ id: 'space' }] } });
    expect(useDrafts.getState().starting).toEqual([]);
    expect(useApp.getState().route).toEqual(page('w'));
  });

  it('waits for the plan of an answer given just before the click, then runs', async () => {
    await planned('w');
    plans.answer(first().key, { name: 'a' });
    const ended = start();
    await isPlanned();
    expect(ferry.waiting('plan.run')).toBe(0);
    await ferry.answer('plan.make', planOf('w'));
    await startJob('w');
    await ended;
    expect(useDrafts.getState().drafts).toEqual([]);
  });

  it('does not run if the answer given just before the click brings a warning', async () => {
    await planned('w');
    plans.answer(first().key, { name: 'a' });
    const ended = start();
    await isPlanned();
    await ferry.answer('plan.make', planOf('w', { checks: [warning] }));
    await ended;
    expect(ferry.waiting('plan.run')).toBe(0);
    expect(first()).toMatchObject({ worse: true, plan: { checks: [warning] } });
    const again = start();
    await startJob('w');
    await again;
  });

  it('ignores the plan of an earlier answer', async () => {
    await planned('w');
    const { key } = first();
    plans.answer(key, { name: 'a' });
    await isPlanned();
    plans.answer(key, { name: 'b' });
    await ferry.answer('plan.make', planOf('w'));
    expect(first().isPlanning).toBe(true);
    await isPlanned();
    expect(ferry.asked('plan.make')).toMatchObject({ answers: { name: 'b' } });
    await ferry.answer('plan.make', planOf('w'));
    expect(first().isPlanning).toBe(false);
  });

  it('asks again whether the user read the result after another rehearsal', async () => {
    await planned('w');
    useDrafts.setState({ drafts: [{ ...first(), answers: { name: 'a', lossRead: true } }] });
    const rehearsed = plans.rehearse(first().key);
    await vi.waitFor(() => expect(ferry.waiting('plan.rehearse')).toBe(1));
    expect(ferry.asked('plan.rehearse')).toHaveProperty('answers', { name: 'a' });
    expect(first().answers).toEqual({ name: 'a' });
    await ferry.answer('plan.rehearse', { plan: planOf('w'), rehearsal: null });
    await rehearsed;
  });

  it('says at the field alone that the passphrase is wrong, until the user types something else', async () => {
    await planned('w');
    const wrong = { state: 'known', check: { verdict: 'blocker', title: 'wrong_passphrase.' } };
    const ended = start();
    await isAsked();
    focus.mockClear();
    await ferry.refuse('plan.run', error('wrong_passphrase'));
    expect(focus).toHaveBeenCalledOnce();
    focus.mockClear();
    await ended;
    expect(first()).toMatchObject({ error: null, tried: wrong });
    plans.passphraseChanged(first().key, true);
    expect(first().tried.state).toBe('none');
    type(first().key, 'no');
    const rehearsed = plans.rehearse(first().key);
    await ferry.refuse('plan.rehearse', error('wrong_passphrase'));
    await rehearsed;
    expect(first()).toMatchObject({ error: null, tried: wrong, rehearsing: { state: 'none' } });
    expect(focus).toHaveBeenCalledOnce();
  });

  it.each(['plan_gone', 'file_changed'] as const)(
    'is made again, and says so, after the error %s',
    async (code) => {
      await planned('w');
      const ended = start();
      await isAsked();
      await ferry.refuse('plan.run', error(code));
      await ended;
      expect(ferry.waiting('plan.make')).toBe(1);
      await ferry.answer('plan.make', planOf('w'));
      expect(first()).toMatchObject({ isPlanning: false, plan: { wallet: 'w' }, error: null, worse: true });
      // The page suggests what can be done with the file that is there now.
      useDrafts.setState({ drafts: [{ ...first(), chosen: false }] });
      plans.suggest({ ...migrate('w'), action: 'rescue' }, 'no');
      expect(first()).toMatchObject({ action: 'rescue', worse: code === 'file_changed' });
    },
  );

  it('keeps the answers if reading the facts again fails, and does not run then', async () => {
    await planned('w');
    const { key } = first();
    plans.passphraseChanged(key, true);
    plans.planAgain(key);
    await ferry.refuse('plan.make', error('cannot_connect'));
    expect(first()).toMatchObject({ typed: true, plan: { wallet: 'w' }, error: { code: 'cannot_connect' } });
    expect(whyNotReady(first())).toBe('Not checked.');
    await start();
    expect(ferry.waiting('plan.run')).toBe(0);
    plans.planAgain(key);
    await ferry.answer('plan.make', planOf('w'));
    expect(whyNotReady(first())).toBeNull();
  });

  it('is requested once, with the last answer', async () => {
    await planned('w');
    const { key } = first();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    plans.answer(key, { name: 'a' });
    plans.answer(key, { name: 'ab' });
    expect(first()).toMatchObject({ isPlanning: true, answers: { name: 'ab' } });
    vi.runAllTimers();
    vi.useRealTimers();
    expect(ferry.waiting('plan.make')).toBe(1);
    await ferry.answer('plan.make', planOf('ab'));
    expect(first().plan?.wallet).toBe('ab');
  });

  it('shows the result for the current passphrase only', async () => {
    await planned('w');
    const { key } = first();
    const wrong = { ...stop, id: 'passphrase' };
    type(key, 'one');
    void plans.tryPassphrase(key);
    expect(first().tried).toEqual({ state: 'trying' });
    await ferry.answer('plan.tryPassphrase', wrong);
    expect(first().tried).toMatchObject({ state: 'known', check: { verdict: 'blocker' } });
    type(key, 'two');
    void plans.tryPassphrase(key);
    plans.passphraseChanged(key, true);
    await ferry.answer('plan.tryPassphrase', wrong);
    expect(first().tried).toEqual({ state: 'none' });
  });

  it('makes the plan of a rescue again once its passphrase was tried', async () => {
    plans.begin([{ action: 'rescue', source: { by: 'file', path: '/w.dat' } }]);
    await ferry.answer('plan.make', planOf('w'));
    const { key } = first();
    type(key, 'right');
    void plans.tryPassphrase(key);
    await ferry.answer('plan.tryPassphrase', { ...warning, id: 'passphrase', verdict: 'fine' });
    await isPlanned();
    const asked = { previousPlan: 'plan of w', answers: { withPassphrase: true } };
    expect(ferry.asked('plan.make')).toMatchObject(asked);
    await ferry.answer('plan.make', planOf('w'));
    plans.planAgain(key);
    await ferry.answer('plan.make', planOf('new'));
    expect(ferry.asked('plan.tryPassphrase')).toMatchObject({ plan: 'plan of new', passphrase: 'right' });
  });

  it('of a file returns to the page and the connection of its beginning when it is cancelled', async () => {
    const source = { by: 'file', path: '/w/wallet.dat' } as const;
    plans.begin([migrate('w')]);
    const started = beginOffline({ walletsFolder: null, network: 'regtest' }, { action: 'rescue', source });
    await ferry.answer('engine.start', { state: 'connected', node: { ...node(1), offline: true } });
    await started;
    plans.restore(JSON.parse(kept.get('plans') ?? ''));
    expect(useApp.getState().route).toEqual({ at: 'wallet', source });
    useNodes.setState({
      found: [{ id: 'n', address: node().address, state: { state: 'asks-login' } }] as FoundNode[],
    });
    plans.leave(first().key);
    expect(useApp.getState().route).toEqual(page('w'));
    await vi.waitFor(() => expect(ferry.asked('nodes.connect')).toEqual({ by: 'found', id: 'n' }));
  });

  it('does not store the passphrase', async () => {
    await planned('w');
    type(first().key, 'correct horse');
    void plans.tryPassphrase(first().key);
    await ferry.refuse('plan.tryPassphrase', error('internal'));
    expect(JSON.stringify(useDrafts.getState()) + [...kept.values()].join()).not.toContain('horse');
  });

  it('can be shown again after its job failed', async () => {
    await planned('w');
    const ended = start();
    await startJob('w');
    await ended;
    plans.retry(job('w', 'failed'));
    expect(first()).toMatchObject(migrate('w'));
    await ferry.answer('plan.make', planOf('w'));
  });

  it.each([
    [{ kind: 'rescue' }, { action: 'rescue', source: { by: 'file', path: '/old.dat' } }],
    [
      { kind: 'restore', rescues: true },
      { action: 'rescue', source: { by: 'file', path: '/old.dat' } },
    ],
    [{ kind: 'restore-migrate' }, { action: 'restore', source: { by: 'file', path: '/old.dat' } }],
    [
      { kind: 'restore', action: 'undo' },
      { action: 'undo', source: { by: 'file', path: '/old.dat' } },
    ],
    [
      { kind: 'restore-migrate', action: 'put-back' },
      { ...migrate('w'), action: 'put-back' },
    ],
    [{ kind: 'rescan' }, { ...migrate('w'), action: 'rescan' }],
    [{ kind: 'restore', file: undefined }, null],
  ] as const)('of the failed job %o can be made again after a reload of the page', (fields, request) => {
    const file = { path: '/old.dat', sha256: '0'.repeat(64) };
    expect(requestAgain({ ...job('w', 'failed'), file, ...fields } as Job)).toEqual(request);
  });

  it('waits for a node, and is made again when the node reconnects or another one connects', async () => {
    ferry.emit('connection', { state: 'none' });
    plans.begin([migrate('w')]);
    expect(ferry.waiting('plan.make')).toBe(0);
    ferry.emit('connection', { state: 'connected', node: node() });
    await ferry.answer('plan.make', planOf('w', { checks: [stop] }));
    ferry.emit('connection', { state: 'lost', node: node(), error: error('cannot_connect'), since: 1 });
    // A start would only fail.
    expect(whyNotReady(first())).toBe('Waiting for the node.');
    const engine = { ...node(), offline: true };
    ferry.emit('connection', { state: 'lost', node: engine, error: error('cannot_connect'), since: 1 });
    expect(whyNotReady(first())).toBe('Offline engine stopped');
    ferry.emit('connection', { state: 'lost', node: node(), error: error('cannot_connect'), since: 1 });
    ferry.emit('connection', { state: 'connected', node: node() });
    await ferry.answer('plan.make', planOf('w'));
    expect(first().plan?.checks).toEqual([]);
  });

  it('is dropped with another node, which may have another wallet of the name', async () => {
    await planned('w');
    ferry.emit('connection', { state: 'none' });
    expect(useDrafts.getState().drafts).toHaveLength(1);
    ferry.emit('connection', { state: 'connected', node: { ...node(18444), walletsFolder: '/elsewhere' } });
    expect(useDrafts.getState().drafts).toEqual([]);
  });

  it('takes no confirmation or passphrase over to another wallet in its place', async () => {
    const again = async (...made: Plan[]) => {
      plans.planAgain(first().key);
      for (const plan of made) await ferry.answer('plan.make', plan);
    };
    await planned('w');
    const { key } = first();
    type(key, 'typed');
    plans.passphraseChanged(key, true);
    plans.answer(key, { hasOwnCopy: true, name: 'mine' });
    await isPlanned();
    await ferry.answer('plan.make', planOf('w'));
    await tryIt(key);
    await again(planOf('w'));
    expect(first()).toMatchObject({ typed: true, tried: { state: 'known' }, answers: { hasOwnCopy: true } });
    const { facts } = planOf('w');
    await again(planOf('w', { facts: { ...facts, sha256: 'ab'.repeat(32) } }));
    expect(first()).toMatchObject({ typed: true, tried: { state: 'none' }, answers: { hasOwnCopy: true } });
    await tryIt(key);
    const other = samplePlan({ wallet: 'w' }, node(1));
    await again(other, other);
    expect(first()).toMatchObject({ typed: false, tried: { state: 'none' }, answers: { name: 'mine' } });
    expect(first().answers).toMatchObject({ hasOwnCopy: false });
    expect(passphraseFields.get(key)?.value).toBe('');
  });

  it('knows another wallet by its keys', () => {
    const [one, other] = ['1', '2'].map((keysId) => ({ ...planOf('w'), facts: { contents: { keysId } } }));
    expect(isOfSameWallet(one as Plan, other as Plan)).toBe(false);
  });

  it('keeps the passphrase of a rescue whose file shows its keys only with it', async () => {
    const source = { by: 'file', path: '/old/keys.txt' } as const;
    const rescuePlan = (keysId: string) => {
      const { facts, ...plan } = planOf('keys', { action: 'rescue', source });
      return { ...plan, facts: { ...facts, contents: { keysId } } } as Plan;
    };
    expect(isOfSameWallet(rescuePlan('locked'), rescuePlan('opened'))).toBe(true);
    const migration = { ...rescuePlan('other'), action: 'migrate' } as const;
    expect(isOfSameWallet({ ...rescuePlan('one'), action: 'migrate' }, migration)).toBe(false);
  });

  it('leaves an empty batch when another node is connected', async () => {
    plans.begin([migrate('a'), migrate('b')]);
    ferry.emit('connection', { state: 'connected', node: { ...node(18444), walletsFolder: '/elsewhere' } });
    expect(useDrafts.getState()).toMatchObject({ drafts: [], batch: 'none' });
    expect(useApp.getState().route).toEqual({ at: 'wallets' });
  });

  it('is started after the one that is being started', async () => {
    await planned('v');
    await planned('w');
    const [one, two] = useDrafts.getState().drafts.map(({ key }) => key);
    const ended = Promise.all([plans.start(one ?? ''), plans.start(two ?? '')]);
    expect(useDrafts.getState().starting).toEqual([one, two]);
    await startJob('v');
    await startJob('w');
    await ended;
    expect(useDrafts.getState()).toMatchObject({ drafts: [], starting: [] });
  });

  it('survives a reload of the page', async () => {
    await planned('w');
    expect(JSON.parse(kept.get('plans') ?? '')).toEqual([
      { ...migrate('w'), answers: {}, batch: false, chosen: true, connectionBefore: null, begunAt: null },
    ]);
  });

  it('is not kept over a reload once its start is under way: the job may run already', async () => {
    await planned('w');
    const started = start();
    await isAsked();
    expect(kept.get('plans')).toBe('[]');
    await ferry.answer('plan.run', { began: true, job: job('w') });
    await started;
  });

  it('is dropped when another window runs a job of its wallet', async () => {
    await planned('w');
    ferry.emit('job', job('v'));
    ferry.emit('job', { ...job('w'), id: 'a backup', kind: 'backup' });
    ferry.emit('job', { ...job('w'), id: 'elsewhere', node: { ...job('w').node, address: node(1).address } });
    ferry.emit('job', { ...job('w', 'done'), id: 'earlier' });
    expect(useDrafts.getState().drafts).toHaveLength(1);
    ferry.emit('job', job('w'));
    expect(useDrafts.getState().drafts).toEqual([]);
  });

  it('is not kept over a reload as long as it is a mere suggestion', () => {
    plans.suggest({ action: 'restore', source: { by: 'file', path: '/old/a.dat' } }, 'start');
    plans.suggest({ action: 'restore', source: { by: 'file', path: '/old/b.dat' } }, 'start');
    plans.answer(useDrafts.getState().drafts.at(-1)?.key ?? '', { name: 'mine' });
    expect(JSON.parse(kept.get('plans') ?? '')).toMatchObject([
      { source: { path: '/old/b.dat' }, answers: { name: 'mine' }, chosen: false },
    ]);
  });
});

describe('a plan that waits for its start', () => {
  const source = { by: 'file', path: '/old/wallet.dat' } as const;
  const suggested = (waits: 'start' | 'passphrase') => {
    plans.suggest({ action: 'restore', source }, waits);
    return first().key;
  };
  const restorePlan = (fields: Partial<Plan> = {}) =>
    planOf('wallet', { action: 'restore', source, ...fields });

  it('makes no request before the click, and then connects, plans and runs', async () => {
    const key = suggested('start');
    expect(ferry.waiting('plan.make')).toBe(0);
    expect(whyNotReady(first())).toBeNull();
    const connect = vi.fn(async () => undefined);
    const ended = plans.start(key, connect);
    // A second click starts nothing.
    await plans.start(key, connect);
    await isPlanned();
    await ferry.answer('plan.make', restorePlan());
    await startJob('wallet');
    await ended;
    expect(connect).toHaveBeenCalledOnce();
    expect(useDrafts.getState().drafts).toEqual([]);
  });

  it('does not run before the user has seen its warnings, and restores the earlier connection when cancelled', async () => {
    const key = suggested('start');
    ferry.emit('connection', { state: 'none' });
    const connect = async () => ferry.emit('connection', { state: 'connected', node: node() });
    const ended = plans.start(key, connect);
    await isPlanned();
    await ferry.answer('plan.make', restorePlan({ checks: [warning] }));
    await ended;
    expect(ferry.waiting('plan.run')).toBe(0);
    expect(first()).toMatchObject({ waits: 'no', plan: { checks: [{ verdict: 'warning' }] } });
    expect(ferry.waiting('nodes.disconnect')).toBe(0);
    // A reload of the page keeps it, and so does a start of another plan.
    plans.restore(JSON.parse(kept.get('plans') ?? ''));
    await ferry.answer('plan.make', restorePlan({ checks: [warning] }));
    plans.begin([migrate('w')]);
    await ferry.answer('plan.make', planOf('w'));
    const another = plans.start(useDrafts.getState().drafts[1]?.key ?? '');
    await isAsked();
    plans.leave(first().key);
    expect(ferry.waiting('nodes.disconnect')).toBe(0);
    await startJob('w');
    await another;
    await ferry.answer('nodes.disconnect', {});
    expect(useDrafts.getState()).toMatchObject({ drafts: [], starting: [] });
  });

  it('says why there is no connection, and can be started again', async () => {
    const key = suggested('start');
    await plans.start(key, () => Promise.reject(new Error('no node')));
    expect(first().error).not.toBeNull();
    expect(first().waits).toBe('start');
    expect(useDrafts.getState().starting).toEqual([]);
  });

  it('says that the check failed, not the connection, and can be checked again', async () => {
    const key = suggested('start');
    const ended = plans.start(key, async () => undefined);
    await isPlanned();
    await ferry.refuse('plan.make', { code: 'timed_out', message: 'No answer.', hint: '' });
    await ended;
    expect(first()).toMatchObject({ waits: 'no', plan: null, error: { code: 'timed_out' } });
    expect(whyNotReady(first())).toBe('Not checked.');
    plans.planAgain(key);
    await ferry.answer('plan.make', restorePlan());
    expect(first()).toMatchObject({ error: null, plan: { wallet: 'wallet' } });
  });

  it('asks for a passphrase before it connects', () => {
    suggested('passphrase');
    expect(whyNotReady(first())).toBe('Type the passphrase.');
    plans.passphraseChanged(first().key, true);
    expect(whyNotReady(first())).toBeNull();
  });

  it('tries the passphrase on the file without a plan, and stops at a wrong one', async () => {
    const key = suggested('passphrase');
    type(key, 'wrong');
    plans.passphraseChanged(key, true);
    const check = { id: 'passphrase', title: 'Tried', text: [], todo: [] } as const;
    void plans.tryPassphrase(key);
    await ferry.answer('wallet.tryPassphrase', { ...check, verdict: 'blocker' });
    expect(first().tried).toMatchObject({ state: 'known', check: { verdict: 'blocker' } });
    expect(whyNotReady(first())).not.toBeNull();
    // What cannot be tried is neither right nor wrong.
    void plans.tryPassphrase(key);
    await ferry.answer('wallet.tryPassphrase', { ...check, verdict: 'unseen' });
    expect(first().tried).toMatchObject({ check: { verdict: 'unseen' } });
    expect(whyNotReady(first())).toBeNull();
  });

  it('keeps a passphrase that was typed before there was a plan, and sends it with the run', async () => {
    const key = suggested('passphrase');
    type(key, 'correct horse');
    plans.passphraseChanged(key, true);
    const ended = plans.start(key, async () => undefined);
    await isPlanned();
    expect(ferry.asked('plan.make')).toMatchObject({ source, answers: { withPassphrase: true } });
    expect(first().typed).toBe(true);
    await ferry.answer('plan.make', restorePlan());
    await isAsked();
    expect(ferry.asked('plan.run')).toMatchObject({
      plan: 'plan of wallet',
      answers: { withPassphrase: true },
      passphrase: 'correct horse',
    });
    await startJob('wallet');
    await ended;
    expect(passphraseFields.get(key)?.value).toBe('');
  });

  it('keeps its answers on other pages and for another node', async () => {
    const key = suggested('start');
    plans.answer(key, { name: 'savings' });
    expect(ferry.waiting('plan.make')).toBe(0);
    suggested('start');
    suggested('passphrase');
    expect(first()).toMatchObject({ key, waits: 'passphrase', answers: { name: 'savings' } });
    plans.suggest({ action: 'restore', source }, 'no');
    expect(ferry.asked('plan.make')).toMatchObject({ source, answers: { name: 'savings' } });
    await ferry.answer('plan.make', restorePlan());
    expect(first()).toMatchObject({ key, plan: { wallet: 'wallet' } });
  });

  it('is replaced by another action on the same file', () => {
    const key = suggested('start');
    plans.answer(key, { name: 'savings' });
    plans.suggest({ action: 'rescue', source }, 'start');
    expect(useDrafts.getState().drafts).toHaveLength(1);
    expect(first()).toMatchObject({ action: 'rescue', answers: {} });
  });

  it('can be cancelled while the job is being started', async () => {
    await planned('w');
    const { key } = first();
    const ended = start();
    await isAsked();
    const { task } = Object(ferry.asked('plan.run'));
    plans.leave(key);
    expect(ferry.asked('tasks.cancel')).toEqual({ task });
    expect(useDrafts.getState().drafts).toEqual([]);
    await ferry.refuse('plan.run', error('cancelled'));
    await ended;
    expect(useDrafts.getState().starting).toEqual([]);
    expect(useApp.getState().route).toEqual(page('w'));
  });

  it('leads to its job where it was cancelled too late, and stays with its node', async () => {
    const key = suggested('start');
    ferry.emit('connection', { state: 'none' });
    const ended = plans.start(key, async () => undefined);
    await isPlanned();
    await ferry.answer('plan.make', restorePlan());
    await isAsked();
    useApp.setState({ route: { at: 'wallet', source } });
    plans.leave(key);
    await startJob('wallet');
    await ended;
    expect(useApp.getState().route).toEqual({ at: 'wallet', source, job: 'of wallet' });
    expect(ferry.waiting('nodes.disconnect')).toBe(0);
  });

  it('can be cancelled while the app connects, and restores the earlier connection', async () => {
    const key = suggested('start');
    ferry.emit('connection', { state: 'none' });
    const connect = vi.fn(() => new Promise<void>(() => undefined));
    const ended = plans.start(key, connect);
    await vi.waitFor(() => expect(connect).toHaveBeenCalled());
    plans.leave(key);
    await vi.waitFor(() => expect(ferry.waiting('nodes.disconnect')).toBe(1));
    await ferry.answer('nodes.disconnect', {});
    await ended;
    expect(useDrafts.getState()).toMatchObject({ drafts: [], starting: [] });
  });

  it('leaves the connection as it is if it is cancelled before its turn', async () => {
    ferry.emit('connection', { state: 'none' });
    const key = suggested('start');
    plans.suggest({ action: 'restore', source: { by: 'file', path: '/other.dat' } }, 'start');
    const [, other] = useDrafts.getState().drafts;
    const connect = vi.fn(() => new Promise<void>(() => undefined));
    void plans.start(key, connect);
    const ended = plans.start(other?.key ?? '', connect);
    await vi.waitFor(() => expect(connect).toHaveBeenCalled());
    plans.leave(other?.key ?? '');
    plans.leave(key);
    await vi.waitFor(() => expect(ferry.waiting('nodes.disconnect')).toBe(1));
    await ferry.answer('nodes.disconnect', {});
    await ended;
    expect(ferry.waiting('nodes.disconnect')).toBe(0);
  });
});

describe('several plans', () => {
  it('run one after another, and continue after a failure', async () => {
    await planned('a', 'b');
    const ended = start();
    await isAsked();
    expect(runStates()).toEqual(['starting', 'waiting']);
    await startJob('a');
    expect(runStates()).toEqual(['started', 'waiting']);
    expect(ferry.waiting('plan.run')).toBe(0);
    ferry.emit('job', { ...job('a', 'failed') });
    await runJob('b');
    await ended;
    expect(runStates()).toEqual(['started', 'started']);
  });

  it('name a wallet that a check stops, but not one that the user leaves out', async () => {
    plans.begin(['a', 'b', 'c', 'd'].map(migrate));
    for (const wallet of ['a', 'b', 'c', 'd'])
      await ferry.answer('plan.make', planOf(wallet, wallet === 'b' ? { checks: [stop] } : {}));
    plans.include(useDrafts.getState().drafts[2]?.key ?? '', false);
    const ended = start();
    await runJob('a');
    await runJob('d');
    await ended;
    expect(runStates()).toEqual(['started', 'blocked', 'open', 'started']);
  });

  it('send the passphrase that they share, which its field holds until the last one began', async () => {
    await planned('a', 'b');
    const ended = start();
    const field = { value: 'shared' } as HTMLInputElement;
    for (const { key } of useDrafts.getState().drafts) passphraseFields.set(key, field);
    await isAsked();
    await startJob('a');
    expect(field.value).toBe('shared');
    ferry.emit('job', job('a', 'done'));
    await isAsked();
    expect(ferry.asked('plan.run')).toMatchObject({ plan: 'plan of b', passphrase: 'shared' });
    await startJob('b');
    expect(field.value).toBe('');
    ferry.emit('job', job('b', 'done'));
    await ended;
  });

  it('show a refusal only at its wallet', async () => {
    await planned('c', 'd', 'e');
    const ended = start();
    const plan = planOf('c', { checks: [{ ...stop, todo: ['Make room.'] }] });
    await isAsked();
    await ferry.answer('plan.run', { began: false, plan });
    await isAsked();
    await ferry.refuse('plan.run', error('job_running'));
    await runJob('e');
    await ended;
    expect(useDrafts.getState().drafts.map(({ runState }) => runState)).toMatchObject([
      { state: 'refused', error: { message: 'No room', hint: 'Nothing was sent. Make room.' } },
      { state: 'refused', error: { code: 'job_running' } },
      { state: 'started' },
    ]);
  });

  it('leave a wallet with a wrong passphrase to a plan of its own', async () => {
    await planned('a', 'b');
    const ended = start();
    await isAsked();
    await ferry.refuse('plan.run', error('wrong_passphrase'));
    await runJob('b');
    await ended;
    expect(runStates()).toEqual(['refused', 'started']);

    // While the results are still there.
    await planned('a');
    const own = useDrafts.getState().drafts.find(({ batch }) => !batch);
    type(own?.key ?? '', 'right');
    const began = plans.start(own?.key ?? '');
    await isAsked();
    expect(ferry.asked('plan.run')).toMatchObject({ plan: 'plan of a', passphrase: 'right' });
    await startJob('a');
    await began;
    expect(useApp.getState().route).toMatchObject({ ...page('a'), job: 'of a' });
    expect(useJobs.getState().jobs).toMatchObject([{ id: 'of a' }, { id: 'of b' }]);
  });

  it('run the rest after a stop as several again', async () => {
    await planned('a', 'b', 'c');
    const stopped = start();
    await startJob('a');
    stopAfterThis();
    ferry.emit('job', job('a', 'done'));
    await stopped;
    expect(runStates()).toEqual(['started', 'not-started', 'not-started']);

    await planned('b', 'c');
    const ended = start();
    await runJob('b');
    await runJob('c');
    await ended;
    expect(runStates()).toEqual(['started', 'started']);
  });

  it('do not start if they are discarded while the last answer is planned', async () => {
    await planned('l', 'm');
    plans.planAgain(first().key);
    const ended = start();
    leaveBatch();
    await ended;
    expect(useDrafts.getState()).toMatchObject({ drafts: [], batch: 'none' });
    await ferry.answer('plan.make', planOf('l'));
  });

  it('do not run if the answer given just before the click brings a warning', async () => {
    await planned('a', 'b');
    plans.answer(first().key, { loadOnStartup: true });
    const ended = start();
    await isPlanned();
    await ferry.answer('plan.make', planOf('a', { checks: [warning] }));
    await ended;
    expect(first().worse).toBe(true);
    expect(runStates()).toEqual(['open', 'open']);
  });

  it('wait for a lost connection, plan again and continue', async () => {
    await planned('h', 'i');
    const ended = start();
    await isAsked();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await ferry.refuse('plan.run', error('cannot_connect'));
    expect(runStates()).toEqual(['waiting', 'waiting']);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await ferry.answer('plan.make', planOf('h'));
    await startJob('h');
    stopAfterThis();
    ferry.emit('job', job('h', 'done'));
    await ended;
    expect(runStates()).toEqual(['started', 'not-started']);
  });

  it('plan a wallet again whose plan has expired, and run it unless it has new warnings', async () => {
    await planned('a', 'b', 'c');
    const ended = start();
    for (const [wallet, checks] of [
      ['a', []],
      ['b', [warning]],
    ] as const) {
      await isAsked();
      await ferry.refuse('plan.run', error('plan_gone'));
      expect(ferry.waiting('plan.make')).toBe(1);
      await ferry.answer('plan.make', planOf(wallet, { id: `new plan of ${wallet}`, checks: [...checks] }));
      if (checks.length > 0) break;
      await isAsked();
      expect(ferry.asked('plan.run')).toMatchObject({ plan: 'new plan of a' });
      await runJob(wallet);
    }
    await runJob('c');
    await ended;
    expect(useDrafts.getState().drafts.map(({ runState }) => runState)).toMatchObject([
      { state: 'started' },
      { state: 'refused', error: { message: 'Little room' } },
      { state: 'started' },
    ]);
  });

  it('refuse a wallet that cannot be planned after a lost connection, and continue', async () => {
    await planned('n', 'o');
    const ended = start();
    await isAsked();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await ferry.refuse('plan.run', error('cannot_connect'));
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await ferry.refuse('plan.make', error('file_unreadable'));
    await runJob('o');
    await ended;
    expect(useDrafts.getState().drafts.map(({ runState }) => runState)).toMatchObject([
      { state: 'refused', error: { code: 'file_unreadable' } },
      { state: 'started' },
    ]);
    expect(isBatchRunning(useDrafts.getState())).toBe(false);
  });

  it('take the job that another tab began on a wallet, and say of no other failure that it was done', async () => {
    const states = async (wallet: string) => {
      await planned('a', 'b');
      const ended = start();
      await isAsked();
      const { network, walletsFolder } = node();
      const other = { ...job(wallet), node: { ...job(wallet).node, network, walletsFolder } };
      ferry.emit('job', other);
      await ferry.refuse('plan.run', error('file_changed'));
      ferry.emit('job', { ...other, state: 'done', ended: 2 });
      await runJob('b');
      await ended;
      const { drafts } = useDrafts.getState();
      useDrafts.setState({ drafts: [], batch: 'none', starting: [] });
      return drafts.map(({ runState }) => runState);
    };
    expect(await states('a')).toEqual(['a', 'b'].map((name) => ({ state: 'started', jobId: `of ${name}` })));
    useJobs.setState({ jobs: [] });
    expect(await states('c')).toMatchObject([{ state: 'refused' }, { state: 'started' }]);
  });

  it('stop on another node', async () => {
    await planned('j', 'k');
    const ended = start();
    await startJob('j');
    ferry.emit('connection', {
      state: 'connected',
      node: { ...node(18444), network: 'main', walletsFolder: '/elsewhere' },
    });
    ferry.emit('job', job('j', 'done'));
    await ended;
    expect(useDrafts.getState().drafts[1]?.runState).toEqual({ state: 'not-started', why: 'other-node' });
  });
});
