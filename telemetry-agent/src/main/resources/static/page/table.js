// SPDX-License-Identifier: Apache-2.0
// A table of endpoints whose rows stay the same elements while their numbers change, so that neither a screen reader nor a
// selection loses its place.

import { make, write } from "./dom.js";
import { draw, Series, sparkline } from "./spark.js";
import { endpointKey, endpointName, RANK, stateOf } from "./format.js";

/** Rows drawn at most; the filter reaches the others. */
const MAX_ROWS = 200;

/**
 * `columns`: label, `value(endpoint, rates)`, `format`, and with a `floor` a sparkline; `note(endpoint, rates)` is a second line.
 * `describe(endpoint)` is the second line of the name.
 */
export class EndpointTable {
  #kind;
  #columns;
  #describe;
  #body;
  #table;
  #rows = new Map();

  constructor(table, kind, columns, describe) {
    this.#table = table;
    this.#kind = kind;
    this.#columns = columns;
    this.#describe = describe;
    const head = ["State", kind === "local" ? "Endpoint" : "Peer", ...columns.map(column => column.label)]
      .map(label => make("th", { scope: "col", role: "columnheader" }, label));
    this.#body = make("tbody", { role: "rowgroup" });
    table.append(make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...head)), this.#body);
  }

  /** Takes a whole answer. `seconds` since the last sample of the sparklines; 0 when this answer is too early for one. */
  update(endpoints, seconds) {
    const present = new Set();
    for (const endpoint of endpoints) {
      const key = endpointKey(this.#kind, endpoint);
      present.add(key);
      const row = this.#rows.get(key) ?? this.#add(key);
      this.#sample(row, endpoint, seconds);
    }
    for (const [key, row] of this.#rows) {
      if (present.has(key)) continue;
      row.node.remove();
      this.#rows.delete(key);
    }
  }

  /** Shows at once what a change says, before the next answer. */
  mark(edge) {
    const row = this.#rows.get(endpointKey(edge.endpoint.kind, edge.endpoint));
    if (!row?.endpoint) return;
    row.endpoint[edge.condition] = edge.edge !== "cleared";
    this.#state(row);
    row.node.classList.remove("flash");
    requestAnimationFrame(() => row.node.classList.add("flash"));
  }

  /** Sorts, filters and draws; how many rows are shown, and how many there are. Trouble first, then by name, so that rows keep their places while they are well. */
  arrange(matches) {
    const order = [...this.#rows.values()].filter(row => matches(row.text)).sort((a, b) =>
      RANK[stateOf(a.endpoint)] - RANK[stateOf(b.endpoint)] || a.text.localeCompare(b.text, "en", { numeric: true }));
    const shown = order.slice(0, MAX_ROWS);
    const keep = new Set(shown);
    for (const row of this.#rows.values()) if (!keep.has(row)) row.node.remove();
    shown.forEach((row, i) => {
      if (this.#body.children[i] !== row.node) this.#body.insertBefore(row.node, this.#body.children[i] ?? null);
      this.#draw(row);
    });
    this.#table.hidden = shown.length === 0;
    return { shown: shown.length, all: this.#rows.size };
  }

  #add(key) {
    const badge = make("span", { class: "badge" });
    const name = make("span", { class: "name" });
    const about = make("span", { class: "about" });
    const cells = this.#columns.map(column => {
      const value = make("span", { class: "value" });
      const note = make("span", { class: "about" });
      const picture = column.floor === undefined ? null : sparkline();
      const numbers = make("span", { class: "numbers" }, value, note);
      const node = make("td", { role: "cell", "data-label": column.label, class: `${picture ? "drawn" : "plain"}${column.note ? " noted" : ""}` });
      node.append(...(picture ? [picture, numbers] : [numbers]));
      return { node, value, note, picture, series: new Series() };
    });
    const node = make("tr", { role: "row" },
      make("td", { role: "cell", class: "state" }, badge),
      make("th", { role: "rowheader", scope: "row" }, name, about),
      ...cells.map(cell => cell.node));
    const row = { node, badge, name, about, cells, text: "", endpoint: null, base: null, rates: {} };
    this.#rows.set(key, row);
    return row;
  }

  #sample(row, endpoint, seconds) {
    const sample = seconds > 0 || row.base === null;
    if (sample) {
      row.rates = rates(row.base, endpoint, seconds);
      row.base = endpoint;
    }
    row.endpoint = endpoint;
    const bad = stateOf(endpoint) !== "well";
    row.cells.forEach((cell, i) => {
      cell.latest = this.#columns[i].value(endpoint, row.rates) ?? null;
      cell.series.put(cell.latest, bad, sample);
    });
    row.text = `${endpointName(endpoint)} ${this.#describe(endpoint)} ${stateOf(endpoint)}`;
  }

  #state(row) {
    const state = stateOf(row.endpoint);
    row.node.dataset.state = state;
    write(row.badge, state);
  }

  #draw(row) {
    this.#state(row);
    write(row.name, endpointName(row.endpoint));
    write(row.about, this.#describe(row.endpoint));
    row.about.title = row.about.textContent;
    row.cells.forEach((cell, i) => {
      const column = this.#columns[i];
      write(cell.value, column.format(cell.latest));
      write(cell.note, column.note?.(row.endpoint, row.rates) ?? "");
      if (cell.picture) draw(cell.picture, cell.series, column.floor, column.label, column.format);
    });
  }
}

/** Totals of two answers as rates per second; null for a first answer, or after a restart of the agent. */
function rates(before, now, seconds) {
  const per = read => {
    const from = before ? read(before) : undefined;
    const to = read(now);
    return from === undefined || to === undefined || to < from || seconds <= 0 ? null : (to - from) / seconds;
  };
  return { reads: per(e => e.queue?.reads), segments: per(e => e.path?.segments), failures: per(e => e.http?.class5xx),
    refusals: per(e => e.http?.class4xx) };
}
