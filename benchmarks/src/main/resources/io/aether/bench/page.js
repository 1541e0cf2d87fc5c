const NS = "http://www.w3.org/2000/svg";
const color = arm => `var(--${arm})`;
const byId = id => document.getElementById(id);

function add(parent, tag, attributes, text) {
  const node = document.createElementNS(parent.namespaceURI === NS || tag === "svg" ? NS : "http://www.w3.org/1999/xhtml", tag);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}

function row(table, cells, tag) {
  const tr = add(table, "tr");
  for (const cell of cells) {
    const td = add(tr, tag || "td");
    if (cell.arm) add(td, "span", { class: "dot", style: `background:${color(cell.arm)}` });
    td.append(cell.text ?? cell);
    if (cell.note) add(td, "small", {}, ` ${cell.note}`);
  }
}
