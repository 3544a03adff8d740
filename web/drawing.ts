// What the charts share: the data of a figure, words for numbers, the look of X and of Y, and panels side by side.
import * as Plot from "@observablehq/plot";

export type Cell = number | string | boolean | null | number[];

// As page.cpp writes it: columns of one length, and how they are to be read.
export interface FigureData {
  columns: Record<string, Cell[]>;
  options: Record<string, unknown>;
}

export interface Drawing {
  data: FigureData;
  width: number; // of the place there is, in pixels
  id: string; // of the figure: names of patterns begin with it
}

export type Chart = (drawing: Drawing) => Element;
export type Row = Record<string, Cell>;

export const colours = {
  x: "var(--x)",
  y: "var(--y)",
  ink: "var(--ink)",
  soft: "var(--soft)",
  line: "var(--line)",
  band: "var(--band)",
  surface: "var(--surface)",
  positive: "var(--positive)",
  negative: "var(--negative)",
};

export const textSize = 12.5;

export const rowCount = ({columns}: FigureData): number =>
  Math.max(0, ...Object.values(columns).map((cells) => cells.length));

export function rows(data: FigureData): Row[] {
  const {columns} = data;
  const names = Object.keys(columns);
  return Array.from({length: rowCount(data)}, (_, i) =>
    Object.fromEntries(names.map((name) => [name, columns[name]?.[i] ?? null])),
  );
}

export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
export const text = (value: unknown, otherwise = ""): string => (isText(value) ? value : otherwise);
export const numbers = (cells: Cell[] | undefined): number[] => (cells ?? []).filter(isNumber);

// Three digits are what a reader takes in; the table and the CSV have all of them.
export function shortNumber(value: unknown): string {
  if (!isNumber(value)) return "";
  const size = Math.abs(value);
  const short =
    size !== 0 && (size < 1e-3 || size >= 1e6)
      ? value.toExponential(1).replace("e+", "e")
      : String(Number(value.toPrecision(3)));
  return short.replace(/-/g, "\u2212");
}

// Without its middle: names that begin alike mostly end differently.
function shortened(name: string, most: number): string {
  const characters = Array.from(name);
  const tail = Math.floor((most - 1) / 3);
  return characters.slice(0, most - 1 - tail).join("") + "\u2026" + (tail > 0 ? characters.slice(-tail).join("") : "");
}

const measure = document.createElement("canvas").getContext("2d");

// In the page's font, at the size of the charts.
export function textWidth(words: string): number {
  if (!measure) return words.length * textSize * 0.6;
  measure.font = `${textSize}px ${getComputedStyle(document.body).fontFamily}`;
  return measure.measureText(words).width;
}

// As much of the name as fits.
export function fitted(name: string, width: number): string {
  if (textWidth(name) <= width) return name;
  let fits = 2,
    tooMany = Array.from(name).length;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (textWidth(shortened(name, middle)) <= width) fits = middle;
    else tooMany = middle;
  }
  return shortened(name, fits);
}

// How much room names need left of a chart: as much as they have letters, and never more than a share of the width.
export function roomFor(names: string[], width: number, share = 0.42): number {
  const widest = Math.max(20, ...names.map(textWidth));
  return Math.round(Math.min(widest + 14, width * share));
}

export function element(
  name: string,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

// Numbers that stand below each other, with equally many decimals where their sizes allow it.
export function alignedNumbers(values: number[]): string[] {
  const short = values.map(shortNumber);
  const decimals = Math.max(0, ...short.map((each) => each.split(".")[1]?.length ?? 0));
  if (short.some((each) => each.includes("e") || each.length + decimals > 8)) return short;
  return values.map((value) => value.toFixed(decimals).replace("-", "\u2212"));
}

// Names of lines on the left. Long ones are cut to the room there is, and whole in the title.
export function lineNames(
  data: Row[],
  key: string,
  label: (row: Row) => string,
  room: number,
  indent?: number,
): Plot.Markish {
  return Plot.text(data, {
    y: key,
    frameAnchor: "left",
    textAnchor: indent === undefined ? "end" : "start",
    dx: indent === undefined ? -10 : indent - room,
    fill: colours.ink,
    text: (row: Row) => fitted(label(row), room - 12 - (indent ?? 0)),
    title: label,
    className: "names",
  });
}

// Slanted lines: Y's filling, where X's is plain.
export function hatching(name: string): Plot.Markish {
  return () =>
    element(
      "defs",
      {},
      element(
        "pattern",
        {id: name, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
        element("line", {x1: 0, y1: 0, x2: 0, y2: 6, stroke: colours.y, "stroke-width": 1.6, "stroke-opacity": 0.55}),
      ),
    );
}

// A plot with what all of them have in common.
export function plot(options: Plot.PlotOptions): SVGElement {
  const style = {fontSize: `${textSize}px`, fontFamily: "inherit", background: "none", color: colours.soft};
  return Plot.plot({className: "plot", ...options, style}) as unknown as SVGElement;
}

export const faintGrid = {stroke: colours.line, strokeOpacity: 1} as const;

// The least and the largest, and a little room on both sides; never empty.
export function paddedDomain(values: number[], share = 0.05): [number, number] {
  if (!values.length) return [0, 1];
  let low = Infinity,
    high = -Infinity;
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const room = high > low ? (high - low) * share : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

// Panels beside each other where there is room, else below each other; one picture in any case.
export function panels(
  width: number,
  narrowest: number,
  gap: number,
  draw: ((width: number) => SVGElement)[],
): SVGElement {
  const across = width >= draw.length * narrowest + (draw.length - 1) * gap;
  const each = across ? Math.floor((width - gap * (draw.length - 1)) / draw.length) : width;
  const whole = element("svg", {class: "plot", width, "font-size": textSize});
  let left = 0,
    top = 0,
    height = 0;
  for (const one of draw) {
    const panel = one(each);
    panel.setAttribute("x", String(left));
    panel.setAttribute("y", String(top));
    const tall = Number(panel.getAttribute("height"));
    height = Math.max(height, top + tall);
    if (across) left += each + gap;
    else top += tall + gap;
    whole.append(panel);
  }
  whole.setAttribute("height", String(height));
  whole.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return whole;
}
