// Fetches figures and draws them with Plotly; one chart is a <figure class="chart" data-chart="address">.
import { theme } from "./theme.js";

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: false, scrollZoom: false, doubleClick: "reset" };
const MARGIN_PX = "200px"; // start a little before a chart scrolls into view
const WIDTH_STEP_PX = 8;
const drawn = new WeakMap(); // figure element -> { address, meta, at }
const fonts = Promise.race([
  Promise.all([document.fonts.load("400 12px Inter"), document.fonts.load("700 12px Inter")]),
  new Promise((resolve) => setTimeout(resolve, 1500)),
]);

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
}, { rootMargin: MARGIN_PX });

let settle;
const resized = new ResizeObserver(() => {
  clearTimeout(settle);
  settle = setTimeout(() => charts().filter((chart) => drawn.has(chart)).forEach(draw), 150);
});

export function charts() {
  return [...document.querySelectorAll("figure.chart")];
}

function plotOf(chart) {
  return chart.querySelector(".plot");
}

function addressOf(chart) {
  const width = Math.floor(plotOf(chart).clientWidth / WIDTH_STEP_PX) * WIDTH_STEP_PX;
  return `${chart.dataset.chart}&theme=${theme()}&width=${Math.min(Math.max(width, 240), 2400)}`;
}

async function draw(chart) {
  const address = addressOf(chart);
  const known = drawn.get(chart);
  if (known?.address === address) return;
  drawn.set(chart, { ...known, address });
  try {
    const [response] = await Promise.all([fetch(address), fonts]);
    const figure = await response.json();
    if (!response.ok) throw new Error(figure.detail);
    if (drawn.get(chart)?.address !== address || !chart.isConnected) return;
    await window.Plotly.react(plotOf(chart), figure.data, { ...figure.layout, uirevision: chart.dataset.chart }, CONFIG);
    if (!known?.meta) listen(chart);
    drawn.set(chart, { address, meta: figure.meta, at: known?.at ?? -1 });
    chart.classList.add("drawn");
    chart.querySelector(".trouble")?.remove();
    performance.mark(`chart:${chart.dataset.name}`);
  } catch (error) {
    drawn.delete(chart);
    trouble(chart, error);
  }
}

function trouble(chart, error) {
  chart.classList.add("drawn");
  chart.querySelector(".trouble")?.remove();
  const text = document.createElement("p");
  text.className = "trouble";
  text.setAttribute("role", "status");
  text.textContent = `This chart could not be drawn: ${error.message} Its table and the rest of the page are not affected; reload to try again.`;
  chart.append(text);
}

// Points: click, arrow keys and Enter all lead to the address that the server put beside the point.
function listen(chart) {
  const plot = plotOf(chart);
  plot.on("plotly_click", (event) => {
    const [href] = event.points[0]?.customdata ?? [];
    if (href) location.assign(href);
  });
  plot.on("plotly_hover", () => plot.classList.add("over-point"));
  plot.on("plotly_unhover", () => plot.classList.remove("over-point"));
}

export function walk(chart, step) {
  const state = drawn.get(chart);
  const points = state?.meta?.walk;
  if (!points?.length) return false;
  state.at = state.at < 0 && step < 0 ? points.length - 1 : (state.at + step + points.length) % points.length;
  const [curveNumber, pointNumber] = points[state.at];
  window.Plotly.Fx.hover(plotOf(chart), [{ curveNumber, pointNumber }]);
  const data = plotOf(chart).data[curveNumber];
  const text = Array.isArray(data.hovertext) ? data.hovertext[pointNumber] : data.hovertext;
  chart.querySelector("[data-point]").textContent = text.replaceAll(/<[^>]*>/g, " ");
  markRow(chart, data.customdata?.[pointNumber]?.[0]);
  return true;
}

function markRow(chart, href) {
  for (const row of chart.querySelectorAll(".twin tr.selected")) row.classList.remove("selected");
  const link = [...chart.querySelectorAll(".twin a")].find((one) => one.getAttribute("href") === href);
  link?.closest("tr").classList.add("selected");
}

export function openPoint(chart) {
  const state = drawn.get(chart);
  const point = state?.meta?.walk?.[state.at];
  const href = point && plotOf(chart).data[point[0]].customdata?.[point[1]]?.[0];
  if (href) location.assign(href);
}

export function leave(chart) {
  const state = drawn.get(chart);
  if (state) state.at = -1;
  if (plotOf(chart).data) window.Plotly.Fx.unhover(plotOf(chart));
}

export function toggleTable(chart) {
  const table = chart.dataset.view === "chart";
  const held = chart.contains(document.activeElement);
  chart.dataset.view = table ? "table" : "chart";
  // What is hidden loses the focus, so hand it to the twin.
  if (held) (table ? chart.querySelector(".twin") : plotOf(chart)).focus();
  chart.closest(".card").querySelector("[data-twin]").setAttribute("aria-pressed", String(table));
  if (!table) draw(chart);
}

export async function download(chart, format) {
  const plot = plotOf(chart);
  const meta = drawn.get(chart)?.meta;
  if (!plot.data || !meta) return;
  const title = chart.closest(".card").querySelector("h2").textContent;
  const { width, height } = plot.getBoundingClientRect();
  const extra = 46; // title and caption stand above the drawing, in the export only
  const layout = structuredClone(plot.layout);
  layout.margin.t += extra;
  layout.height = height + extra;
  layout.annotations = [...(layout.annotations ?? []), heading(`<b>${escaped(title)}</b>`, 13, layout, extra - 6), heading(meta.caption, 11, layout, extra - 24)];
  const image = await window.Plotly.toImage({ data: plot.data, layout, config: CONFIG }, { format, scale: format === "png" ? 2 : 1, width, height: height + extra });
  const link = document.createElement("a");
  link.href = image;
  link.download = `${meta.file_name}.${format}`;
  link.click();
}

function heading(text, size, layout, shift) {
  return { text, showarrow: false, xref: "paper", yref: "paper", x: 0, y: 1, xanchor: "left", yanchor: "bottom", xshift: 10 - layout.margin.l, yshift: shift - 22 + 8, align: "left", font: { size } };
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function watch(scope) {
  for (const chart of scope.querySelectorAll("figure.chart")) {
    seen.observe(chart);
    resized.observe(chart);
  }
}

function forget(scope) {
  for (const plot of scope.querySelectorAll("figure.chart .plot")) if (plot.data) window.Plotly.purge(plot);
}

export function startCharts() {
  watch(document);
  document.addEventListener("roofladder:theme", () => charts().filter((chart) => drawn.has(chart)).forEach(draw));
  document.addEventListener("htmx:before:swap", (event) => event.detail.tasks.forEach((task) => task.target && forget(task.target)));
  document.addEventListener("htmx:after:swap", () => {
    watch(document);
    charts().filter((chart) => !plotOf(chart).data).forEach((chart) => drawn.delete(chart));
  });
  document.addEventListener("click", (event) => {
    const chart = event.target.closest(".card")?.querySelector("figure.chart");
    if (!chart) return;
    if (event.target.closest("[data-twin]")) toggleTable(chart);
    if (event.target.closest("[data-export]")) download(chart, event.shiftKey ? "svg" : "png");
  });
}
