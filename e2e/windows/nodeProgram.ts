/**
 * A program: runs a test node until it is killed. Arguments: the release, the data folder, and the scenario as JSON. Prints
 * the port as a line of JSON once the node is ready.
 */
import { z } from 'zod/mini';
import { releases, startTestNode } from '../testNode/testNode.ts';

const [release, dataFolder = '', scenario = '{}'] = process.argv.slice(2);
const { port } = await startTestNode({
  release: z.enum(releases).parse(release),
  dataFolder,
  scenario: JSON.parse(scenario),
});
process.stdout.write(`${JSON.stringify({ port })}\n`);
