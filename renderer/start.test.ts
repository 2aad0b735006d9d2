import { expect, it } from 'vitest';

const sources = import.meta.glob<string>('./**/*.tsx', { query: '?raw', import: 'default', eager: true });
const sheets = Object.keys(import.meta.glob('../node_modules/@mantine/core/styles/*.layer.css'));

/** Names that the page imports from Mantine, as far as there is a sheet for them. */
function componentsInUse(): string[] {
  const names = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    ),
  );
  return [...new Set(names)].filter((name) => sheets.some((sheet) => sheet.endsWith(`/${name}.layer.css`)));
}

it('styles every Mantine component that the page uses', () => {
  const list = sources['./start.tsx'] ?? '';
  const used = componentsInUse();
  expect(used).toContain('Button');
  expect(used.filter((name) => !list.includes(`/${name}.layer.css`))).toEqual([]);
});
