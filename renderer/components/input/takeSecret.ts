/** Takes what was typed into a field out of it, at the moment of the call that needs it. */

/** The field is empty afterwards. */
export function takeSecret(field: HTMLInputElement | HTMLTextAreaElement | null | undefined): string {
  if (!field) return '';
  const { value } = field;
  field.value = '';
  return value;
}
