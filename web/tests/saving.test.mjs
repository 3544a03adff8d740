// What the buttons save: a picture that stands alone, and every row as CSV.
import {after, before, test} from "node:test";
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {directory, rowsOf, start, stop, visit} from "./browser.mjs";

before(start);
after(stop);

async function saved(page, figure, label) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`#${figure} .tools button`, {hasText: label}).click(),
  ]);
  return {name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8")};
}

// RFC 4180, as others read it.
function parsed(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

test("the chart is saved as a picture that needs nothing else", () =>
  visit("ordinary", {colorScheme: "dark"}, async (page) => {
    const elsewhere = await page.context().newPage(); // where the page's policy does not hold
    const shapes = "path, rect, circle, line, text";
    for (const figure of ["density-1", "loadings-1", "relations-x-y", "rows"]) {
      const {name, text} = await saved(page, figure, "SVG");
      assert.equal(name, `${figure}.svg`);
      assert.doesNotMatch(text, /var\(|light-dark|aria-|currentColor(?!")/);
      assert.match(text, /<rect width="100%" height="100%" fill="#ffffff"/);
      const [bad, count] = await elsewhere.evaluate(
        ([source, wanted]) => {
          const picture = new DOMParser().parseFromString(source, "image/svg+xml");
          return [picture.querySelectorAll("parsererror").length, picture.querySelectorAll(wanted).length];
        },
        [text, shapes],
      );
      assert.equal(bad, 0);
      assert.equal(
        count,
        (await page.locator(`#${figure} .chart > svg`).locator(shapes).count()) + 1,
        "all shapes and the ground",
      );
    }
  }));

test("a saved picture is light, wherever it was saved", () =>
  visit("ordinary", {colorScheme: "dark"}, async (page) => {
    const {text} = await saved(page, "density-1", "SVG");
    assert.match(text, /stroke="rgb\(15, 102, 166\)"/);
    assert.match(text, /stroke="rgb\(179, 74, 6\)"/);
    writeFileSync(join(directory, "saved.svg"), text);
    await page
      .context()
      .newPage()
      .then(async (other) => {
        await other.goto(pathToFileURL(join(directory, "saved.svg")).href);
        assert.equal(await other.evaluate(() => document.documentElement.tagName), "svg");
      });
  }));

test("the CSV has every row and every digit", () =>
  visit("largest", {}, async (page) => {
    const rows = await rowsOf(page, "loadings-1");
    const {name, text} = await saved(page, "loadings-1", "CSV");
    assert.equal(name, "loadings-1.csv");
    const lines = parsed(text);
    assert.deepEqual(lines[0], ["side", "column", "loading", "low", "high"]);
    assert.equal(lines.length, 2001);
    rows.forEach((row, i) =>
      assert.deepEqual([row.side, row.column, row.loading, row.low, row.high].map(String), lines[i + 1]),
    );
  }));

test("text that a spreadsheet would run as a formula is saved as text, numbers as numbers", () =>
  visit("hostile", {}, async (page) => {
    const lines = parsed((await saved(page, "loadings-1", "CSV")).text);
    const names = lines.slice(1).map((line) => line[1]);
    assert.ok(names.includes("'=1+1"));
    assert.ok(names.includes("'-2+cmd|' /C calc'!A0"));
    assert.ok(names.includes("\"'><b onmouseover=alert(1)>&amp;"));
    assert.ok(lines.slice(1).every((line) => isFinite(Number(line[2])) && line[2] !== ""));
    assert.ok(
      lines.some((line) => line[2].startsWith("-")),
      "negative numbers stay as they are",
    );
    assert.doesNotMatch(names.join(""), /[\u202e\u2028\n]/);
  }));

test("lists in cells and cells without a value are saved too", () =>
  visit("ordinary", {}, async (page) => {
    await page.locator("#columns summary").first().click();
    const columns = parsed((await saved(page, "columns-x", "CSV")).text);
    assert.equal(columns[1][columns[0].indexOf("histogram")].split(" ").length, 16);
    const scores = parsed((await saved(page, "scores", "CSV")).text);
    assert.equal(scores[4][scores[0].indexOf("high")], "");
  }));
