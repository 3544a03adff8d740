// Figures as files: the chart as a picture that stands alone, the data as CSV.
import {Cell, FigureData, rowCount} from "./drawing";

// Spreadsheets take text that begins with one of these for a formula; an apostrophe in front keeps it text. Numbers stay numbers.
const formula = /^[=+\-@\t\r]/;

function csvCell(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = Array.isArray(cell) ? cell.join(" ") : formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// RFC 4180.
export function csvOf(data: FigureData): string {
  const {columns} = data;
  const names = Object.keys(columns);
  const count = rowCount(data);
  const lines = [names.map(csvCell).join(",")];
  for (let i = 0; i < count; ++i) lines.push(names.map((name) => csvCell(columns[name]?.[i])).join(","));
  return lines.join("\r\n") + "\r\n";
}

// The colours of the light page in place of their names, a white ground, and nothing that refers to the page.
export function standaloneSvg(drawing: SVGElement, title: string): string {
  const copy = drawing.cloneNode(true) as SVGElement;
  for (const attribute of ["role", "aria-labelledby", "aria-describedby", "class"]) copy.removeAttribute(attribute);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "system-ui, sans-serif");
  const namespace = "http://www.w3.org/2000/svg";
  const name = document.createElementNS(namespace, "title");
  name.textContent = title;
  const ground = document.createElementNS(namespace, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", "#ffffff");
  copy.prepend(name, ground);

  const probe = document.createElement("span");
  probe.style.colorScheme = "light";
  document.body.append(probe);
  const resolved = (variable: string) => {
    probe.style.color = variable;
    return getComputedStyle(probe).color;
  };
  const text = new XMLSerializer().serializeToString(copy).replace(/var\(--[\w-]+\)/g, resolved);
  probe.remove();
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

export function save(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], {type: `${type};charset=utf-8`}));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
