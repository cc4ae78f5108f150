// The picture is already there; this ties it to the list and lets users explore, move and save it.
// Moving a page never changes its distance from the middle, because distance is strength.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const SIDES = ["below", "right", "left", "above"];
const MOST_ADDED = 6;
const SAVED = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "fill-opacity", "font-size", "font-family", "font-weight", "paint-order", "visibility", "text-anchor"];

const turned = (from, distance, angle) => [from[0] + distance * Math.sin(angle), from[1] - distance * Math.cos(angle)];
const angleOf = (from, to) => Math.atan2(to[0] - from[0], from[1] - to[1]);
const clash = (a, b) => a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom + 1 && b.top < a.bottom + 1;
const element = (name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

class Picture {
  constructor(svg) {
    this.svg = svg;
    this.panel = svg.closest(".picture");
    const { width, height } = svg.viewBox.baseVal;
    this.frame = { left: 0, top: 0, right: width, bottom: height };
    this.whole = { ...this.frame };
    this.middle = [width / 2, height / 2];
    this.view = { x: 0, y: 0, zoom: 1 };
    this.nodes = [...svg.querySelectorAll(".node")].map((drawn) => this.read(drawn));
    this.edges = [];
    for (const drawn of svg.querySelectorAll(".edges .edge")) {
      const [a, b] = drawn.dataset.ends.split(" ").map((end) => this.nodes[end]);
      this.join(drawn, a, b);
    }
    this.nodes.forEach((node) => this.tie(node));
    if (svg.dataset.view === "answer") this.separate(this.nodes);
    this.listen();
  }

  read(drawn) {
    const at = drawn.transform.baseVal.getItem(0).matrix;
    const text = drawn.querySelector(".label");
    const anchor = text.getAttribute("text-anchor");
    const first = text.firstChild;
    const side = anchor === "start" ? "right" : anchor === "end" ? "left" : first && Number(first.getAttribute("y")) < 0 ? "above" : "below";
    const node = { drawn, text, side, x: at.e, y: at.f, radius: drawn.querySelector("circle").r.baseVal.value, edges: [], added: null, parent: null, url: drawn.dataset.url };
    const around = drawn.classList.contains("query") ? [node.x, node.y] : this.middle;
    node.around = around;
    node.distance = Math.hypot(node.x - around[0], node.y - around[1]);
    return node;
  }

  join(drawn, a, b) {
    const edge = { drawn, a, b };
    this.edges.push(edge);
    a.edges.push(edge);
    b.edges.push(edge);
    return edge;
  }

  move(node, x, y) {
    const [dx, dy] = [x - node.x, y - node.y];
    [node.x, node.y] = [x, y];
    node.drawn.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    for (const { drawn, a, b } of node.edges) {
      const end = a === node ? "1" : "2";
      drawn.setAttribute(`x${end}`, (a === node ? a : b).x);
      drawn.setAttribute(`y${end}`, (a === node ? a : b).y);
    }
    for (const child of node.added || []) this.move(child, child.x + dx, child.y + dy);
  }

  // Write a name, and record its place and its box.
  write(node, side) {
    node.side = side;
    const size = parseFloat(getComputedStyle(node.text).fontSize);
    const lines = [...node.text.children];
    const high = lines.length * 1.25 * size;
    const top = side === "below" ? node.radius + 2 : side === "above" ? -node.radius - 2 - high : -high / 2;
    const x = side === "right" ? node.radius + 5 : side === "left" ? -node.radius - 5 : 0;
    node.text.setAttribute("text-anchor", side === "right" ? "start" : side === "left" ? "end" : "middle");
    lines.forEach((line, place) => {
      line.setAttribute("x", x);
      line.setAttribute("y", (top + (place + 0.8) * 1.25 * size).toFixed(1));
    });
  }

  nameBox(node) {
    const box = node.text.getBBox();
    return { left: node.x + box.x, top: node.y + box.y, right: node.x + box.x + box.width, bottom: node.y + box.y + box.height };
  }

  pageBox({ x, y, radius }) {
    return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
  }

  // Move names to another side of their pages, or hide them, until none overlap.
  separate(nodes) {
    const pages = this.nodes.map((node) => [node, this.pageBox(node)]);
    const names = this.nodes.filter((node) => !nodes.includes(node) && node.text.firstChild && !node.drawn.classList.contains("crowded")).map((node) => this.nameBox(node));
    const free = (node, box) => box.left >= this.whole.left && box.right <= this.whole.right && box.top >= this.whole.top && box.bottom <= this.whole.bottom
      && !names.some((other) => clash(box, other)) && !pages.some(([other, page]) => other !== node && clash(box, page));
    for (const node of nodes.filter((each) => each.text.firstChild)) {
      node.drawn.classList.remove("crowded");
      let box = this.nameBox(node);
      const kept = node.side;
      for (const side of [kept, ...SIDES.filter((each) => each !== kept)]) {
        if (side !== node.side) this.write(node, side);
        box = this.nameBox(node);
        if (free(node, box)) break;
        box = null;
      }
      if (box) names.push(box);
      else {
        this.write(node, kept);
        node.drawn.classList.add("crowded");
      }
    }
  }

  // Results and their list entries are highlighted together.
  tie(node) {
    const item = node.drawn.dataset.place && document.querySelector(`.results > li[data-place="${node.drawn.dataset.place}"]`);
    const light = (on) => {
      node.drawn.classList.toggle("lit", on);
      this.svg.classList.toggle("dim", on);
      for (const edge of node.edges) edge.drawn.classList.toggle("lit", on);
      if (item) item.classList.toggle("lit", on);
    };
    for (const owner of item ? [node.drawn, item] : [node.drawn]) {
      for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
        owner.addEventListener(event, () => light(on));
      }
    }
    node.drawn.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || this.svg.dataset.view !== "answer") return;
      event.preventDefault();
      if (!this.moved) this.toggle(node);
    });
  }

  async toggle(node) {
    if (node.drawn.classList.contains("query")) return this.tell(node, "The page you asked about.");
    if (node.added) {
      this.collapse(node);
      return this.tell(node, "");
    }
    node.added = [];
    const found = await relatedTo(node.url, this.svg.dataset.by).catch(() => null);
    if (!found) {
      node.added = null;
      return this.tell(node, "No answer; try again.");
    }
    const here = new Map(this.nodes.map((each) => [each.url, each]));
    const fresh = found.filter((page) => !here.has(page.url)).slice(0, MOST_ADDED);
    const known = found.slice(0, 10).map((page) => here.get(page.url)).filter((other) => other && other !== node);
    this.expand(node, fresh);
    node.shared = known.map((other) => this.join(this.svg.querySelector(".edges").appendChild(this.line(node, other)), node, other));
    return this.tell(node, `${fresh.length} related ${fresh.length === 1 ? "page" : "pages"} added${known.length ? `, ${known.length} already here` : ""}.`);
  }

  line(a, b) {
    return element("line", { class: "edge added", x1: a.x, y1: a.y, x2: b.x, y2: b.y });
  }

  expand(node, pages) {
    const away = node.distance ? angleOf(node.around, [node.x, node.y]) : 0;
    const strongest = Math.max(...pages.map((page) => page.score), 0);
    const weakest = Math.min(...pages.map((page) => page.score), strongest);
    pages.forEach((page, place) => {
      const weak = strongest > weakest ? (strongest - page.score) / (strongest - weakest) : 0.5;
      const distance = node.radius + 26 + 44 * (weak + place / Math.max(pages.length - 1, 1)) / 2;
      const drawn = element("a", { class: `node child ${[...node.drawn.classList].find((name) => /^g\d$/.test(name)) || "g0"}`, href: page.href, "aria-label": `${page.title || page.url}, related to ${node.drawn.getAttribute("aria-label")}` });
      const name = page.title || page.url.replace(/^https?:\/\//, "");
      const text = element("text", { class: "label" });
      text.append(element("tspan", {}, name.length > 22 ? `${name.slice(0, 21)}…` : name));
      drawn.append(element("title", {}, name), element("circle", { r: 6 }), text);
      const child = { drawn, text, radius: 6, edges: [], added: null, parent: node, url: page.url, around: [node.x, node.y], distance, x: 0, y: 0 };
      this.svg.querySelector(".nodes").append(drawn);
      this.seat(child, away);
      this.join(this.svg.querySelector(".edges").appendChild(this.line(node, child)), node, child);
      this.nodes.push(child);
      node.added.push(child);
      this.tie(child);
    });
    this.fit();
  }

  // Place a child at its distance, at the free angle nearest to the outward direction.
  seat(child, away) {
    const taken = this.nodes.flatMap((node) => [this.pageBox(node), ...(node.text.firstChild && !node.drawn.classList.contains("crowded") ? [this.nameBox(node)] : [])]);
    const from = child.around;
    const shapes = SIDES.map((side) => {
      this.write(child, side);
      return [side, this.nameBox(child)];
    });
    const shift = (box, x, y) => ({ left: box.left + x, right: box.right + x, top: box.top + y, bottom: box.bottom + y });
    for (let step = 0; step < 48; step += 1) {
      const [x, y] = turned(from, child.distance, away + (step % 2 ? 1 : -1) * Math.ceil(step / 2) * (Math.PI / 24));
      const page = { left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 };
      if (taken.some((box) => clash(page, box))) continue;
      for (const [side, box] of shapes) {
        const name = shift(box, x, y);
        if (taken.some((other) => clash(name, other))) continue;
        this.write(child, side);
        return this.move(child, x, y);
      }
    }
    child.drawn.classList.add("crowded");
    return this.move(child, ...turned(from, child.distance, away));
  }

  collapse(node) {
    for (const child of node.added || []) {
      this.collapse(child);
      child.drawn.remove();
      for (const edge of child.edges) this.cut(edge);
    }
    for (const edge of node.shared || []) this.cut(edge);
    this.nodes = this.nodes.filter((each) => each.parent !== node);
    node.added = node.shared = null;
    this.fit();
  }

  cut(edge) {
    edge.drawn.remove();
    this.edges = this.edges.filter((each) => each !== edge);
    for (const end of [edge.a, edge.b]) end.edges = end.edges.filter((each) => each !== edge);
  }

  // Enlarge the picture until everything is in it.
  fit() {
    this.whole = { ...this.frame };
    for (const node of this.nodes.filter((each) => each.parent)) {
      for (const box of [this.pageBox(node), this.nameBox(node)]) {
        this.whole.left = Math.min(this.whole.left, box.left - 6);
        this.whole.top = Math.min(this.whole.top, box.top - 6);
        this.whole.right = Math.max(this.whole.right, box.right + 6);
        this.whole.bottom = Math.max(this.whole.bottom, box.bottom + 6);
      }
    }
    this.zoom(0);
  }

  tell(node, sentence) {
    const told = this.panel.querySelector(".chosen");
    const name = document.createElement("bdi");
    name.textContent = node.drawn.querySelector("title").textContent;
    const link = document.createElement("a");
    link.href = node.drawn.getAttribute("href");
    link.textContent = "Show its related pages";
    told.replaceChildren(name, " ", sentence, " ", ...(node.drawn.classList.contains("query") ? [] : [link]));
    told.hidden = false;
  }

  show() {
    const [width, height] = [this.whole.right - this.whole.left, this.whole.bottom - this.whole.top];
    const { view } = this;
    const room = 1 - 1 / view.zoom;
    view.x = Math.min(Math.max(view.x, 0), room * width);
    view.y = Math.min(Math.max(view.y, 0), room * height);
    this.svg.setAttribute("viewBox", `${this.whole.left + view.x} ${this.whole.top + view.y} ${width / view.zoom} ${height / view.zoom}`);
    this.svg.classList.toggle("grab", view.zoom > 1);
  }

  zoom(by, at = [0.5, 0.5]) {
    const [width, height] = [this.whole.right - this.whole.left, this.whole.bottom - this.whole.top];
    const next = by ? Math.min(6, Math.max(1, this.view.zoom * by)) : 1;
    this.view.x += at[0] * width * (1 / this.view.zoom - 1 / next);
    this.view.y += at[1] * height * (1 / this.view.zoom - 1 / next);
    this.view.zoom = next;
    this.show();
  }

  listen() {
    const { svg } = this;
    const share = (event) => {
      const box = svg.getBoundingClientRect();
      return [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height];
    };
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, share(event));
    }, { passive: false });
    const fingers = new Map();
    let drag = null;
    const turn = (dragged) => {
      if (!dragged || !dragged.next) return;
      const { node, next } = dragged;
      const from = node.parent ? [node.parent.x, node.parent.y] : node.around;
      dragged.next = null;
      node.drawn.classList.add("held");
      this.move(node, ...turned(from, node.distance, angleOf(from, next)));
    };
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, event);
      this.moved = false;
      const drawn = event.target.closest(".node");
      const node = this.nodes.find((each) => each.drawn === drawn);
      const turns = node && node.distance && svg.dataset.view === "answer" ? node : null;
      drag = { node: turns, x: event.clientX, y: event.clientY, view: { ...this.view }, scale: svg.getScreenCTM().inverse(), next: null };
    });
    svg.addEventListener("pointermove", (event) => {
      if (!drag || !fingers.has(event.pointerId)) return;
      const [before, other] = [fingers.get(event.pointerId), [...fingers.values()].find((one) => one.pointerId !== event.pointerId)];
      fingers.set(event.pointerId, event);
      if (other) {
        const span = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        this.moved = true;
        this.zoom(span(event) / Math.max(span(before), 1), share(event));
        return;
      }
      const by = [event.clientX - drag.x, event.clientY - drag.y];
      if (!this.moved && Math.hypot(...by) > 4) {
        this.moved = true;
        svg.setPointerCapture(event.pointerId); // pages under the pointer are not highlighted meanwhile
      }
      if (!this.moved) return;
      if (drag.node) {
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drag.scale);
        const dragged = drag;
        if (!dragged.next) requestAnimationFrame(() => turn(dragged));
        dragged.next = [point.x, point.y];
      } else if (this.view.zoom > 1) {
        const scale = (this.whole.right - this.whole.left) / this.view.zoom / svg.getBoundingClientRect().width;
        [this.view.x, this.view.y] = [drag.view.x - by[0] * scale, drag.view.y - by[1] * scale];
        this.show();
      }
    });
    const drop = (event) => {
      fingers.delete(event.pointerId);
      if (drag && drag.node && this.moved) {
        turn(drag);
        drag.node.drawn.classList.remove("held");
        this.separate(this.nodes);
        if (this.nodes.some((each) => each.parent)) this.fit();
      }
      drag = null;
    };
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", drop);
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => { if (this.moved) event.preventDefault(); }, true);
    svg.addEventListener("keydown", (event) => this.press(event));
    const tools = this.panel.querySelector(".tools");
    tools.querySelector(".zoom").hidden = false;
    for (const button of tools.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => this.zoom(Number(button.dataset.zoom)));
  }

  press(event) {
    this.moved = false;
    const at = this.nodes.findIndex((node) => node.drawn === event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && at >= 0) this.nodes[(at + step + this.nodes.length) % this.nodes.length].drawn.focus();
    else if (event.key === "Escape" && at >= 0 && this.nodes[at].added) this.toggle(this.nodes[at]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else return;
    event.preventDefault();
  }

  // The pages and lines of the picture as JSON.
  data() {
    const nodes = this.nodes.map(({ url, drawn, x, y }) => ({ url, title: drawn.querySelector("title").textContent, place: Number(drawn.dataset.place) || 0, x, y }));
    const edges = this.edges.map(({ a, b }) => ({ source: this.nodes.indexOf(a), target: this.nodes.indexOf(b) }));
    return `${JSON.stringify({ nodes, edges }, null, 1)}\n`;
  }

  // The picture as it is shown, as a file.
  file() {
    const copy = this.svg.cloneNode(true);
    const [width, height] = [this.whole.right - this.whole.left, this.whole.bottom - this.whole.top];
    const drawn = this.svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((each, place) => {
      const style = getComputedStyle(drawn[place]);
      for (const name of SAVED) each.setAttribute(name, style.getPropertyValue(name));
      for (const name of ["class", "href", "data-url", "data-node", "data-place", "data-ends"]) each.removeAttribute(name);
    });
    for (const [name, value] of [["xmlns", SVG], ["width", width], ["height", height], ["viewBox", `${this.whole.left} ${this.whole.top} ${width} ${height}`]]) copy.setAttribute(name, value);
    const ground = getComputedStyle(this.svg.parentElement).backgroundColor;
    copy.prepend(element("rect", { x: this.whole.left, y: this.whole.top, width, height, fill: ground }));
    return new XMLSerializer().serializeToString(copy);
  }
}

