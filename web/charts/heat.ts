// A grid of values within -1..1: one colour for each sign, as strong as the value; in figures where there is room.
import * as Plot from "@observablehq/plot";
import {
  Chart,
  Row,
  colours,
  element,
  fitted,
  isNumber,
  lineNames,
  plot,
  roomFor,
  rows,
  text,
  textWidth,
} from "../drawing";
import {withLegend} from "../legend";

// Figures on a cell have the colour that can be read there, on the light page and on the dark one.
const figureColour = (value: number): string => {
  const full = strength(value);
  return full > 0.85 ? "var(--on-strong)" : full > 0.6 ? "var(--on-middle)" : colours.ink;
};
const mostNames = 60;

const strength = (value: number): number => Math.min(1, Math.abs(value)) ** 0.85;
const colourOf = (value: number): string => (value < 0 ? colours.negative : colours.positive);

const twoDecimals = (value: number): string =>
  value
    .toFixed(2)
    .replace(/^-(0\.00)$/, "$1")
    .replace(/^(-?)0\./, "$1.")
    .replace("-", "\u2212");

// The names with the strongest values, in the order they came in; and how many there are in all.
function strongest(values: Row[], key: "row" | "column"): [string[], number] {
  const best = new Map<string, number>();
  for (const row of values) {
    const name = String(row[key] ?? "");
    best.set(name, Math.max(best.get(name) ?? 0, Math.abs(row.value as number)));
  }
  const kept = new Set(
    [...best]
      .sort((a, b) => b[1] - a[1])
      .slice(0, mostNames)
      .map(([name]) => name),
  );
  return [[...best.keys()].filter((name) => kept.has(name)), best.size];
}

const leftOut = (shown: number, all: number, what: string): string =>
  shown < all ? `${what}: the strongest ${shown} of ${all.toLocaleString("en")}` : "";

export const heat: Chart = ({data, width}) => {
  const {options} = data;
  const values = rows(data).filter((row) => isNumber(row.value));
  const [rowNames, allRows] = strongest(values, "row");
  const [columnNames, allColumns] = strongest(values, "column");
  const rowAt = new Map(rowNames.map((name, i) => [name, i])),
    columnAt = new Map(columnNames.map((name, i) => [name, i]));
  const cells: Row[] = values
    .map((row) => ({
      ...row,
      r: rowAt.get(String(row.row ?? "")) ?? null,
      c: columnAt.get(String(row.column ?? "")) ?? null,
    }))
    .filter((row) => row.r !== null && row.c !== null);

  const room = roomFor(rowNames, width, 0.34);
  const comfortable = Math.min(130, Math.max(64, ...columnNames.map((name) => textWidth(name) + 14)));
  const cellWidth = Math.min(comfortable, (width - room - 8) / Math.max(1, columnNames.length));
  const cellHeight = Math.max(18, Math.min(32, cellWidth));
  const wide = Math.round(room + cellWidth * columnNames.length + 8);
  const hasFigures = cellWidth >= 38;

  // Names above narrow columns stand upright where they would overlap; where even that is too narrow, some are left out.
  const upright = cellWidth < 90 && columnNames.some((name) => textWidth(name) > cellWidth - 6);
  const head = upright ? Math.min(160, Math.max(...columnNames.map(textWidth)) + 12) : 28;
  const shownColumns: Row[] = columnNames
    .map((label, c) => ({label, c}))
    .filter((_, c) => c % Math.ceil(15 / cellWidth) === 0);
  const shownRows: Row[] = rowNames.map((label, r) => ({label, r}));
  const top = head + (options.column_label ? 20 : 0);

  const chart = plot({
    width: wide,
    height: top + cellHeight * rowNames.length + 8,
    marginLeft: room,
    marginRight: 8,
    marginTop: top,
    marginBottom: 8,
    x: {type: "band", domain: columnNames.map((_, i) => i), axis: null, padding: 0, round: false},
    y: {type: "band", domain: rowNames.map((_, i) => i), axis: null, padding: 0, round: false},
    marks: [
      Plot.cell(cells, {
        x: "c",
        y: "r",
        inset: cellWidth > 12 ? 1 : 0,
        rx: cellWidth > 20 ? 3 : 0,
        className: "cells",
        fill: (row: Row) => colourOf(row.value as number),
        fillOpacity: (row: Row) => strength(row.value as number),
        title: (row: Row) => `${row.row}, ${row.column}: ${row.value}`,
      }),
      Plot.frame({stroke: colours.line}),
      hasFigures
        ? Plot.text(cells, {
            x: "c",
            y: "r",
            className: "figures-in-cells",
            fontSize: 11.5,
            text: (row: Row) => twoDecimals(row.value as number),
            fill: (row: Row) => figureColour(row.value as number),
          })
        : null,
      Plot.text(shownColumns, {
        x: "c",
        frameAnchor: "top",
        rotate: upright ? -90 : 0,
        textAnchor: upright ? "start" : "middle",
        dy: upright ? -8 : -13,
        fill: colours.ink,
        text: (row: Row) => fitted(String(row.label), upright ? head - 10 : cellWidth - 6),
        title: "label",
      }),
      lineNames(shownRows, "r", (row) => String(row.label), room),
    ],
    color: {type: "identity"},
    opacity: {type: "identity"},
  });
  const place = (label: unknown, x: number, y: number, anchor: string) =>
    element("text", {x, y, "text-anchor": anchor, fill: colours.soft, "font-weight": 600}, text(label));
  if (options.column_label) chart.append(place(options.column_label, room, 12, "start"));
  if (options.row_label) chart.append(place(options.row_label, room - 10, top - 10, "end"));

  const swatch = (value: number) =>
    element("rect", {
      x: -12,
      y: -7,
      width: 24,
      height: 14,
      rx: 3,
      fill: colourOf(value),
      "fill-opacity": strength(value),
      stroke: colours.line,
    });
  return withLegend(chart, width, [
    {sign: [], label: text(options.value_label)},
    ...[-1, -0.5, 0, 0.5, 1].map((value) => ({sign: [swatch(value)], label: String(value).replace("-", "\u2212")})),
    {sign: [], label: leftOut(rowNames.length, allRows, text(options.row_label, "rows"))},
    {sign: [], label: leftOut(columnNames.length, allColumns, text(options.column_label, "columns"))},
  ]);
};
