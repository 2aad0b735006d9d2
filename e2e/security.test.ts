/** What SECURITY.md says that tests show is shown by tests that are there. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
const [, ...attacks] = rows;
/** Lines elsewhere may name tests too. */
const others = text.split('\n').filter((line) => !rows.includes(line));
const named = [...attacks, ...others].flatMap(testsOf).filter(({ file }) => file !== '');

/** Titles in quotation marks belong to the file that is named before them. */
function testsOf(row: string): { file: string; title: string }[] {
  const cell = row.split(' | ').at(-1) ?? '';
  return cell.split(/(?=`[\w/.-]+\.(?:test|spec)\.ts`)/).flatMap((part) => {
    const file = /^`([^`]+)`/.exec(part)?.[1] ?? '';
    return [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title }));
  });
}

describe('SECURITY.md', () => {
  it('names a test for every attack', () => {
    expect(attacks.length).toBeGreaterThan(15);
    for (const attack of attacks) expect(testsOf(attack), attack).not.toEqual([]);
  });

  it.each(named)('names “$title”, which is in $file', ({ file, title }) => {
    const path = new URL(file, root);
    expect(existsSync(path), file).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(`'${title}'`);
  });
});
