// Regions that follow a job: server-sent events say that something changed, the server renders it, htmx morphs
// the cells that differ. Where the stream is lost, polling goes on and the page says so.
const LEAST_GAP_MS = 400;
const POLL_MS = 2500;
const PATIENCE_MS = 1500;
const SAY_EVERY_MS = 10000;
const FINAL = new Set(["finished", "failed", "cancelled"]);
const followed = new Map(); // address of the stream -> Follower

class Follower {
  constructor(address) {
    this.address = address; // of the stream
    this.last = 0;
    this.saidAt = 0;
    this.connect();
  }

  connect() {
    this.stream = new EventSource(this.address);
    this.stream.onopen = () => this.stale(false);
    this.stream.onerror = () => this.stale(true);
    for (const kind of ["status", "progress", "cell", "log"]) this.stream.addEventListener(kind, () => this.changed());
  }

  regions() {
    return [...document.querySelectorAll(`[data-live="${this.address}"]`)];
  }

  // The browser reconnects by itself; meanwhile the page asks every few seconds and says that it does.
  stale(is) {
    clearTimeout(this.saying);
    clearInterval(this.poll);
    if (!is) return note(false);
    this.saying = setTimeout(() => note(true), PATIENCE_MS);
    this.poll = setInterval(() => this.refresh(), POLL_MS);
  }

  changed() {
    if (this.timer) return;
    const wait = Math.max(LEAST_GAP_MS - (Date.now() - this.last), 0);
    this.timer = setTimeout(() => this.refresh(), wait);
  }

  async refresh() {
    this.timer = null;
    this.last = Date.now();
    const regions = this.regions();
    if (!regions.length) return this.stop();
    // Read now: while a page is awaited, another patch may turn a region into something else.
    const parts = new Map(regions.map((region) => [region, region.dataset.livePart]));
    const pages = new Map();
    for (const part of new Set(parts.values())) pages.set(part, await page(part));
    for (const [region, part] of parts) if (region.dataset.livePart === part) update(region, pages.get(part));
    this.say();
    if (regions.every((region) => !region.isConnected || FINAL.has(region.dataset.liveStatus) || region.dataset.live !== this.address)) this.ended();
    follow();
  }

  say() {
    if (Date.now() - this.saidAt < SAY_EVERY_MS) return;
    this.saidAt = Date.now();
    const text = document.querySelector("[data-live-say]")?.dataset.liveSay;
    if (text) speak(text);
  }

  ended() {
    this.stop();
    speak("The job is over.");
    // A finished run is another page: charts and figures instead of progress.
    if (document.querySelector("[data-live-reload]")) location.reload();
  }

  stop() {
    this.stream.close();
    clearTimeout(this.saying);
    clearInterval(this.poll);
    note(false);
    followed.delete(this.address);
  }
}

function note(on) {
  for (const one of document.querySelectorAll(".stale")) one.classList.toggle("on", on);
}

async function page(address) {
  const response = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  return response?.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
}

function update(region, fresh) {
  if (!fresh || !region.isConnected) return;
  const same = fresh.querySelector(region.dataset.liveSelect);
  if (same) patch(region, same);
  else region.dataset.liveStatus = "finished";
}

// Change only what differs, so that focus, selection and scroll positions stay.
function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !(name === "class" && old.matches(".stale"))) old.setAttribute(name, value);
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((child, index) => (before[index] ? patch(before[index], child) : old.append(child)));
  before.slice(after.length).forEach((child) => child.remove());
  if (old.matches("[data-follow]")) old.scrollTop = old.scrollHeight;
}

function speak(text) {
  let voice = document.getElementById("live-voice");
  if (!voice) {
    voice = Object.assign(document.createElement("p"), { id: "live-voice", className: "visually-hidden" });
    voice.setAttribute("aria-live", "polite");
    document.body.append(voice);
  }
  voice.textContent = text;
}

function follow() {
  for (const region of document.querySelectorAll("[data-live]")) {
    const { live, liveStatus } = region.dataset;
    if (!FINAL.has(liveStatus) && !followed.has(live)) followed.set(live, new Follower(live));
  }
}

// A page that waits for something to begin looks again every few seconds: data-poll names what to renew.
async function lookAgain() {
  const selectors = document.querySelector("[data-poll]")?.dataset.poll;
  if (!selectors) return;
  const fresh = followed.size ? null : await page(location.href);
  if (fresh && selectors === "#main" && !fresh.querySelector("[data-poll]")) return location.reload();
  for (const region of fresh ? document.querySelectorAll(selectors) : []) patch(region, fresh.getElementById(region.id));
  follow();
  setTimeout(lookAgain, POLL_MS);
}

export function startLive() {
  follow();
  setTimeout(lookAgain, POLL_MS);
  document.addEventListener("htmx:after:swap", follow);
  addEventListener("pagehide", () => [...followed.values()].forEach((one) => one.stop()));
  for (const log of document.querySelectorAll("[data-follow]")) log.scrollTop = log.scrollHeight;
}
