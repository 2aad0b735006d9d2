/** A result of the node in the shape that we rely on; what else is in it is left out of sight. */
import type { z } from 'zod';
import { say } from '../../../shared/text/say.ts';
import { notANode } from './lineErrors.ts';
import type { NodeClient } from './session.ts';

/** Throws AppError `not_a_node` for a result of another shape. Its words name the fields, never their values. */
export function parsedResult<S extends z.ZodType>(
  client: NodeClient,
  method: string,
  shape: S,
  result: unknown,
): z.output<S> {
  const parsed = shape.safeParse(result);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ');
  throw notANode(
    client.address,
    fields === ''
      ? say('it answered {method} in an unknown shape', { method })
      : say('it answered {method} in an unknown shape ({fields})', { method, fields }),
  );
}
