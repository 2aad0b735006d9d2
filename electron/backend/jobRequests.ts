/** Handlers of the requests that plan, run, list and report jobs. */
import type { Input } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import { refuseTaken, writeNewFile } from '../files/durableFile.ts';
import { createFileChecks } from '../jobs/fileChecks.ts';
import { anonymousReport, fullReport, recordParts } from '../jobs/run/report.ts';
import { currentNode } from './nodeRequests.ts';
import { type Handlers, type RequestDeps, taskRunner, withoutResult } from './requests.ts';

export function jobRequests({
  host,
  info: { version, platform, copiesFolder },
  connection,
  tasks,
  plans,
  copies,
  jobs,
  pathGuard,
}: RequestDeps): Handlers<'plan' | 'copies' | 'jobs'> {
  const asTask = taskRunner(tasks);
  const checkFiles = createFileChecks({ copiesFolder });

  async function find(id: string) {
    const all = await checkFiles(await jobs.list());
    const job = all.find((each) => each.id === id);
    if (!job) throw new AppError('bad_input', say('Unknown job.'), say('See History.'));
    return { job, all };
  }

  async function report({ id, which }: Input<'jobs.report'>): Promise<string> {
    const { job, all } = await find(id);
    return which === 'record'
      ? fullReport(job, { jobs: all, version, now: Date.now() / 1000 })
      : anonymousReport({ job, log: await jobs.log(id), version, platform });
  }

  return {
    'plan.make': asTask(async (input, signal) => {
      // An answer changes the plan without new facts.
      if (input.previousPlan === undefined) {
        // Without this, the start of the plan would mistake a restarted node for another.
        await connection.refreshIfReplaced();
        await jobs.removeLeftCopies();
      }
      return plans.make(input, signal);
    }),
    'plan.tryPassphrase': asTask(plans.tryPassphrase),
    'plan.rehearse': asTask(plans.rehearse),
    'plan.run': asTask(
      async (input, signal) => {
        const { destination } = input.answers;
        const { local = true } = currentNode(connection) ?? {};
        if (destination) await pathGuard?.refuseBackup(destination, { local });
        return jobs.run(input, signal);
      },
      { outlives: true },
    ),
    'copies.list': async () => ({ copies: await copies.list() }),
    'jobs.list': async () => ({
      jobs: await checkFiles(await jobs.list()),
      ...(await jobs.unread()),
    }),
    'jobs.log': async ({ id }) => ({ lines: await jobs.log(id) }),
    'jobs.report': async (input) => ({ text: await report(input) }),
    'jobs.record': async ({ id }) => {
      const { job, all } = await find(id);
      return recordParts(job, all);
    },
    'jobs.saveReport': async ({ destination, ...input }) => {
      pathGuard?.spendReportPath(destination);
      const text = await report(input);
      const folder = refuseTaken(destination);
      const isPdf = destination.toLowerCase().endsWith('.pdf');
      // The window prints the record that it shows on paper. A report for others is text.
      const content = !isPdf ? text : input.which === 'record' ? await host.printPdf?.() : undefined;
      if (content === undefined)
        throw new AppError(
          'not_available_here',
          say('No PDF can be made here.'),
          `${say('Nothing was saved.')} ${say('Save it as text.')}`,
        );
      return { path: destination, size: writeNewFile(destination, content, folder).size };
    },
    'jobs.cancelRescan': withoutResult(({ id }) => jobs.cancelRescan(id)),
    'jobs.resolve': withoutResult(({ id }) =>
      id === undefined ? jobs.resolveUnknown() : jobs.compareAgain(id),
    ),
    'jobs.stopWaiting': withoutResult(({ id }) => jobs.stopWaiting(id)),
  };
}
