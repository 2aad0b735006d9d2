/**
 * What the app tells of each file before it is migrated, release by release, held against what nodes and the engine did.
 * Writes `docs/releases.md` under vitest's `-u`, and is held against it ever after.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/inspection.ts';
import { releaseOf } from '../../node/rpc/release.ts';
import { inspect } from '../../wallet/inspect/inspect.ts';
import { migrateWallet } from '../../wallet/migrate/migrateWallet.ts';
import { foreignAreHere, foreignNote, foreignWallets } from '../../wallet/testing/foreignWallets.ts';
import { migrationFacts, statusOf } from '../testing/testFacts.ts';
import { checkMigration } from './checkMigration.ts';
import { HAZARDS } from './releaseChecks.ts';

type Doing = 'migrates' | 'refuses' | 'crashes';

interface Row {
  readonly file: string;
  readonly why: string;
  /** By release, and `engine`; null where no node of that release was asked. */
  readonly cells: readonly ({ readonly said: Doing; readonly did: Doing } | null)[];
}

const releases = {
  '28.1': 280_100,
  '29.3': 290_300,
  '30.0': 300_000,
  '31.0': 310_000,
  '32.0-pre': 319_900,
} as const;

const document = fileURLToPath(new URL('../../../docs/releases.md', import.meta.url));

describe.runIf(foreignAreHere)(`what is foretold${foreignNote}`, () => {
  let rows: Row[];
  beforeAll(async () => {
    rows = await Promise.all(foreignWallets('old', 'odd', 'wallets', 'broken').map(rowOf));
  }, 120_000);

  it('is what nodes and the engine did', () => {
    const wrong = rows.flatMap(({ file, cells }) =>
      cells.flatMap((cell, at) => (cell === null || cell.said === cell.did ? [] : [{ file, at, ...cell }])),
    );
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
  });

  it('is in the document (write it with -u)', async () => {
    await expect(documentOf(rows)).toMatchFileSnapshot(document);
  });
});

async function rowOf({ name, path, network, passphrase, nodes }: ReturnType<typeof foreignWallets>[number]) {
  const bytes = new Uint8Array(readFileSync(path));
  const inspection = await inspect(bytes, { network });
  const whys = new Set<string>();
  const said = (number: number, offline = false): Doing => {
    const { saying, why } = foretold(inspection, number, offline);
    for (const one of why) whys.add(one);
    return saying;
  };
  const cells = Object.entries(releases).map(([release, number]) => {
    const made = nodes[release];
    return made === undefined ? null : { said: said(number), did: done(made.migratewallet) };
  });
  const options = { bytes, network, name: 'w', now: 1_795_200_000, keypoolSize: 2 };
  const migration = migrateWallet(passphrase === undefined ? options : { ...options, passphrase });
  const engine = await migration.then(
    (): Doing => 'migrates',
    (): Doing => 'refuses',
  );
  return {
    file: name,
    why: [...whys].join(' '),
    cells: [...cells, { said: said(280_100, true), did: engine }],
  };
}

function foretold(inspection: Inspection, number: number, offline: boolean) {
  const { network } = inspection;
  const status = statusOf({
    release: releaseOf(number),
    offline,
    ...(network.name === 'unknown' ? {} : { network: network.name }),
  });
  const facts = migrationFacts({ status, looked: { state: 'seen', inspection, sha256: null } });
  const stops = checkMigration(facts).filter(({ verdict }) => verdict === 'stop');
  const saying: Doing = stops.some(({ title }) => title === 'The node would crash')
    ? 'crashes'
    : stops.length > 0
      ? 'refuses'
      : 'migrates';
  const why = stops.flatMap(({ id, title, text }) => (id === 'obstacles' ? text : [`${title}.`]));
  return { saying, why };
}

function done(told: string): Doing {
  if (told === 'done') return 'migrates';
  return told.includes('crashed') ? 'crashes' : 'refuses';
}

function documentOf(rows: readonly Row[]): string {
  const names = [
    ...Object.keys(releases).map((name) => (name === '32.0-pre' ? '32 (31.99)' : name)),
    'engine',
  ];
  return [
    '# Releases',
    '',
    'What the releases of Bitcoin Core do with a legacy wallet that others migrate, as the app foretells it. `electron/crossing/plan/foretold.test.ts` writes this page and holds it against nodes.',
    '',
    '## Hazards',
    '',
    'Each makes a release refuse the migration, end in the middle of it, or lose something. The app looks for all of them before it sends anything.',
    '',
    '| hazard | releases | a node | the engine |',
    '| --- | --- | --- | --- |',
    ...HAZARDS.map(
      ({ text, releases: of, node, engine }) =>
        `| ${text} | ${of.map(rangeOf).join(', ')} | ${NODE[node]} | ${engine} |`,
    ),
    '',
    '## Foretold and done',
    '',
    'Genuine files of 2013 to 2020, odd ones, recorded ones, and some of nodes that were killed (alone, without the logs beside them): what the app says, and what was done. A dash: none of that release was asked.',
    '',
    `| file | ${names.join(' | ')} | why |`,
    `| --- | ${names.map(() => '---').join(' | ')} | --- |`,
    ...rows.map(({ file, cells, why }) => `| ${[`\`${file}\``, ...cells.map(cellOf), why].join(' | ')} |`),
    '',
  ].join('\n');
}

const NODE = { refuses: 'refuses', crashes: 'ends', may: 'may lose it' } as const;

function cellOf(cell: Row['cells'][number]): string {
  if (cell === null) return '–';
  return cell.said === cell.did ? `${cell.said}, and did` : `**${cell.said}, but ${cell.did}**`;
}

function rangeOf([first, without]: readonly [first: number, without: number]): string {
  const from = first <= 240_000 ? 'all' : `from ${shown(first)}`;
  return without === Number.POSITIVE_INFINITY ? from : `${from} to before ${shown(without)}`;
}

function shown(number: number): string {
  const text = releaseOf(number).text;
  return text === '31.99' ? '32' : text;
}
