// SPDX-License-Identifier: Apache-2.0
// Tables whose rows stay the same elements while their cells change, so that neither a screen reader nor a selection loses its
// place. The classes are those of the agent's tables: on a narrow screen each row becomes a card.

import { make, write } from "./dom.js";

export class Rows {
  #labels;
  #body = make("tbody", { role: "rowgroup" });
  #rows = new Map();

  /** `labels`: of the state, of the row's name, and of each value. */
  constructor(table, labels) {
    this.#labels = labels;
    const head = labels.map(label => make("th", { scope: "col", role: "columnheader" }, label));
    table.replaceChildren(make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...head)), this.#body);
  }

  /** Each of `rows`: `key`, `state` for colours, `badge`, `name`, `about`, and of each value `[text, note]`. */
  show(rows) {
    const keys = new Set(rows.map(row => row.key));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.node.remove();
      this.#rows.delete(key);
    }
    for (const row of rows) {
      const shown = this.#rows.get(row.key) ?? this.#add(row.key);
      shown.node.dataset.state = row.state;
      write(shown.badge, row.badge);
      write(shown.name, row.name);
      write(shown.about, row.about);
      row.values.forEach(([text, note], i) => {
        write(shown.cells[i].value, text);
        write(shown.cells[i].note, note ?? "");
      });
    }
  }

  #add(key) {
    const badge = make("span", { class: "badge" });
    const name = make("span", { class: "name" });
    const about = make("span", { class: "about" });
    const cells = this.#labels.slice(2).map(label => {
      const value = make("span", { class: "value" });
      const note = make("span", { class: "about" });
      const node = make("td", { role: "cell", "data-label": label, class: "plain" }, make("span", { class: "numbers" }, value, note));
      return { node, value, note };
    });
    const node = make("tr", { role: "row" },
      make("td", { role: "cell", class: "state" }, badge),
      make("th", { role: "rowheader", scope: "row" }, name, about),
      ...cells.map(cell => cell.node));
    this.#body.append(node);
    const row = { node, badge, name, about, cells };
    this.#rows.set(key, row);
    return row;
  }
}
