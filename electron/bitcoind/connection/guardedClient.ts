/** A client that checks each wallet before `loadwallet`: some files crash the node. */
import type { NodeClient } from '../rpc/session.ts';

/** `mayLoad` throws an AppError if the call must not be sent. */
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
