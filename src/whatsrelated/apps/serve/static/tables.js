// Click a heading to sort a table; type text to filter a table or a list. Both can be saved as CSV
// or JSON.
"use strict";

const valueOf = (cell) => (cell.dataset.value ?? cell.textContent.trim().replace(/\s+/g, " "));
const numberOf = (text) => (text === "" || text === "–" ? -Infinity : Number(text.replaceAll(",", "")));
const MANY_ROWS = 8;

const sort = (head) => {
  const body = head.closest("table").tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const order = (a, b) => {
    const [one, other] = [a, b].map((row) => valueOf(row.cells[head.cellIndex]));
    const [first, second] = [numberOf(one), numberOf(other)];
    return Number.isNaN(first) || Number.isNaN(second) ? one.localeCompare(other) : (first > second) - (first < second);
  };
  const rows = [...body.rows].sort(order);
  body.append(...(up ? rows : rows.reverse()));
};

const isShown = (row) => !row.hidden && !row.classList.contains("filtered");

const addFilter = (shown, rows) => {
  const label = document.createElement("label");
  const field = document.createElement("input");
  const count = document.createElement("output");
  [field.type, field.placeholder] = ["search", "Filter the rows"];
  field.setAttribute("aria-label", "Filter the rows");
  label.className = "filter";
  label.append(field, " ", count);
  shown.before(label);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.classList.toggle("filtered", !words.every((word) => row.textContent.toLowerCase().includes(word)));
    count.textContent = words.length ? `${rows.filter(isShown).length} of ${rows.length}` : "";
  });
};

for (const table of document.querySelectorAll("table.data")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    [button.type, button.className] = ["button", "sort"];
    if (head.querySelector("a")) button.setAttribute("aria-label", `Sort by ${head.textContent.trim()}`);
    else button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head));
  }
  if (table.tBodies[0].rows.length > MANY_ROWS) addFilter(table, [...table.tBodies[0].rows]);
}

for (const list of document.querySelectorAll("ol.plain, ol.pages")) {
  if (list.children.length > MANY_ROWS) addFilter(list, [...list.children]);
}

// The shown rows, as objects: the cells of a table by heading, or the data of a list's entries.
const rowsOf = (shown) => {
  if (shown.tBodies) {
    const keys = [...shown.tHead.rows[0].cells].map((head) => head.dataset.key || head.textContent.trim());
    return [...shown.tBodies[0].rows].filter(isShown).map((row) => Object.fromEntries(
      [...row.cells].map((cell, place) => [keys[place], typed(valueOf(cell))]),
    ));
  }
  return [...shown.children].filter(isShown).map((item) => Object.fromEntries(
    Object.entries(item.dataset).map(([key, text]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), typed(text)]),
  ));
};
const typed = (text) => (text !== "" && /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : text);
// A spreadsheet runs a cell that begins with one of these signs; a quote before it prevents that.
const cell = (value) => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csv = (rows) => [Object.keys(rows[0] || {}), ...rows.map(Object.values)].map((row) => `${row.map(cell).join(",")}\r\n`).join("");

for (const tools of document.querySelectorAll("[data-of]")) {
  const shown = document.getElementById(tools.dataset.of);
  if (!shown) continue;
  tools.hidden = false;
  for (const button of tools.querySelectorAll("[data-as]")) {
    button.addEventListener("click", () => {
      const rows = rowsOf(shown);
      const text = button.dataset.as === "csv" ? csv(rows) : `${JSON.stringify(rows, null, 1)}\n`;
      const link = document.createElement("a");
      link.download = `${tools.dataset.name}.${button.dataset.as}`;
      link.href = URL.createObjectURL(new Blob([text], { type: button.dataset.as === "csv" ? "text/csv" : "application/json" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }
}
