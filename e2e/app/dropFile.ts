/** Drops a file of this computer on the window, or several, as a file manager would. */
import type { App } from './app.ts';

export async function dropFile({ page }: App, file: string | string[]): Promise<void> {
  const input = await page.evaluateHandle(() => {
    const made = document.createElement('input');
    made.type = 'file';
    made.multiple = true;
    return made;
  });
  await input.setInputFiles(file);
  await page.evaluate((holder) => {
    const dropped = [...(holder.files ?? [])];
    if (dropped.length === 0) throw new Error('nothing to drop');
    const dataTransfer = new DataTransfer();
    for (const one of dropped) dataTransfer.items.add(one);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, input);
}
