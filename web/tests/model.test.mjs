// The page of a real model, written by the command: all of it is drawn, and says what the model says.
import {after, before, test} from "node:test";
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {directory, open, openAll, root, rowsOf, screenshots, start, stop} from "./browser.mjs";

let page, leave, model;
before(async () => {
  await start();
  const command = resolve(process.env.CDA_COMMAND ?? join(root, "build/cda"));
  const tables = ["X.csv", "Y.csv"].map((name) => join(root, "examples/buildings", name));
  const places = ["-o", join(directory, "model.json"), "--report", join(directory, "model.html")];
  execFileSync(command, ["test", ...tables, "--surrogates", "99", "--bootstrap", "9", "--quiet", ...places]);
  model = JSON.parse(readFileSync(join(directory, "model.json"), "utf8"));
  ({page, leave} = await open("model"));
});
after(async () => {
  try {
    await leave();
  } finally {
    await stop();
  }
});

test("every figure is drawn", async () => {
  await openAll(page, "details.section, section > details");
  await page.screenshot({path: join(screenshots, "model.png"), fullPage: true});
  const empty = await page.evaluate(() =>
    [...document.querySelectorAll("figure.figure")]
      .filter((figure) => figure.offsetParent !== null && !figure.querySelector(".chart svg, .chart table"))
      .map((figure) => figure.id),
  );
  assert.deepEqual(empty, []);
  const kinds = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll("figure.figure")].map((each) => each.dataset.kind)),
  ]);
  assert.deepEqual(kinds.sort(), [
    "bins",
    "columns",
    "densities",
    "heat",
    "intervals",
    "lines",
    "loadings",
    "null",
    "qq",
  ]);
});

test("its figures hold the numbers of the model", async () => {
  const quantiles = await rowsOf(page, "quantiles-1");
  assert.deepEqual(
    quantiles.map((row) => row.y),
    model.summary.pairs[0].y_quantiles,
  );
  const loadings = await rowsOf(page, "loadings-2");
  for (const row of loadings) {
    const {columns} = model[row.side.toLowerCase()];
    const known = model.pairs[1][`${row.side.toLowerCase()}_loadings`][columns.indexOf(row.column)];
    assert.ok(Math.abs(row.loading - known) < 1e-5);
  }
});

test("its verdicts are the model's", async () => {
  const text = await page.evaluate(() => document.body.innerText.toLowerCase());
  model.evidence.pairs.forEach((pair, i) =>
    assert.ok(text.includes(`pair ${i + 1}: ${pair.verdict.replace("_", " ")}`), `pair ${i + 1}`),
  );
});
