// The columns of a table, one line each, with a small histogram of its values.
import {Chart, Row, colours, element, rows, shortNumber, text} from "../drawing";
import {make} from "../make";

const mostLines = 500;
const figures: [string, string][] = [
  ["missing", "missing"],
  ["distinct", "distinct"],
  ["lowest", "lowest"],
  ["median", "median"],
  ["mean", "mean"],
  ["highest", "highest"],
  ["sd", "sd"],
];

export const columns: Chart = ({data, id}) => {
  const all = rows(data);
  const present = figures.filter(([name]) => name in data.columns);
  const hasNotes = (data.columns.note ?? []).some((note) => text(note) !== "");
  const head = make(
    "tr",
    {},
    make("th", {scope: "col"}, "column"),
    make("th", {scope: "col"}, "values"),
    ...(hasNotes ? [make("th", {scope: "col"}, "note")] : []),
    ...present.map(([, label]) => make("th", {scope: "col", class: "number"}, label)),
  );
  const body = make(
    "tbody",
    {},
    ...all
      .slice(0, mostLines)
      .map((row) =>
        make(
          "tr",
          {},
          make("th", {scope: "row"}, make("bdi", {}, text(row.column))),
          make("td", {class: "shape"}, histogram(row)),
          ...(hasNotes ? [make("td", {class: "said"}, text(row.note))] : []),
          ...present.map(([name]) => make("td", {class: "number"}, whole(row, name))),
        ),
      ),
  );
  const box = make(
    "div",
    {class: "scroll tall", tabindex: "0", role: "group", "aria-labelledby": `${id}-title`},
    make("table", {class: "columns"}, make("thead", {}, head), body),
  );
  return all.length <= mostLines
    ? box
    : make(
        "div",
        {},
        box,
        make(
          "p",
          {class: "note"},
          `The first ${mostLines} of ${all.length.toLocaleString("en")} columns; the CSV has all of them.`,
        ),
      );
};

const whole = (row: Row, name: string): string =>
  (name === "missing" || name === "distinct") && typeof row[name] === "number"
    ? row[name].toLocaleString("en")
    : shortNumber(row[name]);

function histogram(row: Row): Node {
  const counts = Array.isArray(row.histogram) ? row.histogram : [];
  const most = Math.max(0, ...counts);
  if (most === 0) return document.createTextNode("");
  const wide = 7,
    tall = 24;
  return element(
    "svg",
    {
      class: "histogram",
      width: counts.length * wide,
      height: tall + 1,
      viewBox: `0 0 ${counts.length * wide} ${tall + 1}`,
      "aria-hidden": "true",
    },
    element("line", {x1: 0, x2: counts.length * wide, y1: tall + 0.5, y2: tall + 0.5, stroke: colours.band}),
    ...counts.map((count, i) => {
      // A bin that holds anything can be seen.
      const high = count > 0 ? Math.max(1.5, (count / most) * tall) : 0;
      return element("rect", {x: i * wide + 0.5, y: tall - high, width: wide - 1, height: high, fill: colours.soft});
    }),
  );
}
