// Quantiles of X against quantiles of Y: on the diagonal where both are distributed alike. Both axes have one scale.
import * as Plot from "@observablehq/plot";
import {
  Chart,
  Row,
  colours,
  faintGrid,
  isNumber,
  numbers,
  paddedDomain,
  plot,
  rows,
  shortNumber,
  text,
} from "../drawing";

export const qq: Chart = ({data, width}) => {
  const points = rows(data).filter((row) => isNumber(row.x) && isNumber(row.y));
  const domain = paddedDomain([...numbers(data.columns.x), ...numbers(data.columns.y)]);
  const side = Math.min(width, 460);
  const margin = {marginLeft: 58, marginRight: 10, marginTop: 10, marginBottom: 46};
  return plot({
    width: side,
    height: side - margin.marginLeft - margin.marginRight + margin.marginTop + margin.marginBottom,
    ...margin,
    x: {
      domain,
      label: text(data.options.x_label, "quantile of X"),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: 5,
      tickSize: 0,
    },
    y: {
      domain,
      label: text(data.options.y_label, "quantile of Y"),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: 5,
      tickSize: 0,
    },
    marks: [
      Plot.gridX({...faintGrid, ticks: 5}),
      Plot.gridY({...faintGrid, ticks: 5}),
      Plot.link([domain], {
        x1: "0",
        y1: "0",
        x2: "1",
        y2: "1",
        stroke: colours.soft,
        strokeDasharray: "4 4",
        strokeWidth: 1.25,
        className: "diagonal",
      }),
      Plot.line(points, {x: "x", y: "y", stroke: colours.x, strokeOpacity: 0.45, strokeWidth: 1.5}),
      Plot.dot(points, {
        x: "x",
        y: "y",
        r: points.length > 60 ? 2.4 : 3.6,
        fill: colours.surface,
        stroke: colours.x,
        strokeWidth: 1.6,
        className: "quantiles",
        title: (row: Row) =>
          `${isNumber(row.level) ? `level ${shortNumber(row.level)}: ` : ""}${shortNumber(row.x)}, ${shortNumber(row.y)}`,
      }),
    ],
  });
};
