/** Blocks of the chain that the fixtures know, as a node 31.0 on `chain.tar.xz` tells them. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Reply } from './recording.ts';

const blocks = z
  .array(z.object({ hash: z.string(), height: z.number(), time: z.number() }))
  .parse(JSON.parse(readFileSync(new URL('../fixtures/blocks.json', import.meta.url), 'utf8')));

/** `getblockheader`, with what the app asks it for. The errors are those of 31.0. */
export function blockHeader(hash: string | undefined): Reply {
  const block = blocks.find((each) => each.hash === hash);
  if (!block) return { error: { code: -5, message: 'Block not found' } };
  return { result: { ...block, confirmations: blocks.length - block.height } };
}

export function blockHash(height: unknown): Reply {
  const block = blocks.find((each) => each.height === height);
  if (!block) return { error: { code: -8, message: 'Block height out of range' } };
  return { result: block.hash };
}
