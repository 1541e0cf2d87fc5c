// SPDX-License-Identifier: Apache-2.0
// The page: what is shown where. The graph comes from the checkout service, the kernel's view from the agent, mode and table from
// the gateway's own endpoint, and arms, faults and latencies from the demo; each may be away while the others go on.

import { Feed } from "./feed.js";
import { clockTime, count, micros } from "./format.js";
import { Board, Switches } from "./board.js";
import { Graph } from "./graph.js";
import { Health, STATES } from "./health.js";
import { Rows } from "./rows.js";

const GATEWAY_MS = 2000;
const PATIENCE_MS = 4000;
/** Trouble that is over is drawn a little longer: painted often enough that it also ends. */
const PAINT_MS = 500;
const SAY_EVERY_MS = 3000;
/** Shares are of the requests served in this time. */
const SHARE_MS = 6000;
const HTTP_FRESH_MS = 5000;

const ARMS = {
  "round-robin": ["Round robin", "Spring's own balancer"],
  application: ["Application", "Aether on what the callers see"],
  kernel: ["Kernel", "Aether on what the kernel sees too"],
  "kernel-hedge": ["Kernel and hedging", "and a second attempt for calls that wait too long"],
};
const FIGURES = ["P50", "P90", "P99", "P99.9"];

const byId = id => document.getElementById(id);

function write(id, text) {
  const node = byId(id);
  if (node.textContent !== text) node.textContent = text;
}

const health = new Health();
let services = [];
let graph = null;

// --- how things stand ----------------------------------------------------------------------------------

/** Since when each is away; null while it is there, undefined before it was first seen or missed. */
const away = { gateway: undefined, agent: undefined };
let aether = null;

function note(what, is) {
  if (is) away[what] = null;
  else away[what] ??= new Date();
  status();
}

function status() {
  const since = date => clockTime(date).slice(0, 8);
  const goesOn = aether?.mode === "off" ? "round robin goes on" : "balancing on application signals";
  if (away.gateway) say("down", `gateway away since ${since(away.gateway)}; trying again`);
  else if (away.agent) say("polling", `agent away since ${since(away.agent)}, ${goesOn}`);
  else if (away.gateway === null && away.agent === null) say("live", "live");
  document.body.classList.toggle("stale", Boolean(away.gateway));
}

function say(state, text) {
  byId("link").dataset.state = state;
  write("link", text);
}

