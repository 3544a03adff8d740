// Several courses over one axis. Each has its own dash and marker, so that colour is not needed to tell them apart; or, where
// they need not be told apart, one is strong (the emphasis) and the others are its background, or they only have a side.
import * as Plot from "@observablehq/plot";
import {
  Chart,
  Row,
  colours,
  element,
  faintGrid,
  fitted,
  isNumber,
  isText,
  plot,
  rows,
  text,
  textWidth,
} from "../drawing";
import {LegendItem, lineSign, withLegend} from "../legend";

interface Look {
  colour: string;
  dash: string;
  symbol: Plot.SymbolType;
  opacity: number;
}

// After six the colours come back, with another dash and another marker.
const hues = [colours.x, colours.y, colours.positive, colours.ink, colours.negative, colours.soft];
const dashes = ["", "7 4", "2 3", "10 3 2 3", "4 2", "1 4"];
const symbols: Plot.SymbolType[] = ["circle", "square", "triangle", "diamond", "cross", "star"];
function lookOf(i: number): Look {
  const round = Math.floor(i / hues.length);
  const at = <T>(list: T[], k: number): T => list[k % list.length]!;
  return {colour: at(hues, i), dash: at(dashes, i + round), symbol: at(symbols, i + 2 * round), opacity: 1};
}

export const lines: Chart = ({data, width}) => {
  const {options} = data;
  const isLog = options.log_y === true;
  const points = rows(data).filter((row) => isNumber(row.x) && isNumber(row.y) && !(isLog && row.y <= 0));
  const names = [...new Set(points.map((row) => String(row.series ?? "")))];
  const emphasis = names.includes(text(options.emphasis)) ? text(options.emphasis) : null;
  // Told apart by a legend, or a crowd with one of them in front.
  const isTold = options.legend === true || (options.legend !== false && emphasis === null);
  const hasMarkers = isTold && new Set(points.map((row) => row.x)).size <= 40;
  const sides = new Map(points.map((row) => [String(row.series ?? ""), text(row.side)]));
  const hasSides = !isTold && points.some((row) => isText(row.side));
  const reference = names.includes(text(options.reference)) ? text(options.reference) : null;
  const look = (name: string) =>
    isTold
      ? name === reference
        ? {colour: colours.soft, dash: "2 4", symbol: "circle" as const, opacity: 1}
        : lookOf(names.indexOf(name))
      : hasSides
        ? sideLook(sides.get(name) ?? "")
        : crowd(name === emphasis || emphasis === null);
  const thickness = (name: string) => (name === emphasis ? 3 : isTold ? 1.9 : hasSides ? 1.4 : 1.1);

  // Between whole numbers there is nothing to mark.
  const xs = points.map((row) => row.x as number);
  const xTicks = Math.min(
    width < 460 ? 4 : 8,
    xs.every(Number.isInteger) ? Math.max(...xs) - Math.min(...xs) : Infinity,
  );
  const ticks = isLog ? powersOfTen(points.map((row) => row.y as number)) : 5;
  const marks: Plot.Markish[] = [Plot.gridY({...faintGrid, ticks})];
  for (const name of [...names].sort((a, b) => Number(a === emphasis) - Number(b === emphasis))) {
    const own = points.filter((row) => String(row.series ?? "") === name);
    const banded = own.filter((row) => isNumber(row.low) && isNumber(row.high) && !(isLog && row.low <= 0));
    const {colour, dash, symbol, opacity} = look(name);
    // Bands of many lie on each other and hide what they belong to.
    if (banded.length && (name === emphasis || names.length <= 4))
      marks.push(Plot.areaY(banded, {x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.12}));
    marks.push(
      Plot.line(own, {
        x: "x",
        y: "y",
        stroke: colour,
        strokeWidth: thickness(name),
        strokeOpacity: opacity,
        strokeDasharray: dash || undefined,
        className: name === emphasis ? "emphasis" : "course",
        title: () => name,
      }),
    );
    if (hasMarkers && name !== reference)
      marks.push(
        Plot.dot(own, {
          x: "x",
          y: "y",
          symbol,
          r: 4,
          fill: colours.surface,
          stroke: colour,
          strokeWidth: 1.75,
          title: describe,
        }),
      );
    else if (name === emphasis) marks.push(Plot.dot(own.slice(-1), {x: "x", y: "y", r: 4.2, fill: colour}));
  }
  // Where there is room, names stand at the ends of their lines, and no legend is needed.
  const endRoom = Math.min(180, Math.max(0, ...names.map(textWidth)));
  const hasEndNames = isTold && names.length > 1 && width >= 620;
  const chart = plot({
    width,
    height: Math.round(Math.max(220, Math.min(isTold && names.length > 6 ? 400 : 340, width * 0.42))),
    marginLeft: 62,
    marginRight: hasEndNames ? 18 + endRoom : 16,
    marginTop: 12,
    marginBottom: 46,
    x: {
      label: text(options.x_label),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: xTicks,
      tickSize: 4,
      nice: false,
    },
    y: {
      label: text(options.y_label),
      labelAnchor: "center",
      labelArrow: "none",
      type: isLog ? "log" : "linear",
      ticks,
      tickSize: 0,
      nice: true,
      ...(isLog ? {tickFormat: "~g"} : {}),
    },
    marks,
  });

  if (hasEndNames) chart.append(...endNames(chart, points, names, endRoom, width - endRoom - 8));

  const legend: LegendItem[] = [];
  for (const name of names.filter((each) => names.length > 1 && !hasEndNames && (isTold || each === emphasis))) {
    const {colour, dash, symbol} = look(name);
    const sign = [lineSign({stroke: colour, "stroke-dasharray": dash || "none", "stroke-width": thickness(name)})];
    if (hasMarkers && name !== reference) sign.push(symbolSign(symbol, colour));
    legend.push({sign, label: name});
  }
  for (const side of hasSides ? new Set(sides.values()) : []) {
    const {colour, dash} = sideLook(side);
    legend.push({sign: [lineSign({stroke: colour, "stroke-dasharray": dash || "none"})], label: side});
  }
  if (!isTold && emphasis !== null && names.length > 1)
    legend.push({
      sign: [lineSign({stroke: colours.soft, "stroke-opacity": 0.6, "stroke-width": 1})],
      label: others(names.length - 1),
    });
  return legend.length ? withLegend(chart, width, legend) : chart;
};

