// Two densities over one axis. X: solid line, plain filling. Y: dashed line, hatched. Each named where it is far from the other.
import * as Plot from "@observablehq/plot";
import {Chart, Row, colours, fitted, hatching, isNumber, plot, rows, text, textSize} from "../drawing";

const margin = 14;

export const densities: Chart = ({data, width, id}) => {
  const points = rows(data).filter((row) => isNumber(row.value));
  const hatch = `${id}-hatch`;
  const names = {x: text(data.options.x_label, "X"), y: text(data.options.y_label, "Y")};
  const narrow = width < 520;
  const at = labelPlaces(points);
  const height = Math.round(Math.max(220, Math.min(420, width * 0.46)));
  const [first, last] = extent(points);
  const isXLeft = ((at.x?.value as number) ?? 0) <= ((at.y?.value as number) ?? 0);

  // Each name on its own side of the two, cut to the room that is left there.
  const label = (side: "x" | "y", isLeft: boolean) => {
    const row = at[side];
    if (!row) return null;
    const place = margin + (((row.value as number) - first) / (last - first || 1)) * (width - 2 * margin);
    const room = (isLeft ? place : width - place) - 14;
    return Plot.text([row], {
      x: "value",
      y: side,
      text: [fitted(names[side], Math.max(40, room / 1.2))],
      title: [names[side]],
      fill: colours[side],
      fontWeight: 650,
      fontSize: textSize + 1.5,
      textAnchor: isLeft ? "end" : "start",
      dx: isLeft ? -9 : 9,
      dy: -9,
      stroke: colours.surface,
      strokeWidth: 4,
      className: `name-${side}`,
    });
  };
  return plot({
    width,
    height,
    marginLeft: margin,
    marginRight: margin,
    marginTop: 26,
    marginBottom: 44,
    x: {
      label: text(data.options.value_label, "value"),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: narrow ? 5 : 9,
      tickSize: 4,
    },
    y: {axis: null, domain: [0, highest(points) * 1.06], nice: false},
    marks: [
      hatching(hatch),
      Plot.areaY(points, {x: "value", y1: 0, y2: "x", fill: colours.x, fillOpacity: 0.16, className: "area-x"}),
      Plot.areaY(points, {x: "value", y1: 0, y2: "y", fill: `url(#${hatch})`, className: "area-y"}),
      Plot.ruleY([0], {stroke: colours.soft, strokeOpacity: 0.5}),
      Plot.lineY(points, {x: "value", y: "x", stroke: colours.x, strokeWidth: 2.25, className: "line-x"}),
      Plot.lineY(points, {
        x: "value",
        y: "y",
        stroke: colours.y,
        strokeWidth: 2.25,
        strokeDasharray: "7 4",
        className: "line-y",
      }),
      label("x", isXLeft),
      label("y", !isXLeft),
    ],
  });
};

function extent(points: Row[]): [number, number] {
  const values = points.map((row) => row.value as number);
  return [Math.min(...values), Math.max(...values)];
}

function highest(points: Row[]): number {
  return Math.max(1e-12, ...points.flatMap((row) => [row.x, row.y].filter(isNumber)));
}

// Where each curve stands out most from the other, and is high enough to be seen.
function labelPlaces(points: Row[]): {x?: Row; y?: Row} {
  const best = (side: "x" | "y", other: "x" | "y") => {
    let found: Row | undefined,
      most = -Infinity;
    for (const row of points) {
      const own = isNumber(row[side]) ? row[side] : 0,
        rival = isNumber(row[other]) ? row[other] : 0;
      const worth = own - rival + 0.25 * own;
      if (worth > most) [most, found] = [worth, row];
    }
    return found;
  };
  return {x: best("x", "y"), y: best("y", "x")};
}
