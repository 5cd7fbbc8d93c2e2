// Regions that follow a job: server-sent events say that something changed, the server renders it, htmx morphs
// the cells that differ. Where the stream is lost, polling goes on and the page says so.
const LEAST_GAP_MS = 400;
const POLL_MS = 2500;
const SAY_EVERY_MS = 10000;
const FINAL = new Set(["finished", "failed", "cancelled"]);
const followed = new Map(); // address of the stream -> Follower

class Follower {
  constructor(address) {
    this.address = address;
    this.last = 0;
    this.saidAt = 0;
    this.connect();
  }

  connect() {
    this.stream = new EventSource(this.address);
    this.stream.onopen = () => this.stale(false);
    this.stream.onerror = () => this.stale(true);
    for (const kind of ["status", "progress", "cell", "log"]) this.stream.addEventListener(kind, (event) => this.changed(kind, event));
    this.stream.onmessage = () => this.changed("progress");
  }

  regions() {
    return [...document.querySelectorAll(`[data-live="${this.address}"]`)];
  }

  stale(is) {
    for (const note of document.querySelectorAll(".stale")) note.classList.toggle("on", is);
    clearInterval(this.poll);
    if (is) this.poll = setInterval(() => this.refresh(), POLL_MS);
  }

  changed(kind) {
    if (this.timer) return;
    const wait = Math.max(LEAST_GAP_MS - (Date.now() - this.last), 0);
    this.timer = setTimeout(() => this.refresh(), wait);
  }

  async refresh() {
    this.timer = null;
    this.last = Date.now();
    const regions = this.regions();
    if (!regions.length) return this.stop();
    for (const region of regions) await update(region);
    this.say();
    const over = this.regions().every((region) => FINAL.has(region.dataset.liveStatus));
    if (!this.regions().length || over) this.ended();
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
    clearInterval(this.poll);
    followed.delete(this.address);
  }
}

async function update(region) {
  const { livePart, liveSelect } = region.dataset;
  const response = await fetch(livePart, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!response?.ok || !region.isConnected) return;
  const text = await response.text();
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(liveSelect);
  if (fresh) patch(region, fresh);
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

export function startLive() {
  follow();
  document.addEventListener("htmx:after:swap", follow);
  addEventListener("pagehide", () => [...followed.values()].forEach((one) => one.stop()));
  for (const log of document.querySelectorAll("[data-follow]")) log.scrollTop = log.scrollHeight;
}
