// Bundles page.ts and style.css and writes them, with the licences of what was bundled, into a folder.
//
//   npm run bundle           into bundle/, which is committed: building the library takes no Node
//   node build.mjs FOLDER
//
// Same sources and same package-lock.json, same bytes.
import {build} from "esbuild";
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
if (!folder) {
  console.error("usage: node build.mjs FOLDER");
  process.exit(2);
}

// Plot puts a <style> element into every chart. The page allows no style but its own, which holds these rules (.chart svg).
const withoutPlotStyle = {
  name: "without-plot-style",
  setup(builder) {
    builder.onLoad({filter: /@observablehq[\\/]plot[\\/]src[\\/]plot\.js$/}, ({path}) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace(
        /\.call\(\(svg\) =>\s*(?:\/\/[^\n]*\s*)?svg\.append\("style"\)\.text\(\s*`[^`]*`\s*\)\s*\)/,
        "",
      );
      if (contents === source) throw new Error("Plot no longer adds its style where it did: see withoutPlotStyle");
      return {contents};
    });
  },
};

async function bundle(entry) {
  const {outputFiles, metafile} = await build({
    absWorkingDir: web,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "iife",
    target: ["es2020"],
    charset: "ascii",
    legalComments: "none",
    plugins: [withoutPlotStyle],
    logLevel: "warning",
  });
  return {text: outputFiles[0].text.trimEnd(), inputs: metafile.outputs[Object.keys(metafile.outputs)[0]].inputs};
}

// The packages that left bytes in the bundle, grouped by the words of their licence: the copyright lines, then the words.
function notices(inputs) {
  const folders = new Set();
  for (const [path, {bytesInOutput}] of Object.entries(inputs)) {
    const found = /^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
    if (found && bytesInOutput > 0) folders.add(found[1]);
  }
  const byWords = new Map();
  for (const folder of [...folders].sort()) {
    const {name, version} = JSON.parse(readFileSync(join(web, folder, "package.json"), "utf8"));
    const file = readdirSync(join(web, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no file with its licence`);
    const lines = readFileSync(join(web, folder, file), "utf8")
      .trim()
      .split(/\r?\n/);
    const copyright = lines.filter((line) => /^copyright/i.test(line)).join(" ");
    const words = lines
      .filter((line) => !/^copyright/i.test(line))
      .join("\n")
      .trim();
    byWords.set(words, [...(byWords.get(words) ?? []), `${name} ${version}. ${copyright}`]);
  }
  return [...byWords].map(([words, packages]) => `${packages.join("\n")}\n\n${words}`).join("\n\n\n");
}

const script = await bundle("page.ts");
const style = await bundle("style.css");
const licences = notices(script.inputs);
// What ends an inline element early must not stand in it.
if (/<\/script|<!--|<script/i.test(script.text)) throw new Error("the script holds what would end its element");
if (/<\//.test(style.text)) throw new Error("the style holds what would end its element");
mkdirSync(folder, {recursive: true});
writeFileSync(join(folder, "script.js"), script.text);
writeFileSync(join(folder, "style.css"), style.text);
writeFileSync(join(folder, "notices.txt"), licences);
