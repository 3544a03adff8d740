// Shapes are where the data say.
import {after, before, test} from "node:test";
import assert from "node:assert/strict";
import {assertLinear, near, open, rowsOf, shapes, start, stop, visit} from "./browser.mjs";

// All of them only look: one page is enough.
let page, leave;
before(async () => {
  await start();
  ({page, leave} = await open("ordinary"));
});
after(async () => {
  try {
    await leave();
  } finally {
    await stop();
  }
});

// The corners of a path of straight lines, one list per M.
const corners = (d) =>
  d
    .split("M")
    .slice(1)
    .map((part) =>
      part
        .replace(/Z/g, "")
        .split("L")
        .map((pair) => pair.split(",").map(Number)),
    );

test("densities are drawn through their points, from zero, and not on top of each other", async () => {
  const rows = await rowsOf(page, "density-1");
  let baseline;
  for (const side of ["x", "y"]) {
    const [line] = await shapes(page, `#density-1 .line-${side} path`);
    const [points] = corners(line.d);
    assert.equal(points.length, rows.length);
    assertLinear(
      rows.map((row) => row.value),
      points.map((point) => point[0]),
      `${side} across`,
    );
    const slope = assertLinear(
      rows.map((row) => row[side]),
      points.map((point) => point[1]),
      `${side} upwards`,
    );
    assert.ok(slope < 0, "larger is higher");
    const foot = points[0][1] - slope * rows[0][side];
    baseline ??= foot;
    near(foot, baseline, 0.5, "both stand on one line");
    const [area] = await shapes(page, `#density-1 .area-${side} path`);
    const lowest = Math.max(...corners(area.d)[0].map((point) => point[1]));
    near(lowest, baseline, 0.5, "the filling begins at zero");
    near(
      Math.min(...corners(area.d)[0].map((point) => point[1])),
      Math.min(...points.map((point) => point[1])),
      0.5,
      "and ends at the curve",
    );
  }
});

test("X and Y differ in more than colour", async () => {
  const [x] = await shapes(page, "#density-1 .line-x"),
    [y] = await shapes(page, "#density-1 .line-y");
  assert.equal(x["stroke-dasharray"], undefined);
  assert.ok(y["stroke-dasharray"]);
  const [filled] = await shapes(page, "#density-1 .area-x"),
    [hatched] = await shapes(page, "#density-1 .area-y");
  assert.doesNotMatch(filled.fill, /^url/);
  assert.equal(hatched.fill, "url(#density-1-hatch)");
  assert.equal(await page.locator("#density-1 .name-x text").textContent(), "X: north wingX: north wing"); // with its title
  assert.equal((await shapes(page, "#loadings-1 .bars-Y"))[0].fill, "url(#loadings-1-hatch-y)");
  const dashes = (await shapes(page, "#rows .course")).map((course) => course["stroke-dasharray"] ?? "");
  assert.equal(new Set(dashes).size, 4, "every course has its own dash");
});

test("bars are as long as their loadings and point where their signs do", async () => {
  const rows = await rowsOf(page, "loadings-1");
  const scales = [];
  for (const side of ["X", "Y"]) {
    const own = rows.filter((row) => row.side === side);
    const bars = await shapes(page, `#loadings-1 .bars-${side} rect`);
    assert.equal(bars.length, own.length);
    const perUnit = bars[0].width / Math.abs(own[0].loading);
    scales.push(perUnit);
    const zero = bars[0].x;
    own.forEach(({loading}, i) => {
      near(bars[i].width, Math.abs(loading) * perUnit, 0.1, `length ${i}`);
      near(loading > 0 ? bars[i].x : bars[i].x + bars[i].width, zero, 0.1, `from zero ${i}`);
    });
    const whiskers = (await shapes(page, `#loadings-1 .whiskers-${side} path`)).map(({d}) => corners(d)[0]);
    assertLinear(
      own.flatMap((row) => [row.low, row.high]),
      whiskers.flatMap((ends) => ends.map((end) => end[0])),
      "whiskers",
    );
  }
  near(scales[0], scales[1], 0.01, "both sides have one scale");
});

test("values stand in their bands as the numbers do", async () => {
  const rows = await rowsOf(page, "agreement");
  const dots = await shapes(page, "#agreement .values circle");
  const bands = await shapes(page, "#agreement .band rect");
  const references = await shapes(page, "#agreement .reference line");
  assert.equal(bands.length, rows.length);
  const slope = assertLinear(
    [...rows.map((row) => row.value), ...rows.map((row) => row.reference)],
    [...dots.map((dot) => dot.cx), ...references.map((line) => line.x1)],
    "values and references",
  );
  rows.forEach((row, i) => {
    near(bands[i].x, dots[i].cx + slope * (row.low - row.value), 0.5, `band ${i} begins`);
    near(bands[i].width, slope * (row.high - row.low), 0.1, `band ${i} is wide`);
  });
});

test("groups have their names, and a missing end of an interval draws none", async () => {
  assert.equal((await shapes(page, "#scores .values circle")).length, 4);
  assert.equal((await shapes(page, "#scores .band path, #scores .band line")).length, 3);
  const words = await page.locator("#scores svg text").allTextContents();
  for (const name of ["bike", "energy", "chance", "standard error"])
    assert.ok(
      words.some((word) => word.includes(name)),
      name,
    );
});

