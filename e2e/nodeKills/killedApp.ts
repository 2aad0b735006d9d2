/** The app as a process that tests can call like a page, kill, and start again. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/mini';
import { PlanNotRun } from '../../electron/jobs/testing/planNotRun.ts';
import { type Job, job } from '../../shared/model/job.ts';
import { type Plan, plan } from '../../shared/model/plan.ts';
import { launchApp, type RunningApp } from '../faults/launchApp.ts';
import type { Start } from '../services/services.ts';

export interface KilledApp {
  /** Starts the app, or restarts it after a kill, and connects it. */
  open(): Promise<void>;
  connect(): Promise<void>;
  call(name: string, input?: unknown): Promise<unknown>;
  plan(job: Start): Promise<Plan>;
  /** Runs a plan. Throws why it does not start. */
  run(job: Start, planned: Plan): Promise<void>;
  /** The newest job in the journal, except these. */
  latest(except?: readonly string[]): Promise<Job | null>;
  /** Resolves with the newest job once it fits, or as it is after `longestMs`. */
  until(
    fits: (now: Job | null) => boolean,
    longestMs: number,
    except?: readonly string[],
  ): Promise<Job | null>;
  kill(): Promise<void>;
}

const listed = z.object({ jobs: z.array(job) });
const ran = z.looseObject({ began: z.boolean(), plan: z.optional(plan) });

export function killedApp(program: string, dataFolder: string, target: unknown): KilledApp {
  let running: RunningApp | null = null;

  function app(): RunningApp {
    if (running === null) throw new Error('the app does not run');
    return running;
  }

  async function latest(except: readonly string[] = []): Promise<Job | null> {
    const { jobs } = listed.parse(await app().call('jobs.list', {}));
    const others = jobs.filter(({ id }) => !except.includes(id));
    return others.toSorted((a, b) => b.started - a.started)[0] ?? null;
  }

  return {
    async open() {
      running = launchApp(program, dataFolder, null);
      await this.connect();
    },
    async connect() {
      await app().call('nodes.connect', target);
    },
    call: (name, input = {}) => app().call(name, input),
    async plan({ action, source, answers = {}, passphrase }) {
      const allAnswers = { ...answers, withPassphrase: passphrase !== undefined };
      return plan.parse(await app().call('plan.make', { action, source, answers: allAnswers }));
    },
    async run({ answers = {}, passphrase }, { id }) {
      const allAnswers = { ...answers, withPassphrase: passphrase !== undefined };
      const { began, plan: stopped } = ran.parse(
        await app().call('plan.run', { plan: id, answers: allAnswers, passphrase }),
      );
      if (!began) throw stopped ? new PlanNotRun(stopped) : new Error('the job did not start');
    },
    latest,
    async until(fits, longestMs, except) {
      const end = performance.now() + longestMs;
      for (;;) {
        const now = await latest(except);
        if (fits(now) || performance.now() > end) return now;
        await pause(60);
      }
    },
    async kill() {
      await running?.kill();
      running = null;
    },
  };
}
