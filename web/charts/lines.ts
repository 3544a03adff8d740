// Several courses over one axis. With an emphasis one of them is strong and the others are its background; without, each has
// its own dash and marker, so that colour is not needed to tell them apart.
import * as Plot from "@observablehq/plot";
import {Chart, Row, colours, element, faintGrid, isNumber, plot, rows, text} from "../drawing";
import {LegendItem, lineSign, withLegend} from "../legend";

const looks = [
  {colour: colours.x, dash: "", symbol: "circle"}, {colour: colours.y, dash: "7 4", symbol: "square"},
  {colour: colours.positive, dash: "2 3", symbol: "triangle"}, {colour: colours.ink, dash: "10 3 2 3", symbol: "diamond"},
  {colour: colours.negative, dash: "4 2", symbol: "cross"}, {colour: colours.soft, dash: "1 4", symbol: "star"},
] as const;

export const lines: Chart = ({data, width}) => {
  const {options} = data;
  const isLog = options.log_y === true;
  const points = rows(data).filter((row) => isNumber(row.x) && isNumber(row.y) && !(isLog && row.y <= 0));
  const names = [...new Set(points.map((row) => String(row.series ?? "")))];
  const emphasis = names.includes(text(options.emphasis)) ? text(options.emphasis) : null;
  const look = (name: string) => looks[names.indexOf(name) % looks.length]!;
  const banded = points.filter((row) => isNumber(row.low) && isNumber(row.high) && !(isLog && row.low <= 0));
  const isFew = new Set(points.map((row) => row.x)).size <= 40;

  const ticks = isLog ? powersOfTen(points.map((row) => row.y as number)) : 5;
  const marks: Plot.Markish[] = [Plot.gridY({...faintGrid, ticks})];
  for (const name of names.filter((each) => each !== emphasis)) {
    const own = points.filter((row) => row.series === name);
    const {colour, dash, symbol} = look(name);
    if (emphasis !== null) {
      marks.push(Plot.line(own, {x: "x", y: "y", stroke: colours.soft, strokeOpacity: 0.4, strokeWidth: 1, className: "background"}));
    } else {
      marks.push(Plot.areaY(banded.filter((row) => row.series === name), {x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.12}));
      marks.push(Plot.line(own, {x: "x", y: "y", stroke: colour, strokeWidth: 2, strokeDasharray: dash || undefined, className: "course", title: () => name}));
      if (isFew) marks.push(Plot.dot(own, {x: "x", y: "y", symbol, r: 4, fill: colours.surface, stroke: colour, strokeWidth: 1.75, title: describe}));
    }
  }
  if (emphasis !== null) {
    const own = points.filter((row) => row.series === emphasis);
    marks.push(Plot.areaY(banded.filter((row) => row.series === emphasis), {x: "x", y1: "low", y2: "high", fill: colours.x, fillOpacity: 0.14}));
    marks.push(Plot.line(own, {x: "x", y: "y", stroke: colours.x, strokeWidth: 2.5, className: "emphasis", title: () => emphasis}));
    marks.push(Plot.dot(own.slice(-1), {x: "x", y: "y", r: 4, fill: colours.x}));
  }
  const chart = plot({
    width, height: Math.round(Math.max(220, Math.min(340, width * 0.42))), marginLeft: 62, marginRight: 16, marginTop: 12, marginBottom: 46,
    x: {label: text(options.x_label), labelAnchor: "center", labelArrow: "none", ticks: width < 460 ? 4 : 8, tickSize: 4, nice: false},
    y: {label: text(options.y_label), labelAnchor: "center", labelArrow: "none", type: isLog ? "log" : "linear", ticks, tickSize: 0, nice: true,
        ...(isLog ? {tickFormat: "~g"} : {})},
    marks,
  });

  const legend: LegendItem[] = [];
  if (emphasis !== null) {
    legend.push({sign: [lineSign({stroke: colours.x, "stroke-width": 2.5}), element("circle", {cx: 12, r: 3.5, fill: colours.x})], label: emphasis});
    if (names.length > 1) legend.push({sign: [lineSign({stroke: colours.soft, "stroke-opacity": 0.6, "stroke-width": 1})], label: others(names.length - 1)});
  } else if (options.legend !== false && names.length > 1) {
    for (const name of names) {
      const {colour, dash, symbol} = look(name);
      const sign = [lineSign({stroke: colour, "stroke-dasharray": dash || "none"})];
      if (isFew) sign.push(symbolSign(symbol, colour));
      legend.push({sign, label: name});
    }
  }
  return legend.length ? withLegend(chart, width, legend) : chart;
};

const others = (count: number): string => (count === 1 ? "the other one" : `the ${count} others`);

// Enough for an axis, and where there are too few of them 2 and 5 times each.
function powersOfTen(values: number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values))), high = Math.ceil(Math.log10(Math.max(...values)));
  const step = Math.max(1, Math.ceil((high - low) / 6));
  const made: number[] = [];
  for (let power = low; power <= high; power += step)
    for (const factor of high - low > 2 ? [1] : [1, 2, 5]) made.push(Number(`${factor}e${power}`));
  return made;
}

const describe = (row: Row): string => `${row.series}: ${row.x}, ${row.y}`;

function symbolSign(symbol: Plot.SymbolType, colour: string): SVGElement {
  const dot = plot({width: 20, height: 20, margin: 0, axis: null, marks: [Plot.dot([0], {frameAnchor: "middle", symbol, r: 4, fill: colours.surface, stroke: colour, strokeWidth: 1.75})]});
  dot.setAttribute("x", "-10");
  dot.setAttribute("y", "-10");
  return dot;
}
