// SPDX-License-Identifier: Apache-2.0
// Keeps the page supplied: everything once a second, changes at once. Both come back by themselves after a restart of the
// agent, and both rest while nobody looks, so that forgotten tabs cost the node nothing.

const PERIOD_MS = 1000;
const PATIENCE_MS = 4000;
const RETRY_MS = 2000;
const SOON_MS = 100;
const EDGES = ["congested", "stalled", "gone", "cleared"];

/** Calls `data(answer)`, `edge(change)`, `lost(count)` and `link(state)`: live, polling or down. */
export class Feed {
  #handlers;
  #base;
  #source = null;
  #streaming = false;
  #answering = false;
  #lastId = "";
  #timer = 0;
  #retry = 0;
  #asking = false;
  #soon = 0;

  /** @param base where the agent answers, seen from the page: another server's page may reach it through that server */
  constructor(handlers, base = "") {
    this.#handlers = handlers;
    this.#base = base;
  }

  start() {
    document.addEventListener("visibilitychange", () => document.hidden ? this.#rest() : this.#work());
    if (!document.hidden) this.#work();
  }

  #work() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.ask(), PERIOD_MS);
    this.ask();
    this.#listen();
  }

  #rest() {
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    this.#streaming = false;
  }

  /** One answer now, unless one is awaited already. */
  async ask() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const response = await fetch(`${this.#base}api/v1/endpoints`, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const answer = await response.json();
      this.#answering = true;
      this.#handlers.data(answer);
    } catch {
      this.#answering = false;
    } finally {
      this.#asking = false;
      this.#say();
    }
  }

  /** Asks soon, outside the rhythm, because something changed. */
  hurry() {
    if (this.#soon) return;
    this.#soon = setTimeout(() => {
      this.#soon = 0;
      this.ask();
    }, SOON_MS);
  }

  #listen() {
    clearTimeout(this.#retry);
    this.#source?.close();
    const after = this.#lastId ? `?after=${encodeURIComponent(this.#lastId)}` : "";
    const source = new EventSource(`${this.#base}api/v1/stream${after}`);
    this.#source = source;
    source.onopen = () => this.#stream(true);
    source.onerror = () => {
      this.#stream(false);
      // A browser comes back by itself after a break, but not after a refusal.
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      this.#retry = setTimeout(() => this.#listen(), RETRY_MS);
    };
    const remember = event => { this.#lastId = event.lastEventId; };
    source.addEventListener("hello", remember);
    source.addEventListener("lost", event => {
      remember(event);
      this.#handlers.lost(JSON.parse(event.data).count);
    });
    for (const name of EDGES) {
      source.addEventListener(name, event => {
        remember(event);
        this.#handlers.edge(JSON.parse(event.data));
        this.hurry();
      });
    }
  }

  #stream(open) {
    this.#streaming = open;
    this.#say();
  }

  #say() {
    this.#handlers.link(!this.#answering ? "down" : this.#streaming ? "live" : "polling");
  }
}
