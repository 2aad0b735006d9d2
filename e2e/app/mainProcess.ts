/** Evaluates in the main process of a running Electron, through the debugger that it lets in. */
import { once } from 'node:events';
import { WebSocket } from 'undici';
import { z } from 'zod';

export interface MainProcess {
  /** Runs the body of a function that is given `electron`. Throws with its error. */
  run(body: string): Promise<void>;
  leave(): void;
}

/** `address` is the one that follows "Debugger listening on". */
export async function attachToMain(address: string): Promise<MainProcess> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (reply: z.infer<typeof replyShape>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const reply = replyShape.parse(JSON.parse(String(data)));
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  return {
    async run(body) {
      last += 1;
      const id = last;
      const replied = new Promise<z.infer<typeof replyShape>>((resolve) => waiting.set(id, resolve));
      const expression = `((electron) => { ${body} })(process.mainModule.require('electron'))`;
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression } }));
      const { result } = await replied;
      if (result?.exceptionDetails) throw new Error(JSON.stringify(result.exceptionDetails));
    },
    leave: () => socket.close(),
  };
}

const replyShape = z.object({
  id: z.number().optional(),
  result: z.object({ exceptionDetails: z.unknown().optional() }).optional(),
});