test("quantiles that are equal lie on the diagonal", async () => {
  const rows = await rowsOf(page, "qq-1");
  const dots = await shapes(page, "#qq-1 .quantiles circle");
  const across = assertLinear(
    rows.map((row) => row.x),
    dots.map((dot) => dot.cx),
    "x",
  );
  const upwards = assertLinear(
    rows.map((row) => row.y),
    dots.map((dot) => dot.cy),
    "y",
  );
  near(across, -upwards, 0.01, "one scale for both");
  const [[from, to]] = (await shapes(page, "#qq-1 .diagonal path")).map(({d}) => corners(d)[0]);
  const middle = rows.findIndex((row) => row.x === 0);
  near(
    (dots[middle].cy - from[1]) / (dots[middle].cx - from[0]),
    (to[1] - from[1]) / (to[0] - from[0]),
    0.01,
    "0, 0 is on it",
  );
});

test("cells are as strong as their values, in the colour of their sign", async () => {
  const rows = await rowsOf(page, "relations-x-y");
  const cells = await shapes(page, "#relations-x-y .cells rect");
  assert.equal(cells.length, rows.length);
  const order = (values) =>
    values
      .map((value, i) => [value, i])
      .sort((a, b) => a[0] - b[0])
      .map(([, i]) => i);
  assert.deepEqual(order(cells.map((cell) => cell["fill-opacity"])), order(rows.map((row) => Math.abs(row.value))));
  rows.forEach((row, i) => assert.equal(cells[i].fill, row.value < 0 ? "var(--negative)" : "var(--positive)"));
  const figures = await page.locator("#relations-x-y .figures-in-cells text").allTextContents();
  rows.forEach((row, i) => near(Number(figures[i].replace("\u2212", "-")), row.value, 0.0051, "figure"));
});

test("bins are as strong as the root of their counts, on one pair of axes", async () => {
  const rows = await rowsOf(page, "joint-1-2");
  const most = Math.max(...rows.map((row) => row.count));
  for (const side of ["X", "Y"]) {
    const own = rows.filter((row) => row.side === side);
    const bins = await shapes(page, `#joint-1-2 .bins-${side} rect`);
    assertLinear(
      own.map((row) => row.x),
      bins.map((bin) => bin.x),
      "x",
    );
    assertLinear(
      own.map((row) => row.y),
      bins.map((bin) => bin.y),
      "y",
    );
    own.forEach((row, i) => near(bins[i]["fill-opacity"], 0.1 + 0.9 * Math.sqrt(row.count / most), 1e-6, "strength"));
  }
  const [x] = await shapes(page, "#joint-1-2 .bins-X rect"),
    [y] = await shapes(page, "#joint-1-2 .bins-Y rect");
  near(x.width, y.width, 1e-6, "one scale");
});

test("chance is twenty dots, and the observed value lies beyond them", async () => {
  const dots = await shapes(page, "#null-1 .dots circle");
  assert.equal(dots.length, 20);
  const [line] = await shapes(page, "#null-1 .observed line");
  assert.ok(dots.every((dot) => dot.cx + dot.r < line.x1));
  const ticks = await page.evaluate(() =>
    [...document.querySelectorAll("#null-1 g text")].flatMap((tick) => {
      const place = /translate\(([-\d.]+),/.exec(tick.getAttribute("transform") ?? "");
      return place && tick.textContent.trim() !== "" && isFinite(Number(tick.textContent))
        ? [[Number(tick.textContent), Number(place[1])]]
        : [];
    }),
  );
  assertLinear([...ticks.map((tick) => tick[0]), 0.97], [...ticks.map((tick) => tick[1]), line.x1], "observed");
  assert.match(await page.locator("#null-1 svg").textContent(), /observed 0\.97, p = 0\.005/);
});

test("courses follow their points, on a logarithmic axis where asked", async () => {
  const rows = (await rowsOf(page, "convergence-1")).filter((row) => row.series === "the start that was kept");
  const [course] = await shapes(page, "#convergence-1 .emphasis path");
  const [points] = corners(course.d);
  assertLinear(
    rows.map((row) => row.x),
    points.map((point) => point[0]),
    "iterations",
  );
  assertLinear(
    rows.map((row) => Math.log(row.y)),
    points.map((point) => point[1]),
    "logarithms",
  );
  assert.equal((await shapes(page, "#convergence-1 .course path")).length, 11);
});

test("names stand at the ends of the lines they belong to, and do not overlap", async () => {
  const rows = await rowsOf(page, "rows");
  const names = [...new Set(rows.map((row) => row.series))];
  const ends = await page.evaluate(() =>
    [...document.querySelectorAll("#rows .end-name")].map((each) => ({
      name: each.querySelector("title").textContent,
      y: Number(each.getAttribute("y")),
    })),
  );
  assert.deepEqual(ends.map((end) => end.name).sort(), [...names].sort());
  const last = (name) => rows.filter((row) => row.series === name).pop().y;
  ends.forEach((end, i) => {
    if (i === 0) return;
    assert.ok(end.y - ends[i - 1].y >= 14.9, `${end.name} below ${ends[i - 1].name}`);
    assert.ok(last(end.name) <= last(ends[i - 1].name), `${end.name} ends lower`);
  });
});

test("small histograms are as high as their counts", async () => {
  await page.locator("#columns summary").first().click();
  await page.locator("#columns-x tbody tr:first-child .histogram rect").first().waitFor({state: "attached"});
  const [row] = await rowsOf(page, "columns-x");
  const bars = await shapes(page, "#columns-x tbody tr:first-child .histogram rect");
  assert.equal(bars.length, 16);
  const most = Math.max(...row.histogram);
  row.histogram.forEach((count, i) =>
    near(bars[i].height, count === 0 ? 0 : Math.max(1.5, (24 * count) / most), 0.01, `bin ${i}`),
  );
  assert.match(await page.locator("#columns-x tbody").textContent(), /set aside: 2 values/);
});

test("a kind that is not known shows its data", () =>
  visit("hostile", {}, async (hostile) => {
    assert.equal(await hostile.locator("#unknown .chart svg").count(), 0);
    assert.equal(await hostile.locator("#unknown tbody tr").count(), 201);
  }));