const crowd = (isFront: boolean): Look => ({
  colour: isFront ? colours.x : colours.soft,
  dash: "",
  symbol: "circle",
  opacity: isFront ? 0.85 : 0.45,
});

const sideLook = (side: string): Look => ({...lookOf(side === "Y" ? 1 : 0), opacity: 0.75});

const others = (count: number): string => (count === 1 ? "the other one" : `the ${count} others`);

// Enough for an axis, and where there are too few of them 2 and 5 times each.
function powersOfTen(values: number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values))),
    high = Math.ceil(Math.log10(Math.max(...values)));
  const step = Math.max(1, Math.ceil((high - low) / 6));
  const made: number[] = [];
  for (let power = low; power <= high; power += step)
    for (const factor of high - low > 2 ? [1] : [1, 2, 5]) made.push(Number(`${factor}e${power}`));
  return made;
}

// Each name as high as its line ends, or as near as the others leave room.
function endNames(chart: SVGElement, points: Row[], names: string[], room: number, left: number): SVGElement[] {
  const {scale} = chart as unknown as {scale: (name: string) => {apply: (value: number) => number}};
  const lineHeight = 15;
  const placed = names
    .map((name) => ({name, last: points.filter((row) => String(row.series ?? "") === name).pop()}))
    .flatMap(({name, last}) =>
      last ? [{name, end: scale("y").apply(last.y as number), x: scale("x").apply(last.x as number), y: 0}] : [],
    )
    .sort((a, b) => a.end - b.end);
  placed.forEach((each, i) => (each.y = Math.max(each.end, i > 0 ? placed[i - 1]!.y + lineHeight : 10)));
  let lowest = Number(chart.getAttribute("height")) - 44;
  for (const each of [...placed].reverse()) {
    each.y = Math.min(each.y, lowest);
    lowest = each.y - lineHeight;
  }
  return placed.flatMap(({name, end, x, y}) => [
    element("line", {x1: x + 6, y1: end, x2: left - 3, y2: y, stroke: colours.line}),
    element(
      "text",
      {x: left, y, dy: "0.34em", fill: colours.ink, "text-anchor": "start", class: "end-name"},
      element("title", {}, name),
      fitted(name, room),
    ),
  ]);
}

const describe = (row: Row): string => `${row.series}: ${row.x}, ${row.y}`;

function symbolSign(symbol: Plot.SymbolType, colour: string): SVGElement {
  const dot = plot({
    width: 20,
    height: 20,
    margin: 0,
    axis: null,
    marks: [
      Plot.dot([0], {frameAnchor: "middle", symbol, r: 4, fill: colours.surface, stroke: colour, strokeWidth: 1.75}),
    ],
  });
  dot.setAttribute("x", "-10");
  dot.setAttribute("y", "-10");
  return dot;
}
