/** Reports that are saved as files: what the page shows is what the file holds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createServices } from '../../electron/backend/services.ts';
import { createJournal } from '../../electron/jobs/run/journal.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { headless } from './headless.ts';

const NAME = 'hidden stash';
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

it('saves the report for help as shown, without the full record', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-reports-'));
  const data = join(folder, 'data');
  const error = { code: 'wallet_error', message: `“${NAME}” is damaged.`, hint: 'Look.' } as const;
  createJournal(join(data, 'journal')).write({
    job: sampleJob({ id: ID, wallet: NAME, state: 'failed', ended: 2, error }),
    checkpoint: { kind: 'backup', name: NAME, destination: join(folder, 'w.bak') },
    ...{ sent: true, walletsFolder: null, offline: false, logMark: null },
  });
  let picked = '';
  const services = createServices({
    host: { ...headless, pickFile: async () => picked },
    dataFolder: data,
    walletWork: walletWorkHere,
    version: '0.0.0',
  });
  onTestFinished(async () => {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const call = async (name: string, input: unknown) => {
    const answer = await services.call(name, input);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  const saved = async (which: 'own' | 'others') => {
    picked = join(folder, `${which}.txt`);
    await call('files.pick', { purpose: 'save-report' });
    await call('jobs.saveReport', { id: ID, which, destination: picked });
    return readFileSync(picked, 'utf8');
  };
  const forHelp = await saved('others');
  expect({ text: forHelp }).toEqual(await call('jobs.report', { id: ID }));
  expect(forHelp).not.toContain(NAME);
  expect(await saved('own')).toContain(NAME);
});
