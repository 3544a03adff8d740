// The library is built from web/bundle as it was committed: it must be what the sources make.
import {test} from "node:test";
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, readdirSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";

test("the bundle that was committed is what the sources make", (t) => {
  const web = fileURLToPath(new URL("..", import.meta.url));
  const made = mkdtempSync(join(tmpdir(), "cda-bundle-"));
  t.after(() => rmSync(made, {recursive: true}));
  execFileSync(process.execPath, [join(web, "build.mjs"), made]);
  const differs = (name) => !readFileSync(join(made, name)).equals(readFileSync(join(web, "bundle", name)));
  assert.deepEqual(readdirSync(made).filter(differs), [], "web/bundle is out of date: npm run bundle makes it anew");
});
