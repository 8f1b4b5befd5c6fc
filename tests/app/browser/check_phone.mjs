// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// node check_phone.mjs PAGE [FOLDER]: opens a page as a phone shows it, light
// and dark, and with keys alone. Fails unless it fits the screen, fingers and
// keys move it, text can be read on its ground, and the console stays empty.
// FOLDER receives pictures.
import {strict as assert} from 'node:assert';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

const [page, folder] = process.argv.slice(2);
const kPhone = {width: 390, height: 844};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader'],
});

/** Opens the page; what it says on the console ends in `messages`. */
async function open(options) {
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  const messages = [];
  tab.on('console', (message) => {
    if (!message.text().includes('due to ReadPixels')) {
      messages.push(message.text());
    }
  });
  tab.on('pageerror', (error) => messages.push(error.message));
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForFunction(() => [...document.querySelectorAll(
      '.limber-player')].every((element) => element.dataset.player));
  return {tab, messages, player: tab.locator('.limber-player').first()};
}

const timeOf = (player) => player.evaluate((e) => e.limberPlayer.time);
const eyeOf = (player) => player.evaluate(
    (e) => e.limberPlayer.stage.camera.position.toArray());
const far = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

/** Contrast of text and ground by the rules of the web (WCAG 2, 1.4.3). */
const contrasts = (tab) => tab.evaluate(() => {
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => part / 255).map((part) =>
      part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll(
      'p, td, th, h1, h2, summary, figcaption, button, output, a, li')) {
    if (!element.textContent.trim() || !element.offsetParent) continue;
    // The canvas is the ground of words that lie on it.
    if (element.closest('.view')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)),
      light(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) {
      poor.push(`${element.tagName} "${element.textContent.slice(0, 30)}" ` +
          contrast.toFixed(1));
    }
  }
  return poor;
});

for (const colorScheme of ['light', 'dark']) {
  const {tab, messages, player} = await open({viewport: kPhone, colorScheme,
    isMobile: true, hasTouch: true, deviceScaleFactor: 2});
  // It fits: nothing has to be pushed aside to be read.
  const width = await tab.evaluate(() => document.scrollingElement.scrollWidth);
  assert.ok(width <= kPhone.width, `${colorScheme}: ${width} px wide`);
  const canvas = await player.locator('canvas').boundingBox();
  assert.ok(canvas.x >= 0 && canvas.x + canvas.width <= kPhone.width);
  assert.ok(canvas.width > 0.8 * kPhone.width, 'the picture is large');
  // Fingers hit the buttons (WCAG 2.2, 2.5.8 asks 24 px).
  for (const button of await player.locator('button').all()) {
    const box = await button.boundingBox();
    assert.ok(box.width >= 24 && box.height >= 24, 'buttons fit a finger');
  }
  assert.deepEqual(await contrasts(tab), [], `${colorScheme}: can be read`);
  // A tap plays and stops.
  await player.locator('button').first().tap();
  await tab.waitForTimeout(400);
  await player.locator('button').first().tap();
  assert.ok(await timeOf(player) > 0, 'a tap plays');
  const stopped = await timeOf(player);
  await tab.waitForTimeout(200);
  assert.equal(await timeOf(player), stopped, 'a tap stops');
  // A finger across the picture turns it.
  const before = await eyeOf(player);
  const touch = await tab.context().newCDPSession(tab);
  const at = (x, y) => [{x: canvas.x + x, y: canvas.y + y}];
  await touch.send('Input.dispatchTouchEvent',
      {type: 'touchStart', touchPoints: at(120, 100)});
  for (let i = 1; i <= 5; ++i) {
    await touch.send('Input.dispatchTouchEvent',
        {type: 'touchMove', touchPoints: at(120 + 20 * i, 100)});
  }
  await touch.send('Input.dispatchTouchEvent',
      {type: 'touchEnd', touchPoints: []});
  await tab.waitForTimeout(200);
  assert.ok(far(await eyeOf(player), before) > 0.1, 'a finger turns it');
  if (folder) {
    await tab.screenshot({path: join(folder, `phone_${colorScheme}.png`),
      fullPage: true});
  }
  assert.deepEqual(messages, [], 'the console stays empty');
  await tab.context().close();
}

// Keys alone: Tab reaches the player, and every key does what it says.
const {tab, messages, player} =
    await open({viewport: {width: 1100, height: 900}});
const has = (body) => player.evaluate(
    (e, text) => new Function('player', `return ${text};`)(e.limberPlayer),
    body);
for (let i = 0; i < 20; ++i) {
  await tab.keyboard.press('Tab');
  if (await tab.evaluate(() => document.activeElement?.classList.contains(
      'limber-player'))) break;
}
assert.ok(await tab.evaluate(() =>
  document.activeElement.classList.contains('limber-player')), 'Tab reaches it');
const outline = await player.evaluate((e) => getComputedStyle(e).outlineStyle);
assert.notEqual(outline, 'none', 'it is seen where the keys go');
await tab.keyboard.press('Space');
assert.equal(await has('player.isPlaying'), true, 'space plays');
await tab.keyboard.press('Space');
assert.equal(await has('player.isPlaying'), false, 'space stops');
await tab.keyboard.press('+');
assert.equal(await has('player.speed'), 2, 'plus is faster');
await tab.keyboard.press('-');
await tab.keyboard.press('-');
assert.equal(await has('player.speed'), 0.5, 'minus is slower');
for (const [key, name] of [['f', 'follow'], ['b', 'bones'], ['g', 'others'],
  ['s', 'beside'], ['a', 'forces']]) {
  const button = `player.switches.${name}?.getAttribute('aria-pressed')`;
  const was = await has(button);
  // Of what is not there nothing can be switched.
  if (was === undefined) continue;
  await tab.keyboard.press(key);
  assert.notEqual(await has(button), was, `${key} switches ${name}`);
  await tab.keyboard.press(key);
  assert.equal(await has(button), was, `${key} switches ${name} back`);
}
assert.deepEqual(messages, [], 'the console stays empty');
if (folder) await tab.screenshot({path: join(folder, 'desk.png')});
await browser.close();
console.log('phone light and dark, keys alone: no message');
