/** Drops a file of this computer on the window, as a file manager would. */
import type { App } from './app.ts';

export async function dropFile({ page }: App, file: string): Promise<void> {
  const input = await page.evaluateHandle(() => {
    const made = document.createElement('input');
    made.type = 'file';
    return made;
  });
  await input.setInputFiles(file);
  await page.evaluate((holder) => {
    const [dropped] = holder.files ?? [];
    if (!dropped) throw new Error('nothing to drop');
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(dropped);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, input);
}
