/** A client that asks before each wallet that it has the node load: some files end the node. */
import type { NodeClient } from '../rpc/session.ts';

/** `mayLoad` throws the AppError of a load that is not to be sent. */
export function guardedClient(client: NodeClient, mayLoad: (name: string) => Promise<void>): NodeClient {
  return {
    ...client,
    async call(method, params, options) {
      const name = method === 'loadwallet' ? Object.values(params ?? {})[0] : undefined;
      if (typeof name === 'string') await mayLoad(name);
      return client.call(method, params, options);
    },
    overOneLine: (work) => client.overOneLine((line) => work(guardedClient(line, mayLoad))),
  };
}
