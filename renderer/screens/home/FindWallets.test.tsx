import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { FindWallets } = await import('./FindWallets.tsx');

it('has no button to search with while it does not know where', () => {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <FindWallets />
    </MantineProvider>,
  );
  expect(page).toContain('role="status"');
  expect(page).not.toContain('<button');
});
