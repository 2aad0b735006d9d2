/** Stops a real node, the app or their connection during a job, and compares the app's report with the disk. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleApp } from '../faults/launchApp.ts';
import { startRealNode } from '../live/realNode.ts';
import { baselines } from './baseline.ts';
import { canMount } from './fullDisk.ts';
import { type KillPlan, killPlanOf, type Stop, titleOf } from './killPlan.ts';
import { buildLostFlush } from './powerCut.ts';
import { type Round, runRound, type Shared } from './round.ts';

export interface CampaignOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly count: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
  /** The folder to which the table is written after each stop. */
  readonly tableFolder?: string;
}

export interface CampaignResult {
  /** As the node reports it: 310000 is release 31.0. */
  readonly version: number;
  /** The seed of the first stop. */
  readonly seed: number;
  readonly rounds: readonly Round[];
  readonly counts: { readonly unknown: number; readonly wrong: number; readonly lost: number };
}

/** Runs the campaign. */
export async function stopNodes({
  folder,
  count,
  seed,
  log = () => {},
  tableFolder,
}: CampaignOptions): Promise<CampaignResult> {
  const library = buildLostFlush(folder);
  const version = await nodeVersion(join(folder, 'version'));
  const shared: Shared = {
    folder,
    program: await bundleApp(join(folder, 'program')),
    library,
    version,
    baselines: baselines(join(folder, 'baseline')),
  };
  const possible: readonly Stop[] = [
    'node',
    'app',
    'both',
    'connection',
    'waiting',
    ...(library === null ? [] : ['power' as const]),
    ...(canMount(folder) ? ['disk' as const] : []),
  ];
  if (possible.length < 7) log(`This machine can only stop by: ${possible.join(', ')}.`);
  const rounds: Round[] = [];
  const counts = { unknown: 0, wrong: 0, lost: 0 };
  const result = { version, seed, rounds, counts };
  for (let number = seed; number < seed + count; number += 1) {
    const plan = killPlanOf(number, { version, stops: possible });
    const round = await runRound(plan, shared);
    rounds.push(round);
    if (round.verdict !== 'right') counts[round.verdict] += 1;
    log(`${titleOf(plan)}: ${summaryOf(round)}`);
    // Write the table each time, for a campaign that is ended early.
    if (tableFolder !== undefined) writeTable(tableFolder, result);
  }
  return result;
}

/** Asks the program that BITCOIND names for its release. */
async function nodeVersion(folder: string): Promise<number> {
  const node = await startRealNode(folder, {}, { chain: 'none' });
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
  return node.version;
}

function summaryOf({ report, message, reportedMs, onDisk, recovery, verdict, why }: Round): string {
  return [
    `${report} after ${reportedMs} ms`,
    message && `“${message}”`,
    `on disk: ${onDisk}`,
    recovery,
    verdict,
    why,
  ]
    .filter(Boolean)
    .join('; ');
}

/** The results as a table, sorted by job and time of the stop. */
export function tableOf({ version, rounds, counts }: CampaignResult): string {
  const sorted = rounds.toSorted(
    (a, b) => order(a.plan).localeCompare(order(b.plan)) || a.plan.share - b.plan.share,
  );
  const lines = sorted.map(
    ({ plan, millis, reportedMs, report, message, onDisk, copies, recovery, verdict, why, reached }) => {
      const at = `${plan.share.toFixed(2)} of the ${plan.of}, ${Math.round(millis)} ms (${reached})`;
      const reported = message === null ? report : `${report}: ${message}`;
      const cells = [
        plan.seed,
        plan.job,
        plan.stop,
        plan.recording,
        at,
        reported,
        `${reportedMs} ms`,
        onDisk,
        copies,
        recovery,
        verdict,
        why ?? '',
      ];
      return `| ${cells.join(' | ').replaceAll('\n', ' ')} |`;
    },
  );
  const { unknown, lost, wrong } = counts;
  return [
    `# Jobs stopped on a real node ${version}`,
    '',
    `${rounds.length} stops: ${unknown} unknown, ${lost} lost, ${wrong} wrong.`,
    '',
    '| seed | job | stopped by | wallet | at | report | after | on disk | whole copies | recovery | verdict | why |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

function order({ job, stop }: KillPlan): string {
  return `${job} ${stop}`;
}

/** Writes the table to a folder. Returns its path. */
export function writeTable(folder: string, result: CampaignResult): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${result.version}-from-${result.seed}.md`);
  rmSync(path, { force: true });
  writeFileSync(path, tableOf(result));
  return path;
}