async function relatedTo(url, by) {
  if (typeof published === "object") return published.relatedTo(url);
  const answer = await fetch(`api/related?limit=${MOST_ADDED + 24}&by=${encodeURIComponent(by)}&url=${encodeURIComponent(url)}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()).results.map((page) => ({ ...page, href: `./?url=${encodeURIComponent(page.url)}` }));
}

const pictures = [...document.querySelectorAll(".sheet-of svg")].map((svg) => new Picture(svg));
const panel = document.querySelector(".picture");
if (panel && pictures.length) {
  const shown = () => pictures.find(({ svg }) => svg.getClientRects().length) || pictures[0];
  const keep = (name, href) => {
    const link = document.createElement("a");
    [link.download, link.href] = [name, href];
    link.click();
  };
  const address = () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(shown().file())}`;
  const png = panel.querySelector(".png");
  png.hidden = false;
  png.addEventListener("click", async () => {
    const picture = new Image();
    picture.src = address();
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    keep("related.png", canvas.toDataURL("image/png"));
  });
  const svg = panel.querySelector("a.svg");
  svg.hidden = false;
  svg.addEventListener("click", (event) => {
    event.preventDefault();
    keep("related.svg", address());
  });
  // Without a server, the script writes the picture as JSON.
  const json = panel.querySelector("a.json");
  if (json) {
    json.hidden = false;
    json.addEventListener("click", (event) => {
      event.preventDefault();
      keep("related.json", `data:application/json;charset=utf-8,${encodeURIComponent(shown().data())}`);
    });
  }
  for (const hint of panel.querySelectorAll(".script")) hint.hidden = false;
}
