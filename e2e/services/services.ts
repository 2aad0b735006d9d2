/** The app's back end on a test node, without a page, as a caller of the contract sees it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../electron/backend/host.ts';
import { createServices, type ServicesOptions } from '../../electron/backend/services.ts';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { PlanNotRun } from '../../electron/jobs/testing/planNotRun.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import { type EventName, requests } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Job, job as jobShape, joinLogs } from '../../shared/model/job.ts';
import { type Answers, type PlanAction, plan, type WalletSource } from '../../shared/model/plan.ts';
import { type ReleaseName, type Scenario, startTestNode, type TestNode } from '../testNode/testNode.ts';
import { headless } from './headless.ts';

export interface Bench {
  readonly services: Services;
  readonly node: TestNode;
  readonly folder: string;
  /** Every event so far, as sent to the page. */
  readonly events: { name: EventName; value: unknown }[];
  /** Makes a request. Returns its value, or throws its error as AppError. */
  call(name: string, input?: unknown): Promise<unknown>;
  connect(): Promise<unknown>;
  /** Makes the plan, runs it, and resolves with the last snapshot of the job. */
  run(start: Start): Promise<Job>;
  /** Resolves with the first snapshot of the job that fits. */
  until(id: string, fits: (job: Job) => boolean): Promise<Job>;
  close(): Promise<void>;
}

/** The input of a plan and of its job. */
export interface Start {
  readonly action: PlanAction;
  readonly source: WalletSource;
  readonly answers?: Answers;
  readonly passphrase?: string;
}

/**
 * Makes the plan and runs it unchanged. Returns the first snapshot of the job. Throws the error of a failed request, and
 * `PlanNotRun` if the app refuses to run the plan.
 */
export async function start(
  call: Bench['call'],
  { action, source, answers = {}, passphrase }: Start,
): Promise<Job> {
  const allAnswers = { ...answers, withPassphrase: passphrase !== undefined };
  const { id } = plan.parse(await call('plan.make', { action, source, answers: allAnswers }));
  const ran = ranShape.parse(await call('plan.run', { plan: id, answers: allAnswers, passphrase }));
  if (!ran.began) throw new PlanNotRun(ran.plan);
  return ran.job;
}

const ranShape = requests['plan.run'].output;

/** The input of `nodes.connect` for a node of this machine. */
export function byCookie({ port, cookieFile }: Pick<TestNode, 'port' | 'cookieFile'>, host = '127.0.0.1') {
  return { by: 'hand', address: { host, port, tls: false }, login: { by: 'cookie', cookieFile } } as const;
}

/** The restore of a file under this name. */
export function restoring(path: string, name: string): Start {
  return { action: 'restore', source: { by: 'file', path }, answers: { name } };
}

/** The migration of a wallet of the node. */
export function migrating(name: string, passphrase?: string): Start {
  const source = { by: 'wallet', name } as const;
  return { action: 'migrate', source, ...(passphrase === undefined ? {} : { passphrase }) };
}

/** A back end on a data folder, without a node. */
export type OpenedServices = Pick<Bench, 'services' | 'events' | 'call' | 'until'>;

/** Starts a test node and a back end that can connect to it. */
export async function startBench(release: ReleaseName, scenario: Scenario = {}): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-services-'));
  const node = await startTestNode({
    release,
    dataFolder: join(folder, 'node'),
    scenario: { callMs: 60, ...scenario },
  });
  const opened = openServices(join(folder, 'data'));
  const { services, call, until } = opened;
  return {
    ...opened,
    node,
    folder,
    connect: () => call('nodes.connect', byCookie(node)),
    async run(job) {
      const { id } = await start(call, job);
      return until(id, ({ state }) => state !== 'running');
    },
    async close() {
      await services.close();
      await node.stop();
      await removeTestFolder(folder);
    },
  };
}

/** Starts a back end on a data folder. */
export function openServices(
  dataFolder: string,
  timing: ServicesOptions['timing'] = {},
  walletWork = walletWorkHere,
): OpenedServices {
  const services = createServices({ host: headless, dataFolder, walletWork, version: '0.0.0', timing });
  const events: Bench['events'] = [];
  const waiting = new Set<(job: Job) => void>();
  const latest = new Map<string, Job>();
  services.subscribe((name, value) => {
    events.push({ name, value });
    if (name !== 'job') return;
    const event = jobShape.parse(value);
    const known = latest.get(event.id);
    const snapshot = known ? joinLogs(known, event) : event;
    latest.set(event.id, snapshot);
    for (const check of [...waiting]) check(snapshot);
  });

  async function call(name: string, input: unknown = {}): Promise<unknown> {
    const answer = await services.call(name, input);
    if (!answer.ok) throw AppError.fromShape(answer.error);
    return answer.value;
  }

  async function until(id: string, fits: (job: Job) => boolean): Promise<Job> {
    const next = new Promise<Job>((resolve) => {
      const check = (snapshot: Job) => {
        if (snapshot.id !== id || !fits(snapshot)) return;
        waiting.delete(check);
        resolve(snapshot);
      };
      waiting.add(check);
    });
    const { jobs } = (await call('jobs.list')) as { jobs: unknown[] };
    const now = jobs.map((one) => jobShape.parse(one)).find((one) => one.id === id);
    return now && fits(now) ? now : next;
  }

  return { services, events, call, until };
}
