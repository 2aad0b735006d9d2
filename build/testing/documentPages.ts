/** The documents of this repository, and the commands that they tell people to type. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../system.mjs';

export interface DocumentPage {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export const documentPages: readonly DocumentPage[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** @throws Error when there is no such page. */
export function pageOf(path: string): string {
  const page = documentPages.find((one) => one.path === path);
  if (!page) throw new Error(`There is no ${path}.`);
  return page.text;
}

/** Every command, once: the lines of `sh` blocks and of indented ones, and what begins with a program in a sentence. */
export function commandsIn(pages: readonly DocumentPage[]): string[] {
  return [...new Set(pages.flatMap(({ text }) => [...blockLines(text), ...inline(text)]))].sort();
}

function blockLines(text: string): string[] {
  const fenced = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const outside = text.replace(/^```[\s\S]*?^```$/gm, '');
  const indented = [...outside.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
  return [...fenced, ...indented]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Words of the environment may stand before the program. */
const COMMAND =
  /`((?:[A-Z_]+=\S+ )*(?:npm|npx|node|git|gh|ssh|sh|curl|cp|xz|sudo|apt-get|shasum|sha256sum|Get-FileHash) [^`\n]+)`/g;

function inline(text: string): string[] {
  return [...text.matchAll(COMMAND)].map(([, command = '']) => command);
}

/** The rows of a document's table, without its head, a cell each; of the table that stands first after `before`. */
export function tableAfter(text: string, before: string): string[][] {
  const lines = text.slice(text.indexOf(before)).split('\n');
  const head = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(head).findIndex((line) => !line.startsWith('|'));
  return lines.slice(head + 2, length < 0 ? undefined : head + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
