// SPDX-License-Identifier: Apache-2.0
// The graph of calls as a picture: every service in the column of its longest way from the gateway, callers to the left. Drawn
// once; afterwards only states change.

import { STATES } from "./health.js";

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const ROW = 47;
const BOX = { width: 126, height: 36 };
const EDGE = 6;
/** How far before the called service the mark of an edge sits: there edges have parted, and no box of another column covers it. */
const MARK_BEFORE = 25;
const SWEEPS = 6;

function make(tag, attributes, ...children) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Services with the gateway before the one that nobody calls. */
function withGateway(services) {
  const called = new Set(services.flatMap(service => service.calls.map(call => call.to)));
  const roots = services.filter(service => !called.has(service.id));
  const calls = roots.map(root => ({ to: root.id, count: 1, optional: false }));
  return [{ id: "gateway", calls, instances: [] }, ...services];
}

/** Columns of services, ordered so that few edges cross: each goes to the mean place of its neighbours, a few times over. */
function columns(services) {
  const depth = new Map();
  const visit = (service, at) => {
    if ((depth.get(service.id) ?? -1) >= at || at > services.length) return;
    depth.set(service.id, at);
    for (const call of service.calls) {
      const callee = services.find(one => one.id === call.to);
      if (callee) visit(callee, at + 1);
    }
  };
  visit(services[0], 0);
  const sorted = [];
  for (const service of services) (sorted[depth.get(service.id) ?? 1] ??= []).push(service);
  const layers = sorted.filter(Boolean);
  const neighbours = service => services.filter(other => other.calls.some(call => call.to === service.id)
    || service.calls.some(call => call.to === other.id));
  for (let i = 0; i < SWEEPS; i++) {
    const place = new Map();
    for (const layer of layers) layer.forEach((service, at) => place.set(service.id, (at + 0.5) / layer.length));
    const mean = service => {
      const near = neighbours(service).map(other => place.get(other.id));
      return near.length === 0 ? 0 : near.reduce((sum, value) => sum + value, 0) / near.length;
    };
    for (const layer of layers) {
      const means = new Map(layer.map(service => [service, mean(service)]));
      layer.sort((a, b) => means.get(a) - means.get(b));
    }
  }
  return layers;
}

export class Graph {
  #svg;
  #nodes = [];
  #edges = [];

  constructor(svg, services) {
    this.#svg = svg;
    const all = withGateway(services);
    const layers = columns(all);
    const height = Math.max(...layers.map(layer => layer.length)) * ROW + 2 * EDGE;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    const step = (WIDTH - BOX.width - 2 * EDGE) / Math.max(1, layers.length - 1);
    const places = new Map();
    layers.forEach((layer, column) => layer.forEach((service, row) =>
      places.set(service.id, { x: EDGE + column * step, y: (row + 0.5) * height / layer.length - BOX.height / 2 })));
    const edges = all.flatMap(from => from.calls.filter(call => places.has(call.to)).map(call =>
      this.#edge(from, call, all.find(service => service.id === call.to), places)));
    const nodes = all.map(service => this.#node(service, places.get(service.id)));
    svg.replaceChildren(make("g", { class: "edges-drawn" }, ...edges), make("g", { class: "nodes-drawn" }, ...nodes));
  }

  #edge(from, call, callee, places) {
    const a = places.get(from.id);
    const b = places.get(call.to);
    const [x1, y1, x2, y2] = [a.x + BOX.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
    const bend = (x2 - x1) / 2;
    const line = make("path", {
      class: "line", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, "stroke-width": 1.2 + call.count * 0.4,
    });
    const t = 1 - MARK_BEFORE / (x2 - x1);
    const along = (p0, p1, p2, p3) => (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t * t * p2 + t ** 3 * p3;
    const mark = make("text", { class: "mark", x: along(x1, x1 + bend, x2 - bend, x2), y: along(y1, y1, y2, y2) + 4 });
    const title = make("title", {});
    const node = make("g", { class: `edge${call.optional ? " optional" : ""}`, "data-edge": `${from.id} ${call.to}` }, title, line, mark);
    this.#edges.push({ node, mark, title, callee, name: `${from.id} → ${call.to}`, times: call.count, optional: call.optional });
    return node;
  }

  #node(service, { x, y }) {
    const title = make("title", {});
    const single = service.instances.length === 0;
    const name = make("text", { class: "name", x: x + 10, y: y + (single ? 22 : 15) }, service.id);
    const dots = service.instances.map((instance, i) => ({
      instance, node: make("text", { class: "dot", x: x + 10 + i * 14, y: y + 30 }),
    }));
    const node = make("g", { class: "node", "data-service": service.id }, title,
      make("rect", { x, y, width: BOX.width, height: BOX.height, rx: 7 }), name, ...dots.map(dot => dot.node));
    this.#nodes.push({ node, title, service, dots });
    return node;
  }

  /** Shows what `health` says now; returns the edges that are in trouble, in words. */
  paint(health) {
    for (const { node, title, service, dots } of this.#nodes) {
      for (const dot of dots) {
        const { state } = health.of(dot.instance);
        dot.node.dataset.state = state;
        write(dot.node, STATES[state].glyph);
      }
      if (dots.length > 0) node.dataset.state = health.ofAll(service.instances).state;
      write(title, [service.id, ...dots.map(dot => `${dot.instance.id}: ${dot.node.dataset.state}`)].join("\n"));
    }
    const troubles = [];
    for (const edge of this.#edges) {
      const { state, count, all } = health.ofAll(edge.callee.instances);
      const well = state === "healthy" || state === "unknown";
      edge.node.dataset.state = state;
      write(edge.mark, well ? "" : STATES[state].glyph);
      const words = `${edge.name}: ${well ? state : `${count} of ${all} ${state}`}`;
      write(edge.title, `${words}\n${edge.times} call${edge.times > 1 ? "s" : ""} a checkout${edge.optional ? ", optional" : ""}`);
      if (!well) troubles.push(words);
    }
    const summary = troubles.length > 0 ? troubles.join("; ") : "no call in trouble";
    this.#svg.setAttribute("aria-label", `${this.#nodes.length} services, ${this.#edges.length} edges; ${summary}`);
    return troubles;
  }
}
