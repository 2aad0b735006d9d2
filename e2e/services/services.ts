/** The back end without a page, on a test node: what a caller of the contract sees. */
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
  /** Every event so far, as it crossed. */
  readonly events: { name: EventName; value: unknown }[];
  /** The answer's value; throws AppError where the answer is an error. */
  call(name: string, input?: unknown): Promise<unknown>;
  connect(): Promise<unknown>;
  /** Makes the plan, runs it and resolves with the last snapshot. */
  run(start: Start): Promise<Job>;
  /** Resolves with the first snapshot that fits. */
  until(id: string, fits: (job: Job) => boolean): Promise<Job>;
  close(): Promise<void>;
}

/** What a plan is made of and run with. */
export interface Start {
  readonly action: PlanAction;
  readonly source: WalletSource;
  readonly answers?: Answers;
  readonly passphrase?: string;
}

/**
 * Makes the plan and runs it as it was shown; gives the first snapshot. `call` throws where the answer is an error. Throws
 * `PlanNotRun` where the plan is not run.
 */
export async function start(
  call: Bench['call'],
  { action, source, answers = {}, passphrase }: Start,
): Promise<Job> {
  const given = { ...answers, withPassphrase: passphrase !== undefined };
  const { id } = plan.parse(await call('plan.make', { action, source, answers: given }));
  const ran = ranShape.parse(await call('plan.run', { plan: id, answers: given, passphrase }));
  if (!ran.began) throw new PlanNotRun(ran.plan);
  return ran.job;
}

const ranShape = requests['plan.run'].output;

/** The input of `nodes.connect` for a node of this machine. */
export function byCookie({ port, cookieFile }: Pick<TestNode, 'port' | 'cookieFile'>, host = '127.0.0.1') {
  return { by: 'hand', address: { host, port, tls: false }, login: { by: 'cookie', cookieFile } } as const;
}

/** A file that is restored under this name. */
export function restoring(path: string, name: string): Start {
  return { action: 'restore', source: { by: 'file', path }, answers: { name } };
}

/** A wallet of the node that is migrated. */
export function migrating(name: string, passphrase?: string): Start {
  const source = { by: 'wallet', name } as const;
  return { action: 'migrate', source, ...(passphrase === undefined ? {} : { passphrase }) };
}

/** A back end on a folder of data, with what is needed to ask it and to listen to it. */
export type OpenedServices = Pick<Bench, 'services' | 'events' | 'call' | 'until'>;

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
    async run(asked) {
      const { id } = await start(call, asked);
      return until(id, ({ state }) => state !== 'running');
    },
    async close() {
      await services.close();
      await node.stop();
      await removeTestFolder(folder);
    },
  };
}

export function openServices(
  dataFolder: string,
  timing: ServicesOptions['timing'] = {},
  walletWork = walletWorkHere,
): OpenedServices {
  const services = createServices({
    host: headless,
    dataFolder,
    walletWork,
    version: '0.0.0',
    timing,
  });
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
    for (const look of [...waiting]) look(snapshot);
  });

  async function call(name: string, input: unknown = {}): Promise<unknown> {
    const answer = await services.call(name, input);
    if (!answer.ok) throw AppError.fromShape(answer.error);
    return answer.value;
  }

  async function until(id: string, fits: (job: Job) => boolean): Promise<Job> {
    const come = new Promise<Job>((resolve) => {
      const look = (snapshot: Job) => {
        if (snapshot.id !== id || !fits(snapshot)) return;
        waiting.delete(look);
        resolve(snapshot);
      };
      waiting.add(look);
    });
    const { jobs } = (await call('jobs.list')) as { jobs: unknown[] };
    const now = jobs.map((one) => jobShape.parse(one)).find((one) => one.id === id);
    return now && fits(now) ? now : come;
  }

  return { services, events, call, until };
}
