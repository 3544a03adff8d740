// Pictures of two figures of the demonstration's report, for the README: node pictures.mjs REPORT FOLDER
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {launch} from "./chromium.mjs";

const [report, folder] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({viewport: {width: 900, height: 900}, deviceScaleFactor: 1.5});
await page.goto(pathToFileURL(resolve(report)).href);
await page.waitForSelector("html[data-drawn=all]");
for (const [figure, name] of [
  ["density-3", "densities"],
  ["relation-map", "relations"],
])
  await page.locator(`#${figure} .chart`).screenshot({path: join(folder, `${name}.png`)});
await browser.close();
