// One value per line with what it is to be held against: a band that belongs to the reference (what chance gives), or an
// error bar of the value itself.
import * as Plot from "@observablehq/plot";
import {
  Chart,
  Row,
  alignedNumbers,
  colours,
  element,
  faintGrid,
  fitted,
  isNumber,
  isText,
  lineNames,
  numbers,
  paddedDomain,
  plot,
  roomFor,
  rows,
  text,
  textSize,
  textWidth,
} from "../drawing";
import {LegendItem, lineSign, withLegend} from "../legend";

const lineHeight = 30;

export const intervals: Chart = ({data, width}) => {
  const {options, columns} = data;
  const isNullBand = options.band !== "error";
  const domain = paddedDomain(["value", "low", "high", "reference"].flatMap((name) => numbers(columns[name])));

  // A group begins with a line that holds its name.
  const lines: Row[] = [];
  let group = "";
  for (const row of rows(data)) {
    if (isText(row.group) && row.group !== group) {
      group = row.group;
      lines.push({heading: group, key: lines.length});
    }
    lines.push({...row, heading: null, key: lines.length});
  }
  const values = lines.filter((row) => row.heading === null);
  const headings = lines.filter((row) => row.heading !== null);
  const name = (row: Row) => String(row.label ?? "");
  const indent = headings.length ? 14 : undefined;
  const room = roomFor(values.map(name), width) + (indent ?? 0);
  const bands = values.filter((row) => isNumber(row.low) && isNumber(row.high));
  const references = values.filter((row) => isNumber(row.reference));
  const points = values.filter((row) => isNumber(row.value));

  const figures = alignedNumbers(points.map((row) => row.value as number));
  const right = 18 + Math.max(24, ...figures.map(textWidth));
  const ticks = Math.max(2, Math.min(7, Math.floor((width - room - right) / 62)));
  const chart = plot({
    width,
    height: lines.length * lineHeight + 52,
    marginLeft: room,
    marginRight: right,
    marginTop: 6,
    marginBottom: 46,
    x: {
      domain,
      label: text(options.value_label, "value"),
      labelAnchor: "center",
      labelArrow: "none",
      tickSize: 0,
      ticks,
    },
    y: {type: "band", domain: lines.map((row) => row.key as number), axis: null, padding: 0.36},
    marks: [
      Plot.gridX({...faintGrid, ticks}),
      isNullBand
        ? Plot.barX(bands, {y: "key", x1: "low", x2: "high", fill: colours.band, rx: 3, className: "band"})
        : Plot.link(bands, {y: "key", x1: "low", x2: "high", stroke: colours.x, strokeWidth: 2, className: "band"}),
      Plot.tickX(references, {
        y: "key",
        x: "reference",
        stroke: colours.soft,
        strokeWidth: 1.75,
        className: "reference",
      }),
      Plot.dot(points, {
        y: "key",
        x: "value",
        r: 5.2,
        fill: colours.x,
        stroke: colours.surface,
        strokeWidth: 1.5,
        className: "values",
        title: (row: Row) => `${name(row)}: ${row.value}`,
      }),
      Plot.text(points, {
        y: "key",
        frameAnchor: "right",
        textAnchor: "start",
        dx: 10,
        fill: colours.ink,
        text: figures,
      }),
      Plot.text(headings, {
        y: "key",
        frameAnchor: "left",
        textAnchor: "start",
        dx: -room + 2,
        fill: colours.ink,
        fontWeight: 650,
        fontSize: textSize + 0.5,
        text: (row: Row) => fitted(String(row.heading), width - 8),
      }),
      lineNames(values, "key", name, room, indent),
    ],
  });

  const legend: LegendItem[] = [{sign: [element("circle", {r: 5, fill: colours.x})], label: text(options.value_label)}];
  if (bands.length)
    legend.push({
      sign: [
        isNullBand
          ? element("rect", {x: -12, y: -6, width: 24, height: 12, rx: 3, fill: colours.band})
          : lineSign({stroke: colours.x}),
      ],
      label: text(options.band_label),
    });
  if (references.length)
    legend.push({
      sign: [element("line", {y1: -7, y2: 7, stroke: colours.soft, "stroke-width": 1.75})],
      label: text(options.reference_label),
    });
  return legend.length > 1 ? withLegend(chart, width, legend) : chart;
};
