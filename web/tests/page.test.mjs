// The page as readers meet it: any width, light and dark, on paper, by keyboard, without scripts; with names that attack it.
import {after, before, test} from "node:test";
import assert from "node:assert/strict";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {drawn, openAll, screenshots, start, stop, visit} from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

before(async () => {
  await start();
  mkdirSync(screenshots, {recursive: true});
});
after(stop);

const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const name of ["ordinary", "hostile", "smallest", "largest"])
  test(`the ${name} page fits 360 to 1440 pixels and asks for nothing`, () =>
    visit(name, {width: 1440}, async (page) => {
      for (const width of [1440, 768, 360]) {
        await page.setViewportSize({width, height: 900});
        await openAll(page, name === "largest" ? "details.folded" : "details");
        assert.equal(await sideways(page), 0, `${width} pixels`);
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll(".chart > svg")]
            .filter((chart) => chart.getBoundingClientRect().right > innerWidth + 1)
            .map((chart) => chart.closest("figure").id),
        );
        assert.deepEqual(wide, [], `charts at ${width} pixels`);
      }
    }));

for (const colorScheme of ["light", "dark"])
  test(`axe finds nothing on the ${colorScheme} page`, () =>
    visit("ordinary", {colorScheme}, async (page) => {
      await openAll(page, "details.folded, #density-1 details, #scores details, .notices");
      // By the debugger's way in: the page's own policy lets no other script run.
      const session = await page.context().newCDPSession(page);
      await session.send("Runtime.evaluate", {expression: axe});
      const {result} = await session.send("Runtime.evaluate", {
        expression:
          "axe.run(document, {resultTypes: ['violations']}).then((found) => JSON.stringify(found.violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 160))])))",
        awaitPromise: true,
        returnByValue: true,
      });
      assert.deepEqual(JSON.parse(result.value), []);
    }));

test("names that are markup, turn the writing or hide are shown as text", () =>
  visit("hostile", {}, async (page) => {
    await openAll(page);
    assert.equal(await page.title(), "</script><img src=x onerror=document.title='taken'>");
    assert.equal(await page.locator("img, b, iframe, body script:not([type]) ~ script").count(), 0);
    const words = await page.evaluate(
      () => document.body.innerText + [...document.querySelectorAll("svg")].map((each) => each.textContent).join(),
    );
    assert.doesNotMatch(words, /[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/);
    assert.match(words, /<script>document\.title='taken'<\/script>/);
    assert.match(words, /\\u\{202e\}gnol eht\\u\{202c\} turned/);
    assert.match(words, /not \\xff UTF-8/);
    assert.match(words, /\u{1f642} emoji \u05e2\u05d1\u05e8\u05d9\u05ea/u);
  }));

test("a name of 300 characters is cut in the chart and whole in its title and in the table", () =>
  visit("hostile", {}, async (page) => {
    await openAll(page);
    const long = "n".repeat(300);
    const [label] = await page.evaluate(() =>
      [...document.querySelectorAll("#loadings-1 .names text")]
        .filter((each) => each.querySelector("title")?.textContent.length === 300)
        .map((each) => [
          each.querySelector("title").textContent,
          each.lastChild.nodeType === 3 ? each.lastChild.data : each.firstChild.data,
        ]),
    );
    assert.equal(label[0], long);
    assert.match(label[1], /^n+\u2026n+$/);
    assert.ok((await page.locator("#loadings-1 tbody td bdi").allTextContents()).includes(long));
  }));

test("without scripts everything but the charts can be read", () =>
  visit("ordinary", {javaScriptEnabled: false}, async (page) => {
    for (const words of [
      "Two office buildings",
      "Pair 1 is supported.",
      "no evidence",
      "Warnings",
      "0.0104",
      "The middle halves of both overlap",
    ])
      assert.ok(await page.getByText(words).first().isVisible(), words);
    assert.ok(await page.locator("noscript .notice").isVisible());
    assert.equal(await page.locator("figcaption").count(), await page.locator("figure").count());
    assert.equal(await page.locator(".chart svg, .tools, .theme").count(), 0);
    await page.locator("#reproduce summary").click();
    assert.ok(await page.getByText("cda fit X.csv").isVisible());
  }));

test("on paper everything is open and nothing is there to click", () =>
  visit("ordinary", {}, async (page) => {
    const paper = await page.pdf({format: "A4"});
    assert.equal(paper.subarray(0, 5).toString(), "%PDF-");
    writeFileSync(join(screenshots, "print.pdf"), paper);
    await page.emulateMedia({media: "print"});
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    for (const gone of [".tools", ".theme", ".contents", "details.data"])
      assert.ok(!(await page.locator(gone).first().isVisible()), gone);
    assert.ok(await page.getByText("cda fit X.csv").isVisible());
    assert.ok(await page.locator("#columns-x .histogram").first().isVisible());
    const overlaps = await page.evaluate(() => {
      const bottom = (selector) => document.querySelector(selector).getBoundingClientRect();
      return bottom("#columns-x .chart tbody tr:last-child").bottom > bottom("#columns-x figcaption").top;
    });
    assert.ok(!overlaps, "a long table pushes its caption down");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({media: "screen"});
    assert.ok(!(await page.getByText("cda fit X.csv").isVisible()), "closed again");
  }));

test("one pair and nothing to draw", () =>
  visit("smallest", {}, async (page) => {
    assert.equal(await page.locator("#agreement .values circle").count(), 1);
    assert.equal(await page.locator("#heat-1 .cells rect").count(), 1);
    assert.equal(await page.locator("#density-1 .chart svg").count(), 0);
    assert.equal(await page.locator("#density-1 .chart").textContent(), "There is nothing to draw here.");
    assert.equal(await page.locator("#empty figure").count(), 11); // none of them in the console: see browser.mjs
  }));

test("fifty pairs and a thousand columns", () =>
  visit("largest", {}, async (page) => {
    assert.equal(await page.locator("[data-kind=densities] .line-x path").count(), 50);
    assert.equal(await page.locator("#agreement .values circle").count(), 50);
    assert.equal(await page.locator("#loadings-1 .bars-X rect").count(), 40);
    assert.match(await page.locator("#loadings-1 svg").first().textContent(), /the 40 strongest of 1,000 columns/);
    assert.equal(await page.locator("#heat-1 .cells rect").count(), 600);
    assert.match(await page.locator("#heat-1 svg").first().textContent(), /the strongest 60 of 1,000/);
    assert.equal(await page.locator("#columns-1 tbody tr").count(), 500);
    await page.locator("#loadings-1 details summary").click();
    await page.locator("#loadings-1 details table").waitFor();
    assert.equal(await page.locator("#loadings-1 details tbody tr").count(), 500);
    assert.match(await page.locator("#loadings-1 details").textContent(), /first 500 of 2,000 rows/);
  }));

test("charts follow the width of the page", () =>
  visit("ordinary", {width: 1200}, async (page) => {
    const width = () => page.locator("#density-1 .chart > svg").getAttribute("width").then(Number);
    const wide = await width();
    await page.setViewportSize({width: 500, height: 900});
    await page.waitForFunction(
      (before) => Number(document.querySelector("#density-1 .chart > svg").getAttribute("width")) < before,
      wide,
    );
    await drawn(page);
    assert.equal(await width(), await page.evaluate(() => document.querySelector("#density-1 .chart").clientWidth));
  }));

test("light and dark follow the reader's choice", () =>
  visit("ordinary", {colorScheme: "dark"}, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.getByRole("button", {name: "Switch between light and dark"}).click();
    assert.equal(await ground(), "rgb(255, 255, 255)");
    await page.getByRole("button", {name: "Switch between light and dark"}).click();
    assert.equal(await ground(), dark);
  }));

