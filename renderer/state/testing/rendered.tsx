/** For tests: the static markup of an element, inside the provider that every component needs. */
import { MantineProvider } from '@mantine/core';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export function rendered(element: ReactElement): string {
  return renderToStaticMarkup(<MantineProvider>{element}</MantineProvider>);
}
