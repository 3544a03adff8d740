// A line of signs and what they mean, above a chart; it breaks where the width ends.
import {colours, element, fitted, textSize, textWidth} from "./drawing";

export interface LegendItem {
  sign: SVGElement[]; // drawn around (0, 0), within signWidth / 2 to both sides
  label: string;
}

export const signWidth = 26;
const lineHeight = 21;

// Puts the items above `chart` and makes room for them.
export function withLegend(chart: SVGElement, width: number, items: LegendItem[]): SVGElement {
  const drawn = element("g", {class: "legend", "text-anchor": "start", "font-size": textSize, fill: colours.soft});
  let left = 0,
    line = 0;
  for (const {sign, label} of items.filter((item) => item.label !== "")) {
    const indent = sign.length ? signWidth + 6 : 0;
    const words = fitted(label, width - indent);
    const wide = indent + textWidth(words);
    if (left > 0 && left + wide > width) [left, line] = [0, line + 1];
    const middle = line * lineHeight + lineHeight / 2;
    drawn.append(
      element("g", {transform: `translate(${left + signWidth / 2},${middle})`}, ...sign),
      element("text", {x: left + indent, y: middle, dy: "0.34em"}, element("title", {}, label), words),
    );
    left += wide + 14;
  }
  const legendHeight = drawn.childElementCount ? (line + 1) * lineHeight + 6 : 0;
  const height = Number(chart.getAttribute("height"));
  const whole = element("svg", {
    class: "plot",
    width,
    height: height + legendHeight,
    viewBox: `0 0 ${width} ${height + legendHeight}`,
  });
  chart.setAttribute("y", String(legendHeight));
  whole.append(drawn, chart);
  return whole;
}

export const lineSign = (attributes: Record<string, string | number>): SVGElement =>
  element("line", {x1: -signWidth / 2 + 1, x2: signWidth / 2 - 1, y1: 0, y2: 0, "stroke-width": 2, ...attributes});
