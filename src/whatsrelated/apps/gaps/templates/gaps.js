"use strict";
for (const head of document.querySelectorAll("th")) {
  const button = document.createElement("button");
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const body = head.closest("table").tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => row.cells[head.cellIndex].textContent.trim();
    const number = (text) => (text === "" ? -1 : Number(text.replaceAll(",", "")));
    const order = (a, b) => {
      const [one, other] = [number(key(a)), number(key(b))];
      return Number.isNaN(one) || Number.isNaN(other) ? key(a).localeCompare(key(b)) : one - other;
    };
    const rows = [...body.rows].sort(order);
    body.append(...(down ? rows.reverse() : rows));
  });
}
const box = document.querySelector(".dismiss");
const ticks = [...document.querySelectorAll("input[data-line]")];
for (const tick of ticks) {
  tick.addEventListener("change", () => {
    const lines = ticks.filter((each) => each.checked).map((each) => each.dataset.line);
    box.hidden = !lines.length;
    box.querySelector("textarea").value = lines.join("\n");
  });
}
