// What the tests share: the pages of tests/report/sample_pages.cpp, one browser per file of tests, and what a page must never do.
//
//   CDA_SAMPLE_PAGES    the program that writes the pages (build/tests/cda_sample_pages)
//   CDA_SCREENSHOTS     where pictures of them go (build/report-screenshots)
//   CDA_COMMAND         the command, for pages of real models (build/cda)
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {launch} from "../chromium.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const screenshots = resolve(process.env.CDA_SCREENSHOTS ?? join(root, "build/report-screenshots"));
export const directory = mkdtempSync(join(tmpdir(), "cda-pages-"));
export const address = (name) => pathToFileURL(join(directory, `${name}.html`)).href;

let browser;

export async function start() {
  execFileSync(resolve(process.env.CDA_SAMPLE_PAGES ?? join(root, "build/tests/cda_sample_pages")), [directory]);
  browser = await launch();
}

export async function stop() {
  await browser?.close();
  rmSync(directory, {recursive: true, force: true});
}

// Opens a page and waits until it is drawn. `leave` closes it: anything in the console, any error, any request is a failure.
export async function open(name, {javaScriptEnabled = true, width = 1200, height = 900, colorScheme = "light"} = {}) {
  const context = await browser.newContext({
    viewport: {width, height},
    colorScheme,
    javaScriptEnabled,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const heard = [];
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const own = request.url() === address(name) || /^(blob|data):/.test(request.url());
    if (!own) heard.push(`request: ${request.url()}`);
  });
  await page.goto(address(name));
  if (javaScriptEnabled) await drawn(page);
  const leave = async () => {
    await context.close();
    assert.deepEqual(heard, []);
  };
  return {page, leave};
}

export async function visit(name, options, look) {
  const {page, leave} = await open(name, options);
  try {
    await look(page);
  } catch (problem) {
    await page.context().close();
    throw problem;
  }
  await leave();
}

// After two frames the page has noticed what changed its widths.
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForSelector("html[data-drawn=all]");
}

export async function openAll(page, what = "details") {
  await page.evaluate((wanted) => document.querySelectorAll(wanted).forEach((each) => (each.open = true)), what);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("details.data[open]")].every((each) => each.querySelector("table")),
  );
  await drawn(page);
}

// The data beside a figure, as rows.
export const rowsOf = (page, id) =>
  page.evaluate((figure) => {
    const {columns} = JSON.parse(document.querySelector(`#${figure} script`).textContent);
    const names = Object.keys(columns);
    return columns[names[0]].map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
  }, id);

// What a set of shapes looks like: their attributes as numbers where they are numbers.
export const shapes = (page, selector) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll(wanted)].map((shape) =>
        Object.fromEntries(
          [...shape.attributes].map(({name, value}) => [
            name,
            value !== "" && isFinite(Number(value)) ? Number(value) : value,
          ]),
        ),
      ),
    selector,
  );

// Do `seen` lie on a straight line over `meant`? Within half a pixel; gives the slope.
export function assertLinear(meant, seen, what) {
  assert.equal(meant.length, seen.length, what);
  const low = meant.indexOf(Math.min(...meant)),
    high = meant.indexOf(Math.max(...meant));
  const slope = (seen[high] - seen[low]) / (meant[high] - meant[low]);
  meant.forEach((value, i) => {
    const expected = seen[low] + slope * (value - meant[low]);
    assert.ok(Math.abs(seen[i] - expected) < 0.5, `${what} ${i}: at ${seen[i]}, should be at ${expected}`);
  });
  return slope;
}

export const near = (actual, expected, tolerance, what) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, should be ${expected}`);
