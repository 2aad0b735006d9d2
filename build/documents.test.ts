/** What the documents say of the code is so. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usage } from '../electron/engine/commandLine.ts';
import { methodsOf } from '../electron/engine/methods/methodTable.ts';
import { dialects, engineReleases } from '../electron/engine/rpc/dialect.ts';
import { rpcErrorNumbers } from '../electron/engine/rpc/rpcError.ts';
import { coins } from '../electron/wallet/coin/coins.ts';
import { kinds } from '../electron/wallet/inspect/otherFiles.ts';
import { descriptorRecords } from '../electron/wallet/record/descriptorRecords.ts';
import { keyRecords } from '../electron/wallet/record/keyRecords.ts';
import { walletRecords } from '../electron/wallet/record/walletRecords.ts';
import manifest from '../package.json' with { type: 'json' };
import { root } from './system.mjs';
import { documentPages, pageOf, tableAfter } from './testing/documentPages.ts';

const SOURCES = ['electron', 'renderer', 'shared', 'e2e', 'build'];
const code = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

describe.each(documentPages)('$path', ({ path, text }) => {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

  it('links to what is there', () => {
    const own = links.filter((link) => !/^https:|^#/.test(link)).map((link) => link.replace(/#.*/, ''));
    expect(own.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });

  it('names no file or folder that is not there', () => {
    const named = text.matchAll(
      /(?<![\w./@-])((?:electron|renderer|shared|e2e|build|languages|\.github)\/[\w./-]*\w)/g,
    );
    const missing = [...named].map(([, name = '']) => name).filter((name) => !existsSync(join(root, name)));
    expect(missing).toEqual([]);
  });

  it.runIf(path.startsWith('docs/'))('can be found from the README', () => {
    expect(pageOf('README.md')).toContain(`](${path})`);
  });
});

describe('what it runs on', () => {
  const least = /\d+\.\d+/.exec(manifest.engines.node)?.[0] ?? 'none';

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/first-crossing.md'])(
    'is in %s the Node.js of package.json',
    (path) => {
      expect(pageOf(path)).toContain(`Node.js ${least} or later`);
    },
  );

  it('is in .nvmrc the oldest Node.js that is promised', () => {
    expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toBe(least);
  });

  it('is told with the Electron that a release takes', () => {
    expect(pageOf('docs/packaging.md')).toContain(
      `Electron ${manifest.devDependencies.electron}, which \`package.json\` names`,
    );
  });
});

describe('the architecture', () => {
  it('names every folder', () => {
    const named = tableAfter(pageOf('docs/architecture.md'), '## What lies where').flatMap(([folder]) =>
      code(folder),
    );
    const unnamed = [
      ...SOURCES.filter((name) => name !== 'build' && name !== 'e2e'),
      ...SOURCES.flatMap(foldersBelow),
    ]
      .filter((folder) => !folder.startsWith('e2e/fixtures/') && !folder.endsWith('/testing'))
      .filter((folder) => !named.includes(folder));
    expect(unnamed).toEqual([]);
  });
});

describe('the engine', () => {
  const text = pageOf('docs/engine.md');

  it('has the options that are listed', () => {
    const listed = tableAfter(text, '## Options').flatMap(([option]) => code(option));
    const own = [...usage.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option);
    expect(listed.sort()).toEqual(own.sort());
  });

  it('has the calls that are listed, in the releases that are said', () => {
    const listed = tableAfter(text, '## Calls').map(([call, ...releases]) =>
      [...code(call), ...releases].join(' '),
    );
    const names = engineReleases.map((release) => methodsOf(dialects[release]).map(({ name }) => name));
    const own = [...new Set(names.flat())].map((name) =>
      [name, ...names.map((has) => (has.includes(name) ? 'yes' : 'no'))].join(' '),
    );
    expect(listed.sort()).toEqual(own.sort());
  });

  it('has the error numbers that are listed', () => {
    const listed = tableAfter(text, '## Errors').map(([number]) => Number(number));
    expect(listed.sort()).toEqual(Object.values(rpcErrorNumbers).sort());
  });
});

describe('wallet files', () => {
  it('have the records that are listed', () => {
    const listed = tableAfter(pageOf('docs/wallet-files.md'), '## Records').map(([, types]) => code(types));
    expect(listed).toEqual(
      [keyRecords, walletRecords, descriptorRecords].map((records) => Object.keys(records)),
    );
  });

  it('are recognised as is listed', () => {
    const text = pageOf('docs/wallet-files.md');
    const ofCoins = tableAfter(text, '## What is recognised').map(([name, , program]) => [name, program]);
    expect(ofCoins).toEqual(coins.map(({ name, program }) => [name, program ?? 'nothing any more']));
    const listed = tableAfter(text, 'Files of other kinds').flatMap(([files = '', advice]) =>
      files.split('; ').map((is) => `${is}: ${advice}`),
    );
    expect(listed.sort()).toEqual([...new Set(kinds().map(({ is, advice }) => `${is}: ${advice}`))].sort());
  });
});

function foldersBelow(folder: string): string[] {
  return readdirSync(join(root, folder))
    .map((name) => posix.join(folder, name))
    .filter((path) => statSync(join(root, path)).isDirectory())
    .flatMap((path) => [path, ...foldersBelow(path)]);
}
