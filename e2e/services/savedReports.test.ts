/** Reports saved as files contain what the page shows. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createServices } from '../../electron/backend/services.ts';
import { makeTestFolder } from '../../electron/files/testing/testFolder.ts';
import { createJournal } from '../../electron/jobs/run/journal.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import { AppError } from '../../shared/model/errors.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleIdentity } from '../../shared/testing/sampleNodeStatus.ts';
import { headless } from './headless.ts';

const NAME = 'hidden stash';
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** Services with one failed job. `call` throws the error of a failed request. */
function servicesWithJob(printPdf?: () => Promise<Uint8Array>) {
  const folder = makeTestFolder();
  const data = join(folder, 'data');
  const error = { code: 'wallet_error', message: `“${NAME}” is damaged.`, hint: 'Look.' } as const;
  createJournal(join(data, 'journal')).write({
    job: sampleJob({ id: ID, wallet: NAME, state: 'failed', ended: 2, error }),
    checkpoint: { kind: 'backup', name: NAME, newBackup: join(folder, 'w.bak') },
    sent: true,
    node: sampleIdentity(),
    logMark: null,
  });
  let chosenPath = '';
  const services = createServices({
    host: { ...headless, ...(printPdf && { printPdf }), pickFile: async () => chosenPath },
    dataFolder: data,
    walletWork: walletWorkHere,
    version: '0.0.0',
  });
  onTestFinished(async () => {
    await services.close();
  });
  const call = async (name: string, input: unknown) => {
    const answer = await services.call(name, input);
    if (!answer.ok) throw AppError.fromShape(answer.error);
    return answer.value;
  };
  const save = async (which: 'record' | 'for-help', destination: string) => {
    chosenPath = destination;
    await call('files.pick', { purpose: 'save-report' });
    await call('jobs.saveReport', { id: ID, which, destination });
    return readFileSync(destination, 'utf8');
  };
  return { folder, call, save };
}

it('never prints the window as a report for help, which would show the full names', async () => {
  const { folder, save } = servicesWithJob(async () => Buffer.from('%PDF of the window'));
  const path = join(folder, 'help.pdf');
  await expect(save('for-help', path)).rejects.toMatchObject({ code: 'not_available_here' });
  expect(existsSync(path)).toBe(false);
  expect(await save('record', join(folder, 'own.pdf'))).toContain('%PDF');
});

it('saves the report for help as shown, without the full record', async () => {
  const { folder, call, save } = servicesWithJob();
  const forHelp = await save('for-help', join(folder, 'help.txt'));
  expect({ text: forHelp }).toEqual(await call('jobs.report', { id: ID, which: 'for-help' }));
  expect(forHelp).not.toContain(NAME);
  expect(await save('record', join(folder, 'own.txt'))).toContain(NAME);
});

it('saves nothing if the folder is replaced while the PDF is printed', async () => {
  const { folder, save } = servicesWithJob(async () => {
    renameSync(reports, `${reports}-before`);
    mkdirSync(reports);
    return new Uint8Array();
  });
  const reports = join(folder, 'reports');
  mkdirSync(reports);
  await expect(save('record', join(reports, 'own.pdf'))).rejects.toMatchObject({
    code: 'file_changed',
    finding: { code: 'folder_replaced', path: reports },
  });
  expect(readdirSync(reports)).toEqual([]);
});
