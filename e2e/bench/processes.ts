/** Of a process and all that it started: the processor time they have taken, and the memory they hold. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the process and of its descendants. */
export function familyOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? fieldsOf(Number(name))[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const family = new Set([root]);
  // A child may have a lower number than its parent.
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
  }
  return [...family];
}

/** Seconds that the processes have been at work so far. */
export function processorSeconds(processes: readonly number[]): number {
  const ticks = processes.map((id) => {
    const fields = fieldsOf(id);
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** The proportional set size of the processes together, in MB. */
export function megabytes(processes: readonly number[]): number {
  const kibibytes = processes.map((id) =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(read(id, 'smaps_rollup'))?.[1] ?? 0),
  );
  return (kibibytes.reduce((sum, each) => sum + each, 0) * 1024) / 1e6;
}

/** Those of the family whose command line has this in it. */
export function withArgument(processes: readonly number[], text: string): number[] {
  return processes.filter((id) => read(id, 'cmdline').includes(text));
}

/** `USER_HZ`: the same on every Linux of our days. */
const TICKS_PER_SECOND = 100;

/** What follows the program's name, which stands in brackets and may hold anything. */
function fieldsOf(id: number): string[] {
  return read(id, 'stat').split(') ').at(-1)?.split(' ') ?? [];
}

function read(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
