// The keyboard map of the product; single keys are off in fields.
import { charts, download, leave, openPoint, toggleTable, walk } from "./charts.js";

const PLACES = { o: "/", l: "/ladders", b: "/lab", c: "/claims", r: "/runs", p: "/profiles", j: "/jobs", m: "/machine" };
let afterG = 0;

function inField(target) {
  return target.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
}

function focusedChart() {
  return document.activeElement?.closest?.("figure.chart") ?? document.activeElement?.closest?.(".card")?.querySelector("figure.chart");
}

function stepRow(step) {
  const links = [...document.querySelectorAll("main [data-row]")];
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  links[Math.min(Math.max(at + step, 0), links.length - 1)].focus();
}

function onChart(event, chart) {
  const steps = { ArrowDown: 1, ArrowRight: 1, j: 1, ArrowUp: -1, ArrowLeft: -1, k: -1 };
  if (event.key in steps && walk(chart, steps[event.key])) return true;
  if (event.key === "Enter") return openPoint(chart), true;
  if (event.key === "Escape") return leave(chart), true;
  return false;
}

const SINGLE = {
  "/": () => document.querySelector(".search input").focus(),
  "?": () => document.getElementById("keyboard-map").showModal(),
  j: () => stepRow(1),
  k: () => stepRow(-1),
  n: () => location.assign("/jobs#new-job"),
  t: () => toggleTable(focusedChart() ?? charts()[0]),
  d: () => focusedChart() && download(focusedChart(), "png"),
  "[": () => document.querySelector("[data-previous]")?.click(),
  "]": () => document.querySelector("[data-next]")?.click(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (inField(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  if (Date.now() - afterG < 1200 && event.key in PLACES) return location.assign(PLACES[event.key]);
  afterG = event.key === "g" ? Date.now() : 0;
  const plot = document.activeElement?.matches?.(".plot") ? document.activeElement.closest("figure.chart") : null;
  if (plot && onChart(event, plot)) return event.preventDefault();
  if (event.key in SINGLE && !(event.key === "t" && !charts().length)) {
    event.preventDefault();
    SINGLE[event.key]();
  }
}

export function startKeyboard() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusout", (event) => {
    if (event.target.matches?.(".plot")) leave(event.target.closest("figure.chart"));
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) document.getElementById("keyboard-map").showModal();
    const opener = event.target.closest("[data-dialog]");
    if (opener) document.getElementById(opener.dataset.dialog).showModal();
  });
}
