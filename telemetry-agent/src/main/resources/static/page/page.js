// SPDX-License-Identifier: Apache-2.0
// The page: what is shown where. Data comes from feed.js, tables are kept by table.js.

import { Feed } from "./feed.js";
import { EndpointTable } from "./table.js";
import { bytes, clockTime, count, endpointName, micros, permille } from "./format.js";

const MAX_EDGES = 60;
const EDGE_MEMORY_MS = 5 * 60_000;
const SAY_EVERY_MS = 3000;
/** Answers that come sooner, after a change, correct the latest point of the sparklines. */
const SAMPLE_MS = 800;
const HTTP_FRESH_MS = 5000;

const byId = id => document.getElementById(id);

function write(id, text) {
  const node = byId(id);
  if (node.textContent !== text) node.textContent = text;
}

/** More than one network namespace: then its number tells two of the same address apart. */
let severalNamespaces = false;
const namespace = endpoint => severalNamespaces ? `netns ${endpoint.netns}` : "";
const join = (...parts) => parts.filter(Boolean).join(" · ");

const stallNote = e => e.stalled && e.report?.stallAgeMicros ? `unread ${micros(e.report.stallAgeMicros)}` : "";

/** HTTP, where it can be read; an average without answers says nothing about now. */
const FIRST_BYTE = {
  label: "First byte", value: e => e.http && e.http.ageMillis < HTTP_FRESH_MS ? e.http.ttfbMicros : null, format: micros,
  floor: 2000,
  note: (e, rates) => e.http ? join(`${count(e.http.answersPerSecond)}/s`, rates.failures > 0 && `5xx ${count(rates.failures)}/s`,
    rates.refusals > 0 && `4xx ${count(rates.refusals)}/s`) : "",
};

/** Marks of congestion, where any segment could bear one. Of a peer also by which ways its overload can be told here. */
const marks = note => ({
  label: "Marks", value: e => e.ecn && e.ecn.marked + e.ecn.unmarked > 0 ? e.ecn.markedPermille : null, format: permille,
  floor: 50, note,
});

const locals = new EndpointTable(byId("locals"), "local", [
  { label: "Sojourn", value: e => e.queue?.sojournMicros, format: micros, floor: 2000,
    note: e => stallNote(e) || (e.queue ? `most ${micros(e.queue.sojournMaxMicros)}` : "") },
  { label: "Run queue", value: e => e.report?.runQueueMicros, format: micros, floor: 2000,
    note: e => !e.report ? "" : e.report.throttledPermille > 0 ? `throttled ${permille(e.report.throttledPermille)}`
      : `P99 ${micros(e.report.runQueueP99Micros)}` },
  FIRST_BYTE,
  marks(e => e.report?.pressure > 0 ? `pressure ${permille(e.report.pressure * 1000 / 255)}` : ""),
  { label: "Reads/s", value: (e, rates) => rates.reads, format: count, floor: 10 },
  { label: "Unread", value: e => e.queue?.unread, format: count },
  { label: "Accept queue", value: e => e.queue?.acceptQueue, format: count,
    note: e => e.queue?.acceptLimit ? `of ${count(e.queue.acceptLimit)}` : "" },
  { label: "Connections", value: e => e.queue?.connections, format: count },
], e => join(e.cgroup, namespace(e)));

const peers = new EndpointTable(byId("peers"), "peer", [
  { label: "RTT", value: e => e.path?.rttMicros, format: micros, floor: 2000,
    note: e => e.path?.minRttMicros && e.path.minRttMicros <= e.path.rttMicros ? `least ${micros(e.path.minRttMicros)}` : "" },
  { label: "Stall", value: e => e.report ? (e.stalled ? e.report.stallAgeMicros : 0) : null, format: micros, floor: 20_000,
    note: e => !e.report ? "" : e.report.source === "option" ? "it says so" : `run queue ${micros(e.report.runQueueMicros)}` },
  FIRST_BYTE,
  marks(e => e.ecn ? join(e.ecn.ablePermille > 0 && `ECN ${permille(e.ecn.ablePermille)}`, e.ecn.rungs.join(", ")) : ""),
  { label: "Retransmits", value: e => e.path?.retransmitPermille, format: permille, floor: 20 },
  { label: "Segments/s", value: (e, rates) => rates.segments, format: count },
  { label: "In flight", value: e => e.path?.inFlightBytes, format: bytes },
  { label: "Connections", value: e => e.path?.connections, format: count },
], namespace);

