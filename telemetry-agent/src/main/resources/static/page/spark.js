// SPDX-License-Identifier: Apache-2.0
// Sparklines: the last minute and a half of one value, one sample a second.

const NS = "http://www.w3.org/2000/svg";
export const SAMPLES = 90;
const WIDTH = 90;
const HEIGHT = 24;

/** The last samples of one value and of the endpoint's state; null is a sample that was not taken. */
export class Series {
  #values = [];
  #bad = [];

  /** A new sample, or else a correction of the latest one; trouble that was seen stays seen. */
  put(value, bad, sample) {
    if (!sample) {
      this.#values[this.#values.length - 1] = value;
      this.#bad[this.#bad.length - 1] ||= bad;
      return;
    }
    this.#values.push(value);
    this.#bad.push(bad);
    if (this.#values.length > SAMPLES) {
      this.#values.shift();
      this.#bad.shift();
    }
  }

  get values() { return this.#values; }
  get bad() { return this.#bad; }

  get most() { return this.#values.reduce((most, value) => value > most ? value : most, 0); }
}

/** An empty picture; `draw` fills it again and again. */
export function sparkline() {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("class", "spark");
  for (const name of ["bad", "area", "line"]) {
    const path = document.createElementNS(NS, "path");
    path.setAttribute("class", name);
    svg.append(path);
  }
  return svg;
}

/**
 * @param floor the least height of the scale, so that noise of a healthy endpoint does not look like mountains
 * @param label what it is, for those who do not see it; `format` writes the most
 */
export function draw(svg, series, floor, label, format) {
  const { values, bad, most } = series;
  const top = Math.max(most, floor) * 1.05;
  const left = WIDTH - values.length;
  const y = value => (HEIGHT - 1 - value / top * (HEIGHT - 2)).toFixed(1);
  let line = "";
  let area = "";
  let run = [];
  const end = () => {
    if (run.length > 0) {
      line += `M${run.map(([x, value]) => `${x} ${y(value)}`).join("L")}`;
      if (run.length === 1) line += "h.8";
      area += `M${run[0][0]} ${HEIGHT}L${run.map(([x, value]) => `${x} ${y(value)}`).join("L")}L${run.at(-1)[0]} ${HEIGHT}Z`;
    }
    run = [];
  };
  values.forEach((value, i) => value === null ? end() : run.push([left + i, value]));
  end();
  const bands = bad.map((is, i) => is ? `M${left + i} 0h1v${HEIGHT}h-1Z` : "").join("");
  const [first, second, third] = svg.children;
  first.setAttribute("d", bands);
  second.setAttribute("d", area);
  third.setAttribute("d", line);
  svg.setAttribute("aria-label", `${label}, last ${values.length} s: at most ${format(most)}`);
}
