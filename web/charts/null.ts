// What chance gives, as twenty dots: each stands for a twentieth of the unrelated tables. The observed value is a line through
// them. Dots can be counted, which is how a p of 0.05 is best understood (Kay et al. 2016, quantile dot plots).
import * as Plot from "@observablehq/plot";
import {Chart, colours, isNumber, paddedDomain, plot, rows, shortNumber, text, textSize, textWidth} from "../drawing";

const dots = 20;
const margin = 16;

export const nullDots: Chart = ({data, width}) => {
  const {options} = data;
  const points = rows(data)
    .filter((row) => isNumber(row.level) && isNumber(row.value))
    .map((row) => ({level: row.level as number, value: row.value as number}))
    .sort((a, b) => a.level - b.level);
  const observed = isNumber(options.observed) ? options.observed : null;
  const domain = paddedDomain([...points.map((point) => point.value), ...(observed === null ? [] : [observed])], 0.08);
  const across = Math.max(8, Math.min(20, (width - 2 * margin) / 24)); // of one dot
  const stacked = piles(
    points.length ? Array.from({length: dots}, (_, i) => quantile(points, (i + 0.5) / dots)) : [],
    (across * (domain[1] - domain[0])) / (width - 2 * margin),
  );
  const tallest = Math.max(6, ...stacked.map((dot) => dot.order + 1));
  const height = Math.round(tallest * across) + 92;
  const label =
    observed === null ? "" : `observed ${shortNumber(observed)}${options.p_label ? `, ${text(options.p_label)}` : ""}`;
  const isRight =
    observed !== null &&
    (observed - domain[0]) / (domain[1] - domain[0]) > Math.min(0.5, 1 - (textWidth(label) + 12) / width);
  return plot({
    width,
    height,
    marginLeft: margin,
    marginRight: margin,
    marginTop: 40,
    marginBottom: 46,
    x: {
      domain,
      label: text(options.value_label, "value"),
      labelAnchor: "center",
      labelArrow: "none",
      ticks: width < 460 ? 4 : 6,
      tickSize: 4,
    },
    y: {domain: [0, (height - 86) / across], axis: null},
    marks: [
      Plot.ruleY([0], {stroke: colours.soft, strokeOpacity: 0.5}),
      Plot.dot(stacked, {
        x: "value",
        y: (dot) => dot.order + 0.5,
        r: across / 2 - 0.8,
        fill: colours.band,
        stroke: colours.soft,
        strokeWidth: 1,
        className: "dots",
      }),
      observed === null ? null : Plot.ruleX([observed], {stroke: colours.x, strokeWidth: 2.25, className: "observed"}),
      observed === null
        ? null
        : Plot.text([observed], {
            x: (value: number) => value,
            frameAnchor: "top",
            dy: -16,
            dx: isRight ? 4 : -4,
            textAnchor: isRight ? "end" : "start",
            text: [label],
            fill: colours.x,
            fontWeight: 650,
            fontSize: textSize + 0.5,
          }),
    ],
  });
};

function quantile(points: {level: number; value: number}[], level: number): number {
  const after = points.findIndex((point) => point.level >= level);
  const right = points[after < 0 ? points.length - 1 : after]!,
    left = points[Math.max(0, (after < 0 ? points.length : after) - 1)]!;
  if (right.level <= left.level) return right.value;
  return left.value + ((level - left.level) / (right.level - left.level)) * (right.value - left.value);
}

// Values closer than a dot is wide share a pile, at their mean (Wilkinson 1999).
function piles(sorted: number[], wide: number): {value: number; order: number}[] {
  const made: {value: number; order: number}[] = [];
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (last + 1 < sorted.length && sorted[last + 1]! - sorted[first]! < wide) ++last;
    const members = sorted.slice(first, last + 1);
    const centre = members.reduce((sum, value) => sum + value, 0) / members.length;
    members.forEach((_, order) => made.push({value: centre, order}));
    first = last + 1;
  }
  return made;
}
