/** A report of one job for the user's own records: with names, paths, hashes and amounts, without secrets. */
import type { Job } from '../../../shared/model/job.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { outcomeLines } from '../../../shared/wording/jobLines.ts';
import { JOB_NOUNS } from '../../../shared/wording/jobWords.ts';
import { indented, rows } from '../../../shared/wording/lines.ts';
import { say } from '../../../shared/wording/say.ts';
import { harmless, withoutKeys } from './report.ts';

/** Plain text, each line without keys and descriptors, also where a node's words quote some. `now`: Unix seconds. */
export function savedReport(job: Job, { version, now }: { version: string; now: number }): string {
  const { kind, node, started, ended, safetyCopy } = job;
  const lines = [
    say('Wallet Ferry {version}: report of {time}', { version, time: formatTime(now) }),
    '',
    ...outcomeLines(job),
    '',
    ...rows([
      [say('Kind'), JOB_NOUNS[kind]],
      [say('Node'), node.label],
      [say('Network'), networkName(node.network)],
      [say('Release'), node.offline ? say('Offline engine') : node.release],
      [say('Started'), formatTime(started)],
      [say('Ended'), ended === null ? null : formatTime(ended)],
    ]),
    // Apart from the rows, which long paths would make too wide for paper.
    ...(safetyCopy?.files ?? []).flatMap(({ path, sha256 }) =>
      sha256 === null ? [] : ['', `SHA-256 (${path})`, ...indented([sha256])],
    ),
  ];
  return `${lines.map((line) => harmless(withoutKeys(line))).join('\n')}\n`;
}
