/** For tests: the static markup of elements, with the stores’ states in it. */
import { MantineProvider } from '@mantine/core';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Inside the provider that every component needs. */
export function rendered(element: ReactElement): string {
  return renderToStaticMarkup(<MantineProvider>{element}</MantineProvider>);
}

/** Gives a store its first state, the only one that `renderToStaticMarkup` shows. */
export function startWith<State extends object>(
  store: { getInitialState: () => State },
  state: Partial<State>,
): void {
  Object.assign(store.getInitialState(), state);
}

/** The live regions of static markup, in its order, each with the markup inside it. */
export function liveRegions(markup: string): { role: string; inside: string }[] {
  const found: { role: string; inside: string }[] = [];
  const open: { role: string | undefined; start: number }[] = [];
  // React writes no `>` in an attribute, and closes tags without content by `/>`.
  for (const tag of markup.matchAll(/<(\/?)[^>]*?(\/?)>/g)) {
    const [text, closes, isEmpty] = tag;
    if (isEmpty !== '') continue;
    if (closes === '') {
      const role = /\brole="(alert|status)"/.exec(text)?.[1];
      open.push({ role, start: tag.index + text.length });
      continue;
    }
    const { role, start } = open.pop() ?? {};
    if (role !== undefined) found.push({ role, inside: markup.slice(start, tag.index) });
  }
  return found;
}
