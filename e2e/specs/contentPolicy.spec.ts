/** The content security policy confines the page to the app. */
import { createServer } from 'node:http';
import { listen } from '../../electron/http/loopback.ts';
import { type App, expect, test } from '../app.ts';

const POLICY = /Content Security Policy|Refused to|violates/;

// SECURITY.md: A node or file with markup, scripts, or characters that hide or reverse text
test('confines the page to the app', { tag: '@desktop' }, async ({ openApp }) => {
  const app = await openApp();
  await test.step('has the contract, but not Node', () => hasNoNode(app));
  await test.step('asks for no device', () => asksForNoDevice(app));
  // From here on the page violates the policy, which logs errors.
  app.expectTrouble(POLICY);
  await test.step('runs only its own scripts', () => runsNoOtherScript(app));
  await test.step('compiles no text into code', () => compilesNoText(app));
  await test.step('reaches nothing but the app', () => reachesNothing(app));
  await test.step('frames nothing and is framed by nothing', () => framesNothing(app));
});

async function runsNoOtherScript(app: App): Promise<void> {
  const ran = await app.page.evaluate(async () => {
    const marks = window as unknown as Record<string, unknown>;
    const inline = document.createElement('script');
    inline.textContent = 'window.ranInline = true';
    document.head.append(inline);
    const image = document.createElement('img');
    image.setAttribute('onerror', 'window.ranHandler = true');
    image.src = 'data:image/png;base64,broken';
    document.body.append(image);
    await new Promise((resolve) => image.addEventListener('error', resolve, { once: true }));
    return { inline: marks.ranInline === true, handler: marks.ranHandler === true };
  });
  expect(ran).toEqual({ inline: false, handler: false });
}

async function compilesNoText(app: App): Promise<void> {
  // In an event handler, because the policy does not bind what the test runner evaluates.
  const outcome = await app.page.evaluate(
    () =>
      new Promise((resolve) => {
        window.addEventListener(
          'try-eval',
          () => {
            try {
              new Function('return 1')();
              resolve('compiled');
            } catch (thrown) {
              resolve(thrown instanceof EvalError ? 'refused' : String(thrown));
            }
          },
          { once: true },
        );
        setTimeout(() => window.dispatchEvent(new Event('try-eval')));
      }),
  );
  expect(outcome).toBe('refused');
}

async function reachesNothing(app: App): Promise<void> {
  let reached = 0;
  const elsewhere = createServer((_, response) => {
    reached += 1;
    response.end();
  });
  const url = `http://127.0.0.1:${(await listen(elsewhere)).port}/`;
  const outcome = await app.page.evaluate(async (target) => {
    const image = new Image();
    image.src = `${target}image.png`;
    const imaged = await new Promise((resolve) => {
      image.onload = () => resolve('reached');
      image.onerror = () => resolve('refused');
    });
    const fetched = await fetch(target, { mode: 'no-cors' }).then(
      () => 'reached',
      () => 'refused',
    );
    return { imaged, fetched, beacon: navigator.sendBeacon(target) };
  }, url);
  elsewhere.close();
  expect(outcome).toMatchObject({ imaged: 'refused', fetched: 'refused' });
  expect(reached).toBe(0);
}

async function framesNothing(app: App): Promise<void> {
  const policy = await app.page.evaluate(async () => {
    const response = await fetch(location.href);
    return response.headers.get('content-security-policy') ?? '';
  });
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  await app.page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = 'https://example.org/';
    document.body.append(frame);
  });
  await expect.poll(() => app.page.frames().filter((frame) => frame.url().startsWith('https:'))).toEqual([]);
}

async function hasNoNode(app: App): Promise<void> {
  const reach = await app.page.evaluate(() => {
    const all = window as unknown as Record<string, unknown>;
    const bridge = all.ferry === undefined ? [] : Object.keys(Object(all.ferry)).sort();
    return { require: typeof all.require, process: typeof all.process, module: typeof all.module, bridge };
  });
  expect(reach).toEqual({
    require: 'undefined',
    process: 'undefined',
    module: 'undefined',
    bridge: app.entry === 'electron' ? ['call', 'on', 'pathOf'] : [],
  });
  for (const name of ['nodes.connection', 'app.info']) expect((await app.call(name, {})).ok).toBe(true);
  for (const name of ['constructor', '__proto__', 'fs.readFile', '']) {
    const answer = await app.call(name, {}).catch((thrown: unknown) => String(thrown));
    expect(typeof answer === 'string' ? 'refused' : answer.ok).not.toBe(true);
  }
}

async function asksForNoDevice(app: App): Promise<void> {
  const allowed = await app.page.evaluate(() => {
    // Chromium only, so the types of the DOM lack it.
    const { featurePolicy } = document as unknown as {
      featurePolicy: { allowsFeature(name: string): boolean };
    };
    const devices = ['camera', 'microphone', 'geolocation', 'usb', 'serial', 'hid', 'bluetooth', 'midi'];
    return devices.filter((name) => featurePolicy.allowsFeature(name));
  });
  expect(allowed).toEqual([]);
}
