/** What to send along when asking for help with a crossing: plain text that gives nothing of the user away. */
import { homedir } from 'node:os';
import type { Crossing } from '../../../shared/crossing.ts';
import { isLoopback } from '../../http/loopback.ts';
import { isNodeLine } from '../../node/log/nodeLog.ts';
import { madeBy } from '../proof/proof.ts';

interface ReportFacts {
  crossing: Crossing;
  log: readonly string[];
  version: string;
  platform: string;
}

/** No line tells names, paths, addresses, keys, descriptors, ids of transactions, hosts or amounts. */
export function reportOf({ crossing, log: kept, version, platform }: ReportFacts): string {
  const { kind, node, state, steps, started, ended, error, warnings, result, proof, resumed } = crossing;
  const hide = hiderFor(crossing);
  // An earlier version of the app kept every line of what was named as the log.
  const log = kept.filter(isNodeLine);
  const lines = [
    `Wallet Ferry ${version} on ${platform}`,
    `Crossing: ${kind}, ${state}${resumed ? ', found again after the app was away' : ''}`,
    `Node: release ${node.release}, ${node.network}, ${isLoopback(node.address.host) ? 'this machine' : 'another machine'}`,
    `Started: ${time(started)}`,
    `Ended: ${ended === null ? 'not yet' : `${time(ended)}, after ${Math.round(ended - started)} s`}`,
    `Steps: ${steps.map((step) => `${step.phase} ${step.state}`).join(', ')}`,
    ...(result === null ? [] : [`Result: ${resultWords(result)}`]),
    ...(proof === null
      ? []
      : [`Proof: ${proof.verdict}`, ...proof.differences.map(({ title }) => `  ${hide(title)}`)]),
    ...(error === null
      ? []
      : [
          `Error: ${error.code}: ${hide(error.message)}`,
          ...(error.node
            ? [`Node's words: ${error.node.code ?? 'no number'}: ${hide(error.node.message)}`]
            : []),
        ]),
    ...warnings.map((warning) => `Warning: ${hide(warning)}`),
    `Log of the node (${log.length} lines):`,
    ...log.map((line) => `  ${hide(line)}`),
  ];
  return `${lines.map(harmless).join('\n')}\n`;
}

/** The report is pasted into terminals and forms: nothing in it may move a cursor, or turn the text around. */
export function harmless(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

function resultWords(result: NonNullable<Crossing['result']>): string {
  switch (result.kind) {
    case 'restore':
      return `a ${result.walletKind} wallet`;
    case 'migrate':
      return [
        ...madeBy(result).map(({ part }) => `a ${part === 'watchonly' ? 'watch-only' : part} wallet`),
        `a backup path: ${result.backupPath === null ? 'no' : 'yes'}`,
      ].join(', ');
    case 'rescan':
      return 'the blocks were looked through';
    case 'backup':
      return result.proof.seen ? 'a backup that was read again' : 'a backup that cannot be seen from here';
  }
}

/** Longer names first, so that `w_watchonly` is not cut in two by `w`. */
function hiderFor({ wallet, result, node }: Crossing): (text: string) => string {
  const further = result?.kind === 'migrate' ? [result.watchonlyName, result.solvablesName] : [];
  const names = [...new Set([wallet, result?.walletName, ...further, node.address.host, node.label])]
    .flatMap((name) => (name && !isLoopback(name) ? [name] : []))
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const plain = HIDDEN.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text);
    const withoutPaths = plain.replaceAll(homedir(), '~').replace(PATH, '[path]');
    return names.reduce((rest, name) => rest.replaceAll(name, '[name]'), withoutPaths);
  };
}

/** From a root or a drive on; a path may hold spaces, so all up to a quote, a comma or the end of a file's name. */
const PATH = /(?<=^|[\s"'“(=])(?:~|[A-Za-z]:)?[\\/][^"'“”,;:\n]*[^"'“”,;:.\s]/g;

/** Without descriptors and keys, public ones too; all else stays. */
export function withoutKeys(text: string): string {
  return KEYS.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text);
}

const KEYS: readonly (readonly [RegExp, string])[] = [
  // Descriptors, before the keys in them.
  [
    /\b(?:pkh?|wpkh|wsh|sh|tr|combo|multi|sortedmulti|addr|raw|rawtr)\([^\s]*\)(?:#[a-z0-9]{8})?/g,
    '[descriptor]',
  ],
  [/\b[xtuvyz](?:pub|prv)[1-9A-HJ-NP-Za-km-z]{50,}/g, '[extended key]'],
  [/\b[1-9A-HJ-NP-Za-km-z]{51,52}\b/g, '[key]'],
];

const HIDDEN: readonly (readonly [RegExp, string])[] = [
  ...KEYS,
  [/\b(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{8,}/gi, '[address]'],
  [/\b[123mn][1-9A-HJ-NP-Za-km-z]{25,34}\b/g, '[address]'],
  [/\b[0-9a-f]{16,}\b/gi, '[hex]'],
  [/\b\d+\.\d{8}\b/g, '[amount]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '[host]'],
];

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
