// How strongly each column goes with a pair: bars from 0 within -1..1, with whiskers where there are intervals. X beside Y.
import * as Plot from "@observablehq/plot";
import {
  Chart,
  Drawing,
  Row,
  colours,
  element,
  hatching,
  isNumber,
  lineNames,
  panels,
  plot,
  roomFor,
  rows,
  text,
  textSize,
} from "../drawing";

const mostBars = 40;
const name = (row: Row): string => text(row.column);

export const loadings: Chart = (drawing) => {
  const all = rows(drawing.data).filter((row) => isNumber(row.loading));
  const sides = [...new Set(all.map((row) => text(row.side)))];
  const room = (width: number) => roomFor(all.map(name), width); // one for both, so that their axes are equally long
  return panels(
    drawing.width,
    300,
    36,
    sides.map(
      (side) => (width) =>
        panel(
          drawing,
          side,
          all.filter((row) => row.side === side),
          width,
          room(width),
        ),
    ),
  );
};

function panel({data, id}: Drawing, side: string, all: Row[], width: number, room: number): SVGElement {
  const strength = (row: Row) => Math.abs(row.loading as number);
  const shown = all.length <= mostBars ? all : [...all].sort((a, b) => strength(b) - strength(a)).slice(0, mostBars);
  const bars: Row[] = shown.map((row, i) => ({...row, key: i}));
  const isY = side === "Y";
  const colour = isY ? colours.y : colours.x;
  const hatch = `${id}-hatch-${isY ? "y" : "x"}`;
  const whiskers = bars.filter((row) => isNumber(row.low) && isNumber(row.high));
  const title = text(isY ? data.options.y_label : data.options.x_label, side);
  const made = plot({
    width,
    height: 62 + bars.length * 24,
    marginLeft: room,
    marginRight: 16,
    marginTop: 34,
    marginBottom: 28,
    x: {
      domain: [-1, 1],
      label: null,
      ticks: width < 420 ? 3 : 5,
      tickSize: 0,
      tickFormat: (d: number) => String(d).replace("-", "\u2212"),
    },
    y: {type: "band", domain: bars.map((_, i) => i), axis: null, padding: 0.34},
    marks: [
      isY ? hatching(hatch) : null,
      Plot.gridX({stroke: colours.line, strokeOpacity: 1, ticks: width < 420 ? 3 : 5}),
      Plot.barX(bars, {
        y: "key",
        x1: 0,
        x2: "loading",
        fill: isY ? `url(#${hatch})` : colour,
        fillOpacity: isY ? 1 : 0.5,
        stroke: colour,
        strokeWidth: 1,
        strokeDasharray: isY ? "3 2" : undefined,
        className: `bars-${side}`,
        title: (row: Row) => `${name(row)}: ${row.loading}`,
      }),
      Plot.ruleX([0], {stroke: colours.soft}),
      Plot.link(whiskers, {
        y: "key",
        x1: "low",
        x2: "high",
        stroke: colours.ink,
        strokeWidth: 1.25,
        className: `whiskers-${side}`,
      }),
      lineNames(bars, "key", name, room),
    ],
  });
  const note =
    shown.length < all.length ? `, the ${shown.length} strongest of ${all.length.toLocaleString("en")} columns` : "";
  made.append(
    element(
      "text",
      {x: 2, y: 14, fill: colour, "text-anchor": "start", "font-weight": 650, "font-size": textSize + 1},
      title + note,
    ),
  );
  return made;
}
