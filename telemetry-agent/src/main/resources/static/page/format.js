// SPDX-License-Identifier: Apache-2.0
// Numbers and names as people read them. Whatever comes from the node ends in textContent, never in markup.

const digits = value => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** A time given in microseconds. */
export function micros(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1) return "0";
  if (value < 1000) return `${Math.round(value)} µs`;
  if (value < 1e6) return `${digits(value / 1e3)} ms`;
  return `${digits(value / 1e6)} s`;
}

/** A plain count, or a rate. */
export function count(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 1e6) return `${digits(value / 1e6)} M`;
  if (value >= 1e4) return `${digits(value / 1e3)} k`;
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

export function bytes(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 1 << 20) return `${digits(value / (1 << 20))} MiB`;
  if (value >= 1 << 10) return `${digits(value / (1 << 10))} KiB`;
  return `${value} B`;
}

/** A share given in thousandths. */
export function permille(value) {
  if (value === null || value === undefined) return "–";
  return value === 0 ? "0 %" : `${(value / 10).toFixed(1)} %`;
}

/** Address and port as in a URL. */
export function endpointName(endpoint) {
  const address = endpoint.address.includes(":") ? `[${endpoint.address}]` : endpoint.address;
  return `${address}:${endpoint.port}`;
}

/** What an endpoint is called between two answers of the agent. */
export function endpointKey(kind, endpoint) {
  return `${kind} ${endpoint.netns} ${endpoint.address} ${endpoint.port}`;
}

/** The worst that is true of it. */
export function stateOf(endpoint) {
  if (endpoint.gone) return "gone";
  if (endpoint.stalled) return "stalled";
  if (endpoint.congested) return "congested";
  return "well";
}

export const RANK = { stalled: 0, congested: 1, gone: 2, well: 3 };

/** Time of day with milliseconds. */
export function clockTime(date) {
  const pad = (value, width) => String(value).padStart(width, "0");
  return `${pad(date.getHours(), 2)}:${pad(date.getMinutes(), 2)}:${pad(date.getSeconds(), 2)}.${pad(date.getMilliseconds(), 3)}`;
}