// --- answers -----------------------------------------------------------------------------------------

let sampledAt = 0;

function show(answer) {
  const now = performance.now();
  const sample = now - sampledAt >= SAMPLE_MS;
  const seconds = sample ? (now - sampledAt) / 1000 : 0;
  if (sample) sampledAt = now;
  severalNamespaces = new Set([...answer.locals, ...answer.peers].map(e => e.netns)).size > 1;
  locals.update(answer.locals, seconds);
  peers.update(answer.peers, seconds);
  arrange();
  tiles(answer);
  programs(answer.agent);
  notice(answer.agent);
  if (!document.body.dataset.ready) performance.mark("first-data");
  document.body.dataset.ready = "true";
}

function arrange() {
  const wanted = byId("filter").value.trim().toLowerCase();
  const matches = text => text.toLowerCase().includes(wanted);
  const a = locals.arrange(matches);
  const b = peers.arrange(matches);
  byId("locals-empty").hidden = a.all > 0;
  byId("peers-empty").hidden = b.all > 0;
  const hidden = a.all + b.all - a.shown - b.shown;
  write("shown", hidden > 0 ? `${a.shown + b.shown} of ${a.all + b.all} shown` : "");
}

const troubles = endpoints => join(...["stalled", "congested", "gone"]
  .map(state => [state, endpoints.filter(e => e[state]).length])
  .filter(([, number]) => number > 0)
  .map(([state, number]) => `${number} ${state}`));

function tiles(answer) {
  const { table } = answer.agent;
  write("tile-locals", count(answer.locals.length));
  write("tile-locals-note", troubles(answer.locals) || "all well");
  byId("tile-locals-note").dataset.bad = answer.locals.some(e => e.stalled);
  write("tile-peers", count(answer.peers.length));
  write("tile-peers-note", troubles(answer.peers) || "all well");
  byId("tile-peers-note").dataset.bad = answer.peers.some(e => e.stalled || e.congested);
  write("tile-table", table ? count(table.used) : "none");
  write("tile-table-note", table
    ? join(`of ${count(table.slots)} slots`, table.refused > 0 ? `${count(table.refused)} refused` : "",
      table.heartbeatMillis > 1000 ? "heartbeat is late" : "")
    : "is not written");
}

function programs(agent) {
  const list = byId("probes");
  const text = JSON.stringify(agent.probes.map(probe => [probe.name, probe.state, probe.reason]));
  write("watched", agent.cgroup ? `watching ${agent.cgroup}` : "");
  if (list.dataset.shown === text) return;
  list.dataset.shown = text;
  list.replaceChildren(...agent.probes.map(probe => {
    const item = document.createElement("li");
    item.dataset.state = probe.state === "attached" && probe.reason ? "partly" : probe.state;
    item.title = join(probe.reason, probe.fix);
    item.textContent = probe.state === "attached" ? probe.name : `${probe.name}: ${probe.state}`;
    return item;
  }));
}

const TITLES = {
  starting: "The agent starts",
  degraded: "The kernel is seen only in part",
  unavailable: "The kernel is not seen",
  table_unwritable: "The kernel is not seen: the health table cannot be written",
  pump_ended: "The kernel is not seen any more",
  stopped: "The agent has stopped",
};

