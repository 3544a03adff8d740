// How the rows of X and those of Y lie in the common space: one panel each on the same axes, a square per bin, as strong as
// the root of its count.
import * as Plot from "@observablehq/plot";
import {Chart, Row, colours, element, isNumber, panels, plot, rows, text, textSize} from "../drawing";

export const bins: Chart = ({data, width}) => {
  const {options} = data;
  const all = rows(data).filter((row) => isNumber(row.x) && isNumber(row.y) && isNumber(row.count));
  const half = {x: size(options.x_width) / 2, y: size(options.y_width) / 2};
  const domain = (axis: "x" | "y") => {
    const values = all.map((row) => row[axis] as number);
    return [Math.min(...values) - half[axis], Math.max(...values) + half[axis]];
  };
  const x = domain("x"),
    y = domain("y");
  const most = Math.max(1, ...all.map((row) => row.count as number));
  const sides = [...new Set(all.map((row) => text(row.side)))];
  const panel =
    (side: string) =>
    (wide: number): SVGElement => {
      const colour = side === "Y" ? colours.y : colours.x;
      const own = all.filter((row) => row.side === side);
      const from = (axis: "x" | "y", sign: number) => (row: Row) => (row[axis] as number) + sign * half[axis];
      const made = plot({
        width: wide,
        height: Math.round(Math.min(400, wide * 0.86)) + 36,
        marginLeft: 52,
        marginRight: 8,
        marginTop: 34,
        marginBottom: 44,
        x: {
          domain: x,
          label: text(options.x_label, "pair 1"),
          labelAnchor: "center",
          labelArrow: "none",
          ticks: 5,
          tickSize: 0,
        },
        y: {
          domain: y,
          label: text(options.y_label, "pair 2"),
          labelAnchor: "center",
          labelArrow: "none",
          ticks: 5,
          tickSize: 0,
        },
        opacity: {type: "identity"},
        marks: [
          Plot.frame({stroke: colours.line}),
          Plot.rect(own, {
            x1: from("x", -1),
            x2: from("x", 1),
            y1: from("y", -1),
            y2: from("y", 1),
            inset: 0.25,
            fill: colour,
            className: `bins-${side}`,
            fillOpacity: (row: Row) => 0.1 + 0.9 * Math.sqrt((row.count as number) / most),
            title: (row: Row) => `${row.count} of ${side}`,
          }),
        ],
      });
      made.append(
        element(
          "text",
          {x: 52, y: 16, fill: colour, "text-anchor": "start", "font-weight": 650, "font-size": textSize + 1},
          side,
        ),
      );
      return made;
    };
  return panels(width, 260, 28, sides.map(panel));
};

const size = (value: unknown): number => (isNumber(value) && value > 0 ? value : 0.1);
