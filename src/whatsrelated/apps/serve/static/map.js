// The map: zoom, search and files. Matching pages are marked and listed, and their clusters stand
// out. Enlarged enough, the map shows the names of pages.
"use strict";

const MOST_LISTED = 30;
const NAMED_FROM = 2.5;
const MOST_NAMED = 40;

class SiteMap extends Drawing {
  constructor(svg) {
    super(svg);
    this.clusters = [...svg.querySelectorAll(".cluster")].map((drawn) => ({ drawn, text: drawn.querySelector("title").textContent.toLowerCase() }));
    this.pages = [...svg.querySelectorAll(".dot")].map((drawn) => ({ drawn, text: drawn.textContent.toLowerCase() }));
    this.names = svg.appendChild(element("g", { class: "names", "aria-hidden": "true" }));
    this.lit = [];
    this.waiting = 0;
  }

  show() {
    super.show();
    clearTimeout(this.waiting);
    this.names.replaceChildren();
    if (this.view.zoom >= NAMED_FROM) this.waiting = setTimeout(() => this.name(), 120);
  }

  // Write the names of pages in view, the most linked of each cluster first, unless they overlap.
  name() {
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    const letter = 6.8 / this.view.zoom;
    const boxes = [];
    const named = [];
    for (const { drawn } of this.pages) {
      if (named.length === MOST_NAMED) break;
      const [cx, cy, r] = [drawn.cx.baseVal.value, drawn.cy.baseVal.value, drawn.r.baseVal.value];
      if (cx < x || cx > x + width || cy < y || cy > y + height) continue;
      const full = drawn.textContent.replace(/ \([^()]*\)$/, "");
      const name = full.length > 28 ? `${full.slice(0, 27)}…` : full;
      const [half, high] = [(name.length + 1) * letter / 2, 2.6 * letter];
      const box = { left: cx - half, right: cx + half, top: cy + r, bottom: cy + r + high };
      if (box.left < x || box.right > x + width || box.bottom > y + height) continue;
      if (boxes.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) continue;
      boxes.push(box);
      named.push(element("text", { x: cx, y: box.top + 0.6 * high }, name));
    }
    this.names.replaceChildren(...named);
  }

  // Mark what has all these words; returns the matching pages.
  find(words) {
    for (const mark of this.lit) mark.classList.remove("lit");
    const has = ({ text }) => words.length > 0 && words.every((word) => text.includes(word));
    const found = this.pages.filter(has).map(({ drawn }) => drawn);
    const named = this.clusters.filter(has).map(({ drawn }) => drawn);
    this.lit = [...found, ...named, ...found.map((dot) => dot.closest(".cluster"))];
    for (const mark of this.lit) mark.classList.add("lit");
    this.svg.classList.toggle("searched", words.length > 0);
    return found;
  }

  // Every page with its cluster and its position.
  data() {
    return this.clusters.flatMap(({ drawn }) => [...drawn.querySelectorAll(".dot")].map((dot) => ({
      page: dot.textContent, cluster: drawn.dataset.name, x: dot.cx.baseVal.value, y: dot.cy.baseVal.value,
    })));
  }
}

const drawnMap = document.querySelector(".map");

if (drawnMap) {
  const map = new SiteMap(drawnMap);
  const tools = document.querySelector(".tools");
  map.listen(tools);
  drawnMap.tabIndex = 0;
  saveDrawing(tools, () => map, "map");
  const field = document.getElementById("find");
  const listed = document.getElementById("matches");
  field.parentElement.hidden = false;
  const find = () => {
    const found = map.find(field.value.toLowerCase().split(/\s+/).filter(Boolean));
    field.parentElement.querySelector("output").textContent = field.value.trim() ? `${found.length.toLocaleString()} ${found.length === 1 ? "page" : "pages"}${found.length > MOST_LISTED ? `; the first ${MOST_LISTED}` : ""}` : "";
    listed.hidden = !found.length;
    listed.replaceChildren(...found.slice(0, MOST_LISTED).map((dot) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = dot.parentElement.getAttribute("href");
      link.textContent = dot.textContent;
      item.append(link);
      return item;
    }));
  };
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, 60);
  });
  for (const row of document.querySelectorAll("[data-cluster]")) {
    const { drawn } = map.clusters[row.dataset.cluster];
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false]]) row.addEventListener(event, () => drawn.classList.toggle("lit", on));
  }
}
