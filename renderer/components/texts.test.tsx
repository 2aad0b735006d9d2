import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SafeText } from './texts.tsx';

const rendered = (text: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <SafeText text={text} />
    </MantineProvider>,
  );

it('keeps an option of Bitcoin Core on one line, and changes no other text', () => {
  expect(rendered('Check port and -server=1; then try.')).toMatch(
    /Check port and <span class="[^"]+">-server=1<\/span>; then try\./,
  );
  for (const text of ['old-wallet - the second', 'a -1 b', '-server']) expect(rendered(text)).toContain(text);
});
