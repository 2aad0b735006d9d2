import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { samplePlan } from '../../../../shared/testing/samplePlan.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { ActionCard } = await import('./ActionCard.tsx');
const { newDraft } = await import('../../../state/draftsStore.ts');

it('speaks what stops a plan once, and also describes the button with it', () => {
  const source = { by: 'wallet', name: 'old' } as const;
  const request = { action: 'migrate', source, answers: {} } as const;
  const draft = newDraft(request, { looking: false, batch: false, chosen: false, waits: 'no' });
  const stop = { id: 'space', verdict: 'blocker', title: 'Disk full', text: [], todo: [] } as const;
  const plan = samplePlan({ checks: [{ ...stop, text: [], todo: [] }] });
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <ActionCard draft={{ ...draft, plan }} />
    </MantineProvider>,
  );
  // Up to the next live region.
  const spoken = markup.split('role="status"').slice(1);
  expect(markup.match(/Disk full/g)).toHaveLength(2);
  expect(spoken.filter((part) => part.includes('Disk full'))).toHaveLength(1);
});
