import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { journeyOf, plannedJourney } from '../../../shared/model/journey.ts';
import type { PlanAction } from '../../../shared/model/plan.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { Journey } = await import('./WalletPage.tsx');

/** The tone of the stop at which an interrupted job ended. `copies`: the whole copies of the wallet. */
function toneOf(copies: readonly object[]): string | undefined {
  const interruption = { copies } as unknown as NonNullable<Job['interruption']>;
  const job = sampleJob({ state: 'interrupted', interruption });
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <Journey stops={journeyOf(job, null, null)} job={job} isLocal />
    </MantineProvider>,
  );
  return /data-state="failed"[^>]*><span[^>]*data-tone="(\w+)"/.exec(markup)?.[1];
}

it('marks the stop of an interrupted job red only if no whole copy was found', () => {
  expect(toneOf([{ path: '/w.legacy.bak' }])).toBe('read');
  expect(toneOf([])).toBe('danger');
});

it('names the file of an undo before it runs as afterwards', () => {
  const stops = plannedJourney({ kind: 'restore', isDescriptor: false, offline: true }, '/w.bak');
  const namesOf = (action: PlanAction) => {
    const markup = renderToStaticMarkup(
      <MantineProvider>
        <Journey stops={stops} job={null} action={action} isLocal />
      </MantineProvider>,
    );
    return ['Backup', 'Your file'].filter((name) => markup.includes(`>${name}<`));
  };
  expect(namesOf('undo')).toEqual(['Backup']);
  expect(namesOf('restore')).toEqual(['Your file']);
});
