// SPDX-License-Identifier: Apache-2.0
// What the kernel says of each instance, as the agent tells it: the state of its address, and whether it was in trouble just now.

import { stateOf } from "./format.js";

/** Trouble that is over stays drawn this long: a stop of 300 ms would otherwise be gone before an eye finds it. */
const LINGER_MS = 1500;

/** From the worst; every state has its shape and its words, so that colour is never all there is. */
export const STATES = {
  stalled: { glyph: "■", words: "stalled: data lies unread" },
  congested: { glyph: "▲", words: "congested: round trips take long" },
  gone: { glyph: "✕", words: "gone: nobody listens" },
  unknown: { glyph: "○", words: "unknown: the kernel has not told" },
  healthy: { glyph: "●", words: "healthy" },
};
export const WORST_FIRST = Object.keys(STATES);

export const worse = (a, b) => WORST_FIRST.indexOf(a) <= WORST_FIRST.indexOf(b) ? a : b;

/** One spelling for an address and port, whoever wrote it: browsers shorten IPv6 as the agent does. */
function place(address, port) {
  const text = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  try {
    return new URL(`http://${text}/`).host;
  } catch {
    return text;
  }
}

export class Health {
  #known = new Map();
  #troubles = new Map();

  /** A whole answer of the agent. What it no longer lists is unknown. */
  take(answer) {
    this.#known.clear();
    for (const endpoint of answer.locals) this.#add(endpoint, null);
    for (const endpoint of answer.peers) this.#add(endpoint, endpoint);
  }

  /** A change, before the next answer. */
  change(edge) {
    const at = place(edge.endpoint.address, edge.endpoint.port);
    if (edge.edge === "cleared") return;
    const known = this.#known.get(at) ?? { state: edge.condition, peer: null };
    this.#known.set(at, { ...known, state: worse(known.state, edge.condition) });
    this.#note(at, edge.condition);
  }

  /** The agent is away: what it said is no longer known. */
  forget() {
    this.#known.clear();
    this.#troubles.clear();
  }

  /** `state`, and as `peer` what the agent says of the way there; null when it says nothing. */
  of(instance) {
    const at = place(instance.address, instance.port);
    const known = this.#known.get(at);
    if (!known) return { state: "unknown", peer: null };
    const trouble = this.#troubles.get(at);
    return trouble && trouble.until > Date.now() ? { ...known, state: worse(known.state, trouble.state) } : known;
  }

  /** Of all instances of a service: the worst state, and how many are in it. */
  ofAll(instances) {
    const states = instances.map(instance => this.of(instance).state);
    const known = states.filter(state => state !== "unknown");
    const state = known.reduce(worse, known.length > 0 ? "healthy" : "unknown");
    return { state, count: states.filter(one => one === state).length, all: states.length };
  }

  #add(endpoint, peer) {
    const at = place(endpoint.address, endpoint.port);
    const before = this.#known.get(at);
    const told = stateOf(endpoint);
    const state = told === "well" ? "healthy" : told;
    this.#known.set(at, { state: before ? worse(before.state, state) : state, peer: peer ?? before?.peer ?? null });
    if (told !== "well") this.#note(at, state);
  }

  #note(at, state) {
    this.#troubles.set(at, { state, until: Date.now() + LINGER_MS });
  }
}
