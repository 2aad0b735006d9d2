/** Reads a stream of bytes, such as an HTTP body, up to a limit. */

/** `limit` in bytes. Null if the body is longer; its connection is then destroyed. */
export async function readBoundedBody(body: AsyncIterable<unknown>, limit: number): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.length;
    // Leaving the loop destroys the body and its connection.
    if (size > limit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
