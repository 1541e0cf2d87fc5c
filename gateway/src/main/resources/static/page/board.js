// SPDX-License-Identifier: Apache-2.0
// The demo's half of the page: asks it once a second how its arms do, and tells it what was pressed. A gateway without a demo has none.

const PERIOD_MS = 1000;
/** A gateway that knows of no demo is asked once in so many periods. */
const REST = 15;
const PATIENCE_MS = 4000;
/** An agent takes seconds to start, and 25 processes to switch. */
const PRESS_PATIENCE_MS = 60_000;
const BASE = "live/demo/";

/** Calls `state(told)`, `absent()` when no demo answers, and `pressed(text)` with what went wrong or an empty text. */
export class Board {
  #handlers;
  #timer = 0;
  #asking = false;
  #rest = 0;

  constructor(handlers) {
    this.#handlers = handlers;
  }

  start() {
    document.addEventListener("visibilitychange", () => this.#work());
    this.#work();
  }

  #work() {
    clearInterval(this.#timer);
    if (document.hidden) return;
    this.#timer = setInterval(() => { if (this.#rest-- <= 0) this.ask(); }, PERIOD_MS);
    this.ask();
  }

  async ask() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const response = await fetch(`${BASE}state`, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
      this.#rest = response.status === 404 ? REST : 0;
      if (!response.ok) throw new Error(`status ${response.status}`);
      this.#handlers.state(await response.json());
    } catch {
      this.#handlers.absent();
    } finally {
      this.#asking = false;
    }
  }

  /** `what`: arms/NAME, faults/NAME/on|off, agent/on|off or figures/forget. JSON, which no other site's page may send. */
  async press(what) {
    let trouble = "";
    try {
      const response = await fetch(BASE + what, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", signal: AbortSignal.timeout(PRESS_PATIENCE_MS),
      });
      if (!response.ok) trouble = (await response.json()).error ?? `status ${response.status}`;
    } catch (error) {
      trouble = `no answer to ${what}: ${error.message}`;
    }
    await this.ask();
    this.#handlers.pressed(trouble);
  }
}

/** Buttons that stay the same elements, so that the focus stays where it is. `press(name, on)` is called with what is wanted. */
export class Switches {
  #root;
  #press;
  #buttons = new Map();

  constructor(root, press) {
    this.#root = root;
    this.#press = press;
  }

  /** Each of `items`: `name`, `label`, `about`, `on`, and `why` when it cannot be switched. */
  show(items) {
    for (const item of items) {
      const { button, label, about } = this.#buttons.get(item.name) ?? this.#add(item.name);
      button.setAttribute("aria-pressed", String(item.on));
      button.disabled = Boolean(item.why);
      for (const [node, text] of [[label, item.label], [about, item.why || item.about]]) {
        if (node.textContent !== text) node.textContent = text;
      }
    }
  }

  #add(name) {
    const button = document.createElement("button");
    const label = document.createElement("span");
    const about = document.createElement("span");
    button.type = "button";
    button.dataset.name = name;
    label.className = "label";
    about.className = "about";
    about.id = `${this.#root.id}-${name}-about`;
    label.id = `${this.#root.id}-${name}`;
    button.setAttribute("aria-labelledby", label.id);
    button.setAttribute("aria-describedby", about.id);
    button.append(label, about);
    button.addEventListener("click", () => this.#pressed(button));
    this.#root.append(button);
    const known = { button, label, about };
    this.#buttons.set(name, known);
    return known;
  }

  /** One at a time; the button keeps the focus meanwhile. */
  async #pressed(button) {
    if (this.#root.getAttribute("aria-busy") === "true") return;
    this.#root.setAttribute("aria-busy", "true");
    try {
      await this.#press(button.dataset.name, button.getAttribute("aria-pressed") !== "true");
    } finally {
      this.#root.removeAttribute("aria-busy");
    }
  }
}