test("a browser that cannot choose between two colours shows the light page", () =>
  visit("ordinary", {colorScheme: "dark"}, async (page) => {
    await page.evaluate(() => {
      const [sheet] = document.styleSheets;
      for (let i = sheet.cssRules.length - 1; i >= 0; --i)
        if (sheet.cssRules[i] instanceof CSSSupportsRule) sheet.deleteRule(i);
    });
    const [ground, ink, curve] = await page.evaluate(() => {
      const {backgroundColor, color} = getComputedStyle(document.body);
      return [backgroundColor, color, getComputedStyle(document.querySelector("#density-1 .line-x")).stroke];
    });
    assert.equal(ground, "rgb(255, 255, 255)");
    assert.equal(ink, "rgb(27, 31, 38)");
    assert.equal(curve, "rgb(15, 102, 166)");
  }));

test("the keyboard reaches every button and opens what is folded", () =>
  visit("ordinary", {}, async (page) => {
    const reached = new Set();
    for (let i = 0; i < 120; ++i) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const at = document.activeElement;
        return at === document.body
          ? null
          : `${at.closest("figure")?.id ?? ""} ${at.tagName} ${at.textContent.trim().slice(0, 20)}`.trim();
      });
      if (name === null) break;
      reached.add(name);
    }
    const figures = await page.evaluate(() =>
      [...document.querySelectorAll("section > .figures > figure")].map((figure) => figure.id),
    );
    for (const figure of figures)
      for (const what of ["BUTTON SVG", "BUTTON CSV", "SUMMARY Data"])
        assert.ok(
          [...reached].some((name) => name.startsWith(`${figure} ${what}`)),
          `${figure} ${what}`,
        );
    assert.ok(reached.has("BUTTON Dark"));
    await page.locator("#density-1 summary").focus();
    await page.keyboard.press("Enter");
    await page.locator("#density-1 details table").waitFor();
    assert.equal(await page.locator("#density-1 details .scroll").getAttribute("tabindex"), "0");
  }));

test("a link from the contents opens the section it leads to", () =>
  visit("ordinary", {}, async (page) => {
    assert.ok(!(await page.getByText("cda fit X.csv").isVisible()));
    await page.locator(".contents a[href='#reproduce']").click();
    await page.getByText("cda fit X.csv").waitFor();
  }));

test("every id is there once", async () => {
  for (const name of ["ordinary", "hostile", "smallest", "largest"])
    await visit(name, {}, async (page) => {
      const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((each) => each.id));
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      );
    });
});

test("a screen reader hears the title and the caption of a chart", () =>
  visit("ordinary", {}, async (page) => {
    const charts = await page.evaluate(() =>
      [...document.querySelectorAll(".chart > svg")].map((chart) => [
        chart.getAttribute("role"),
        document.getElementById(chart.getAttribute("aria-labelledby"))?.tagName,
        document.getElementById(chart.getAttribute("aria-describedby"))?.tagName,
      ]),
    );
    assert.ok(charts.length >= 10);
    for (const chart of charts) assert.deepEqual(chart, ["img", "H3", "FIGCAPTION"]);
  }));

test("pictures of it are kept", async () => {
  for (const [name, options] of Object.entries({
    light: {width: 1440},
    dark: {width: 1440, colorScheme: "dark"},
    phone: {width: 360},
  }))
    await visit("ordinary", options, async (page) => {
      await openAll(page, "details.folded");
      const picture = await page.screenshot({fullPage: true, path: join(screenshots, `${name}.png`)});
      assert.ok(picture.length > 50000);
    });
});
