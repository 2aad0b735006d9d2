import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { FileMark } from '../state/openedStore.ts';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';
import { startWith } from '../state/testing/startWith.ts';

installFakeFerry();
const { Sidebar } = await import('./Sidebar.tsx');
const { useApp } = await import('../state/appStore.ts');
const { useOpened } = await import('../state/openedStore.ts');

it('lists a few of many opened files, the shown one and those in trouble among them, and offers the others', () => {
  const marks = new Map<number, FileMark>([
    [222, 'interrupted'],
    [333, 'danger'],
    [444, 'read'],
  ]);
  const files = Array.from({ length: 500 }, (_, at) => ({
    ...{ path: `/file ${at}.dat`, title: `file ${at}.dat`, balance: null, mark: marks.get(at) ?? null },
  }));
  startWith(useOpened, { files });
  startWith(useApp, { route: { at: 'wallet', source: { by: 'file', path: '/file 321.dat' } } });
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <Sidebar />
    </MantineProvider>,
  );
  startWith(useOpened, { files: [] });
  startWith(useApp, { route: { at: 'home' } });
  expect(markup.match(/(?<=title=")file [^"]+/g)).toEqual(
    [0, 1, 2, 3, 4, 5, 222, 321, 333].map((at) => `file ${at}.dat`),
  );
  expect(markup).toContain('Show 50 of 491');
});
