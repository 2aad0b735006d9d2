/** An RPC server for one test, and clients of it. */
import { onTestFinished } from 'vitest';
import { type Behaviour, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { createNodeClient, type NodeClientOptions } from '../rpc/client.ts';
import type { NodeClient } from '../rpc/session.ts';

/** Starts a server and a client of it. Both close when the current test ends. */
export async function startTestClient(behaviour: Behaviour) {
  const node = await startRpcServer(behaviour);
  onTestFinished(() => node.close());
  return { node, client: testClient(node) };
}

/** A client that never retries by default. It closes when the current test ends. */
export function testClient(
  { address }: Pick<NodeClientOptions, 'address'>,
  options: Partial<NodeClientOptions> = {},
): NodeClient {
  const credentials = { by: 'password', user: 'me', password: 'secret' } as const;
  const client = createNodeClient({ address, credentials, retryPausesMs: [], ...options });
  onTestFinished(() => client.close());
  return client;
}