/** Says what is not seen, why, and what to do. */
function notice(agent) {
  const missing = agent.probes.filter(probe => !["attached", "disabled"].includes(probe.state));
  const blind = agent.probes.length > 0 && !agent.probes.some(probe => probe.state === "attached");
  const all = agent.state === "degraded" && blind ? TITLES.unavailable : TITLES[agent.state];
  const title = all ?? (blind ? "The kernel is not seen: every program is switched off" : "");
  byId("notice").hidden = title === "";
  if (title === "") return;
  write("notice-title", title);
  write("notice-text", missing.length > 0 ? "Applications go on with what is seen, and with their own signals."
    : join(agent.reason, agent.fix && `to do: ${agent.fix}`));
  const list = byId("notice-list");
  const text = JSON.stringify(missing);
  if (list.dataset.shown === text) return;
  list.dataset.shown = text;
  list.replaceChildren(...missing.map(probe => {
    const item = document.createElement("li");
    const name = document.createElement("strong");
    name.textContent = `${probe.name} (${probe.state})`;
    item.append(name, ` ${probe.reason}`, probe.fix ? ` To do: ${probe.fix}.` : "");
    return item;
  }));
}

// --- changes -----------------------------------------------------------------------------------------

const recent = [];
let said = 0;

const CAUSES = {
  stalled: v => `data unread for ${micros(v.stallAgeMicros)}`,
  congested: v => `RTT ${micros(v.rttMicros)}, least ${micros(v.minRttMicros)}`,
  gone: () => "nobody listens there any more",
};
const ENDS = { stalled: () => "data is read again", congested: v => `RTT ${micros(v.rttMicros)}`, gone: () => "listens again" };

function change(edge) {
  locals.mark(edge);
  peers.mark(edge);
  const cleared = edge.edge === "cleared";
  const cause = (cleared ? ENDS : CAUSES)[edge.condition]?.(edge.values) ?? "";
  const name = `${edge.endpoint.kind} ${endpointName(edge.endpoint)}`;
  const state = cleared ? `no longer ${edge.condition}` : edge.condition;
  line(cleared ? "cleared" : edge.condition, new Date(edge.time), state, name, join(cause, namespace(edge.endpoint)));
  recent.push(Date.now());
  announce(`${name} ${state}`);
  counted();
}

function line(kind, date, state, name, cause) {
  const item = document.createElement("li");
  item.dataset.state = kind;
  const parts = [["time", clockTime(date)], ["span", state], ["strong", name], ["span", cause]].map(([tag, text], i) => {
    const node = document.createElement(tag);
    if (i === 1) node.className = "badge";
    if (i === 3) node.className = "about";
    node.textContent = text;
    return node;
  });
  parts[0].dateTime = date.toISOString();
  item.append(...parts);
  const list = byId("edges");
  list.prepend(item);
  while (list.children.length > MAX_EDGES) list.lastElementChild.remove();
  byId("edges-empty").hidden = true;
}

/** One sentence every few seconds at most: a storm of changes must not drown a screen reader. */
function announce(text) {
  if (Date.now() - said < SAY_EVERY_MS) return;
  said = Date.now();
  write("said", text);
}

function counted() {
  while (recent.length > 0 && Date.now() - recent[0] > EDGE_MEMORY_MS) recent.shift();
  write("tile-edges", count(recent.length));
  write("tile-edges-note", recent.length > 0 ? `latest ${clockTime(new Date(recent.at(-1))).slice(0, 8)}` : "none");
}

// --- the connection ----------------------------------------------------------------------------------

const LINKS = {
  live: "live",
  polling: "every second; no stream of changes",
  down: "the agent does not answer; trying again",
};

function link(state) {
  byId("link").dataset.state = state;
  write("link", LINKS[state]);
  document.body.classList.toggle("stale", state === "down");
}

const feed = new Feed({
  data: show,
  edge: change,
  lost: number => line("lost", new Date(), "missed", `${count(number)} changes`, "they came faster than this page took them"),
  link,
});

byId("filter").addEventListener("input", arrange);
setInterval(counted, 5000);
counted();
feed.start();
