/** The back end without a page, on a test node: what a caller of the contract sees. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../electron/host/host.ts';
import { createServices, type ServicesOptions } from '../../electron/services.ts';
import { walletWorkHere } from '../../electron/threads/walletWorkHere.ts';
import type { EventName } from '../../shared/contractNames.ts';
import { AppError } from '../../shared/errors.ts';
import { type Operation, operation as operationShape } from '../../shared/operation.ts';
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
  /** Starts an operation and resolves with its last snapshot. */
  run(name: 'restore.start' | 'migrate.start' | 'backup.start', input: unknown): Promise<Operation>;
  /** Resolves with the first snapshot that fits. */
  until(id: string, fits: (operation: Operation) => boolean): Promise<Operation>;
  close(): Promise<void>;
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
    connect: () =>
      call('nodes.connect', {
        by: 'hand',
        address: { host: '127.0.0.1', port: node.port, tls: false },
        login: { by: 'cookie', cookieFile: node.cookieFile },
      }),
    async run(name, input) {
      const { id } = operationShape.parse(await call(name, input));
      return until(id, ({ state }) => state !== 'running');
    },
    async close() {
      await services.close();
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
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
  const waiting = new Set<(operation: Operation) => void>();
  services.subscribe((name, value) => {
    events.push({ name, value });
    if (name !== 'operation') return;
    const snapshot = operationShape.parse(value);
    for (const look of [...waiting]) look(snapshot);
  });

  async function call(name: string, input: unknown = {}): Promise<unknown> {
    const answer = await services.call(name, input);
    if (!answer.ok) throw AppError.fromShape(answer.error);
    return answer.value;
  }

  async function until(id: string, fits: (operation: Operation) => boolean): Promise<Operation> {
    const come = new Promise<Operation>((resolve) => {
      const look = (snapshot: Operation) => {
        if (snapshot.id !== id || !fits(snapshot)) return;
        waiting.delete(look);
        resolve(snapshot);
      };
      waiting.add(look);
    });
    const { operations } = (await call('operations.list')) as { operations: unknown[] };
    const now = operations.map((one) => operationShape.parse(one)).find((one) => one.id === id);
    return now && fits(now) ? now : come;
  }

  return { services, events, call, until };
}
