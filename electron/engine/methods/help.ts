/** The text that `help` gives for a method, and that a call with too few or too many arguments gets. */
import type { Signature } from './method.ts';

export function helpOf(method: Signature): string {
  const parts = [usageOf(method), '', method.about];
  if (method.params.length > 0) {
    parts.push(
      '',
      'Arguments:',
      ...method.params.map((param, position) => {
        const need = param.required ? 'required' : 'optional';
        return `${position + 1}. ${param.name}    (${typeWords[param.type]}, ${need}) ${param.about}`;
      }),
    );
  }
  return `${parts.join('\n')}\n`;
}

/** `restorewallet "wallet_name" "backup_file" ( load_on_startup )` */
export function usageOf(method: Signature): string {
  const shown = method.params.map(({ name, type, required }) => ({
    required,
    text: type === 'string' ? `"${name}"` : name,
  }));
  const required = shown.filter((param) => param.required).map((param) => param.text);
  const optional = shown.filter((param) => !param.required).map((param) => param.text);
  return [method.name, ...required, ...(optional.length > 0 ? ['(', ...optional, ')'] : [])].join(' ');
}

const typeWords = {
  string: 'string',
  bool: 'boolean',
  number: 'numeric',
  array: 'json array',
  object: 'json object',
} as const;