/** The gateway's own view: who decides there, and whether it reads the kernel's table. */
async function askGateway() {
  try {
    const response = await fetch("actuator/aether", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    aether = await response.json();
    write("mode", `Gateway: mode ${aether.mode}, signals ${aether.signals}, table ${aether.table.state}`);
    note("gateway", true);
  } catch {
    note("gateway", false);
  }
}

// --- the graph -----------------------------------------------------------------------------------------

/** Once: who calls whom does not change while the processes run. */
async function askGraph() {
  if (graph) return;
  try {
    const response = await fetch("live/graph", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    services = (await response.json()).services;
    graph = new Graph(byId("graph"), services);
    byId("graph-empty").hidden = true;
    paint();
    ready();
  } catch (error) {
    write("graph-empty", `No instance of checkout has told its graph yet (${error.message}); trying again.`);
  }
}

let said = 0;
let lastWords = "";

function paint() {
  if (!graph) return;
  const words = graph.paint(health).join("; ") || "no call in trouble";
  instances();
  // A sentence every few seconds at most: a storm of changes must not drown a screen reader.
  if (words === lastWords || Date.now() - said < SAY_EVERY_MS) return;
  said = Date.now();
  lastWords = words;
  write("said", words);
}

function legend() {
  byId("legend").replaceChildren(...Object.entries(STATES).reverse().map(([state, { glyph, words }]) => {
    const item = document.createElement("li");
    item.dataset.state = state;
    const sample = document.createElement("span");
    sample.className = "sample";
    sample.setAttribute("aria-hidden", "true");
    sample.textContent = glyph;
    item.append(sample, words);
    return item;
  }));
}

const table = new Rows(byId("instances"), ["Kernel", "Instance", "Traffic", "RTT", "First byte", "Answers/s"]);

/** Those with a choice: every instance of a service that has more than one, each process once. */
function instances() {
  const rows = new Map();
  for (const service of services.filter(one => one.instances.length > 1)) {
    for (const instance of service.instances) {
      const row = rows.get(instance.id) ?? { instance, of: [] };
      row.of.push(service);
      rows.set(instance.id, row);
    }
  }
  table.show([...rows.values()].map(({ instance, of }) => {
    const { state, peer } = health.of(instance);
    const http = peer?.http && peer.http.ageMillis < HTTP_FRESH_MS ? peer.http : null;
    return {
      key: instance.id, state, badge: state, name: instance.id,
      about: of.length > 1 ? of.map(service => service.id).join(", ") : `${instance.host}:${instance.port}`,
      values: [[of.length > 1 ? "–" : share(instance, of[0])], [micros(peer?.path?.rttMicros)], [micros(http?.ttfbMicros)],
        [count(http?.answersPerSecond)]],
    };
  }));
  write("instances-note", `${rows.size} that callers choose among`);
}

// --- traffic, from what the instances count ------------------------------------------------------------

const served = [];

function remember(counts) {
  served.push({ at: Date.now(), counts });
  while (served.length > 2 && Date.now() - served[1].at > SHARE_MS) served.shift();
}

/** Since the first count that is kept; one that went down began anew, one that is missing did not answer. */
function servedLately(instance, service) {
  const to = served.at(-1).counts[service.id]?.[instance.id];
  const from = served[0].counts[service.id]?.[instance.id] ?? to;
  return to === undefined ? 0 : to >= from ? to - from : to;
}

function share(instance, service) {
  if (served.length < 2) return "–";
  const all = service.instances.reduce((sum, one) => sum + servedLately(one, service), 0);
  return all === 0 ? "–" : `${(servedLately(instance, service) / all * 100).toFixed(0)} %`;
}

// --- the demo's switches and figures -------------------------------------------------------------------

const board = new Board({
  state: showDemo,
  absent: () => {
    byId("board").hidden = true;
    byId("figures-panel").hidden = true;
    served.length = 0;
  },
  pressed: trouble => {
    askGateway();
    byId("notice").hidden = trouble === "";
    write("notice-text", trouble);
  },
});
const arms = new Switches(byId("arms"), name => board.press(`arms/${name}`));
const faults = new Switches(byId("faults"), (name, on) => board.press(`faults/${name}/${on ? "on" : "off"}`));
const agent = new Switches(byId("agent"), (name, on) => board.press(`agent/${on ? "on" : "off"}`));
const figures = new Rows(byId("figures"), ["Runs", "Arm", "Checkouts", ...FIGURES, "Errors"]);

function showDemo(told) {
  byId("board").hidden = false;
  byId("figures-panel").hidden = false;
  arms.show(told.arms.map(arm => ({
    name: arm.name, label: ARMS[arm.name]?.[0] ?? arm.name, about: ARMS[arm.name]?.[1] ?? "", on: arm.name === told.arm, why: arm.why,
  })));
  faults.show(told.faults.map(fault => ({
    name: fault.name, label: `${fault.name} ${fault.instance}`, about: fault.what, on: fault.on, why: fault.why,
  })));
  agent.show([{ name: "agent", label: "Agent", about: "watches the kernel on this node", on: told.agent.on, why: told.agent.why }]);
  write("agent-note", told.agent.on ? "" : "Callers go on with what they see themselves.");
  remember(told.served);
  figures.show(told.arms.filter(arm => !arm.why).map(arm => row(arm, told)));
  write("figures-note", `${count(told.rate)} a second arrive whatever the answers do; the last ${count(told.kept)} of each arm`
    + (told.load ? "" : " (the load has ended)"));
}

function row(arm, told) {
  const base = told.arms.find(one => one.name === "round-robin");
  const values = arm.millis.map((value, i) => {
    if (arm.requests === arm.errors) return ["–"];
    const from = base && base !== arm ? base.millis[i] : 0;
    const change = from > 0 ? Math.round((value / from - 1) * 100) : null;
    return [micros(value * 1000), change === null ? "" : `${change > 0 ? "+" : ""}${change} %`];
  });
  const active = arm.name === told.arm;
  return { key: arm.name, state: active ? "active" : "", badge: active ? "now" : "", name: ARMS[arm.name]?.[0] ?? arm.name, about: "",
    values: [[count(arm.requests)], ...values, [count(arm.errors)]] };
}

/** The first moment at which the graph stood there in the kernel's colours, or without them because the agent is away. */
function ready() {
  if (document.body.dataset.ready || !graph || away.agent === undefined) return;
  document.body.dataset.ready = "true";
  performance.mark("first-data");
}

// --- the beginning -------------------------------------------------------------------------------------

const feed = new Feed({
  data: answer => {
    health.take(answer);
    paint();
  },
  edge: change => {
    health.change(change);
    paint();
  },
  lost: () => feed.ask(),
  link: state => {
    if (state === "down") health.forget();
    note("agent", state !== "down");
    paint();
    ready();
  },
}, "live/agent/");

byId("forget").addEventListener("click", () => board.press("figures/forget"));
legend();
setInterval(() => { if (!document.hidden) paint(); }, PAINT_MS);
function ask() {
  if (document.hidden) return;
  askGateway();
  askGraph();
}

setInterval(ask, GATEWAY_MS);
ask();
board.start();
feed.start();
