// SPDX-License-Identifier: Apache-2.0
// Elements that stay the same while what they show changes, so that neither a screen reader nor a selection loses its place.

export function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Only what differs is written, for the same reason. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
