// Two densities over one axis. X: solid line, plain filling. Y: dashed line, hatched. Each named where it is far from the other.
import * as Plot from "@observablehq/plot";
import {Chart, Row, baseStyle, colours, hatching, isNumber, plot, rows, text, textSize} from "../drawing";

export const densities: Chart = ({data, width, id}) => {
  const points = rows(data).filter((row) => isNumber(row.value));
  const hatch = `${id}-hatch`;
  const names = {x: text(data.options.x_label, "X"), y: text(data.options.y_label, "Y")};
  const narrow = width < 520;
  const at = labelPlaces(points);
  const height = Math.round(Math.max(220, Math.min(420, width * 0.46)));
  const label = (side: "x" | "y", other: "x" | "y") => {
    const row = at[side];
    if (!row) return null;
    const left = isNumber(at[other]?.value) && isNumber(row.value) && row.value < (at[other]?.value as number);
    return Plot.text([row], {
      x: "value", y: side, text: [names[side]], fill: colours[side], fontWeight: 650, fontSize: textSize + 1.5,
      textAnchor: left ? "end" : "start", dx: left ? -9 : 9, dy: -9,
      stroke: colours.surface, strokeWidth: 4, className: `name-${side}`,
    });
  };
  return plot({
    width, height, marginLeft: 14, marginRight: 14, marginTop: 26, marginBottom: 44, style: baseStyle,
    x: {label: text(data.options.value_label, "value"), labelAnchor: "center", labelArrow: "none", ticks: narrow ? 5 : 9, tickSize: 4},
    y: {axis: null, domain: [0, highest(points) * 1.06], nice: false},
    marks: [
      hatching(hatch),
      Plot.areaY(points, {x: "value", y1: 0, y2: "x", fill: colours.x, fillOpacity: 0.16, className: "area-x"}),
      Plot.areaY(points, {x: "value", y1: 0, y2: "y", fill: `url(#${hatch})`, className: "area-y"}),
      Plot.ruleY([0], {stroke: colours.soft, strokeOpacity: 0.5}),
      Plot.lineY(points, {x: "value", y: "x", stroke: colours.x, strokeWidth: 2.25, className: "line-x"}),
      Plot.lineY(points, {x: "value", y: "y", stroke: colours.y, strokeWidth: 2.25, strokeDasharray: "7 4", className: "line-y"}),
      label("x", "y"),
      label("y", "x"),
    ],
  });
};

function highest(points: Row[]): number {
  return Math.max(1e-12, ...points.flatMap((row) => [row.x, row.y].filter(isNumber)));
}

// Where each curve stands out most from the other, and is high enough to be seen.
function labelPlaces(points: Row[]): {x?: Row; y?: Row} {
  const best = (side: "x" | "y", other: "x" | "y") => {
    let found: Row | undefined, most = -Infinity;
    for (const row of points) {
      const own = isNumber(row[side]) ? row[side] : 0, rival = isNumber(row[other]) ? row[other] : 0;
      const worth = own - rival + 0.25 * own;
      if (worth > most) [most, found] = [worth, row];
    }
    return found;
  };
  return {x: best("x", "y"), y: best("y", "x")};
}
