// Brings the page to life: draws each figure from the data beside it, again whenever its width changes, and gives it buttons
// and a table. Text from the data is set as text, never as markup.
import {chartOf} from "./charts";
import {Cell, FigureData, rowCount} from "./drawing";
import {csvOf, save, standaloneSvg} from "./saving";
import {make} from "./make";

const shownRows = 500;

interface Figure {
  root: HTMLElement;
  place: HTMLElement;
  data: FigureData;
  drawnAt: number; // the width it was drawn at, or 0
}

// Six digits are enough to look at; the CSV has all of them.
function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(Number(cell.toPrecision(6)));
  return Array.isArray(cell) ? cell.join(" ") : String(cell);
}

function dataTable(data: FigureData, name: string): HTMLElement {
  const names = Object.keys(data.columns);
  const count = rowCount(data);
  const looks = names.map((column) =>
    data.columns[column]?.every((cell) => cell === null || typeof cell === "number") ? "number" : "",
  );
  const head = make("tr", {}, ...names.map((column, j) => make("th", {scope: "col", class: looks[j] ?? ""}, column)));
  const body = make("tbody");
  for (let i = 0; i < Math.min(count, shownRows); ++i)
    body.append(
      make(
        "tr",
        {},
        ...names.map((column, j) =>
          make("td", {class: looks[j] ?? ""}, make("bdi", {}, cellText(data.columns[column]?.[i]))),
        ),
      ),
    );
  const box = make(
    "div",
    {class: "scroll tall", tabindex: "0", role: "group", "aria-label": `Data of ${name}`},
    make("table", {}, make("thead", {}, head), body),
  );
  if (count <= shownRows) return box;
  const note = `The first ${shownRows} of ${count.toLocaleString("en")} rows; the CSV has all of them.`;
  return make("div", {}, make("p", {class: "note"}, note), box);
}

function draw(figure: Figure): void {
  const {root, place, data} = figure;
  const width = Math.floor(place.clientWidth);
  const chart = chartOf(root.dataset.kind);
  if (!chart || width <= 0 || width === figure.drawnAt) return;
  figure.drawnAt = width;
  if (rowCount(data) === 0) {
    place.replaceChildren(make("p", {class: "note"}, "There is nothing to draw here."));
    return;
  }
  const drawing = chart({data, width, id: root.id});
  if (drawing instanceof SVGElement) {
    // One picture to a screen reader, with the title as its name and the caption as its description: the rest is in the table.
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-labelledby", `${root.id}-title`);
    drawing.setAttribute("aria-describedby", `${root.id}-caption`);
    for (const part of drawing.querySelectorAll("*"))
      for (const attribute of ["aria-label", "aria-description", "aria-hidden"]) part.removeAttribute(attribute);
  }
  place.replaceChildren(drawing);
}

function tools(figure: Figure, name: string): HTMLElement {
  const {root, place, data} = figure;
  const bar = make("div", {class: "tools"});
  const button = (label: string, what: string, action: () => void) => {
    const made = make(
      "button",
      {type: "button", "aria-label": `Save ${what} of ${name} as ${label}`, title: `Save ${what} as ${label}`},
      label,
    );
    made.addEventListener("click", action);
    bar.append(made);
  };
  if (chartOf(root.dataset.kind) && root.dataset.kind !== "columns")
    button("SVG", "the chart", () => {
      const drawing = place.querySelector("svg");
      if (drawing) save(`${root.id}.svg`, "image/svg+xml", standaloneSvg(drawing, name));
    });
  button("CSV", "the data", () => save(`${root.id}.csv`, "text/csv", csvOf(data)));
  return bar;
}

function bringToLife(root: HTMLElement): Figure | null {
  const source = root.querySelector<HTMLScriptElement>('script[type="application/json"]');
  const place = root.querySelector<HTMLElement>(".chart");
  if (!source || !place) return null;
  const figure: Figure = {root, place, data: JSON.parse(source.textContent ?? "{}") as FigureData, drawnAt: 0};
  const heading = root.querySelector("h3");
  const name = heading?.textContent ?? root.id;
  heading?.after(tools(figure, name));
  const details = make(
    "details",
    {class: "data"},
    make("summary", {}, "Data", make("span", {class: "hidden"}, ` of ${name}`)),
  );
  details.addEventListener("toggle", () => details.append(dataTable(figure.data, name)), {once: true});
  root.append(details);
  if (!chartOf(root.dataset.kind)) details.setAttribute("open", "");
  return figure;
}

function themeButton(): HTMLElement {
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const button = make("button", {type: "button", class: "theme"});
  const label = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  button.setAttribute("aria-label", "Switch between light and dark");
  return button;
}

function start(): void {
  const figures = [...document.querySelectorAll<HTMLElement>("figure.figure")].flatMap(
    (root) => bringToLife(root) ?? [],
  );
  document.querySelector("header.top")?.append(themeButton());

  // One figure at a time, so that the page answers while the others wait.
  const waiting = new Set<Figure>();
  const next = () => {
    const [figure] = waiting;
    if (figure) {
      waiting.delete(figure);
      try {
        draw(figure);
      } catch (problem) {
        console.error(problem); // one chart that fails leaves the others alone
        figure.place.replaceChildren(make("p", {class: "note"}, "This chart could not be drawn; its data are below."));
      }
    }
    if (waiting.size) setTimeout(next);
    else document.documentElement.dataset.drawn = "all";
  };
  const observer = new ResizeObserver((entries) => {
    const idle = waiting.size === 0;
    for (const entry of entries) {
      const figure = figures.find((each) => each.place === entry.target);
      if (figure) waiting.add(figure);
    }
    if (idle && waiting.size) {
      delete document.documentElement.dataset.drawn;
      setTimeout(next);
    }
  });
  for (const figure of figures) observer.observe(figure.place);
  if (!figures.length) document.documentElement.dataset.drawn = "all";

  // On paper nothing can be opened: sections that are folded open, and close again afterwards.
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>("details.folded:not([open])")];
    for (const each of opened) each.open = true;
    for (const figure of figures) draw(figure);
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
  const openTarget = () => {
    const target = document.getElementById(location.hash.slice(1));
    const folded =
      target?.querySelector<HTMLDetailsElement>(":scope > details.folded") ??
      target?.closest<HTMLDetailsElement>("details.folded");
    if (folded) folded.open = true;
  };
  addEventListener("hashchange", openTarget);
  openTarget();
}

start();
