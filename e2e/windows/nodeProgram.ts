/**
 * A test node as a program of its own, until it is killed: its release, its data folder and its scenario as JSON are the arguments.
 * Prints its port as a line of JSON when it is ready.
 */
import { z } from 'zod';
import { releases, startTestNode } from '../testNode/testNode.ts';

const [release, dataFolder = '', scenario = '{}'] = process.argv.slice(2);
const { port } = await startTestNode({
  release: z.enum(releases).parse(release),
  dataFolder,
  scenario: JSON.parse(scenario),
});
process.stdout.write(`${JSON.stringify({ port })}\n`);
