// The picture is already there; this ties it to the list and lets users explore, move and save it.
// Moving a page never changes its distance from the middle, because distance is strength.
"use strict";

const SIDES = ["below", "right", "left", "above"];
const MOST_ADDED = 6;

const turned = (from, distance, angle) => [from[0] + distance * Math.sin(angle), from[1] - distance * Math.cos(angle)];
const angleOf = (from, to) => Math.atan2(to[0] - from[0], from[1] - to[1]);
const clash = (a, b) => a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom + 1 && b.top < a.bottom + 1;

class Picture extends Drawing {
  constructor(svg) {
    super(svg);
    this.panel = svg.closest(".picture");
    this.middle = [(this.frame.left + this.frame.right) / 2, (this.frame.top + this.frame.bottom) / 2];
    // Names keep clear of the words on the rings.
    this.words = [...svg.querySelectorAll("text.ring")].map((text) => {
      const [x, y, half] = [Number(text.getAttribute("x")), Number(text.getAttribute("y")), 3 * text.textContent.length];
      return { left: x - half, right: x + half, top: y - 9, bottom: y + 3 };
    });
    this.nodes = [...svg.querySelectorAll(".node")].map((drawn) => this.read(drawn));
    this.edges = [];
    for (const drawn of svg.querySelectorAll(".edges .edge")) {
      const [a, b] = drawn.dataset.ends.split(" ").map((end) => this.nodes[end]);
      this.join(drawn, a, b);
    }
    this.nodes.forEach((node) => this.tie(node));
    if (svg.dataset.view === "answer") this.separate(this.nodes);
    this.listen(this.panel.querySelector(".tools"));
    svg.addEventListener("keydown", (event) => this.press(event));
  }

  read(drawn) {
    const at = drawn.transform.baseVal.getItem(0).matrix;
    const text = drawn.querySelector(".label");
    const anchor = text.getAttribute("text-anchor");
    const first = text.firstChild;
    const side = anchor === "start" ? "right" : anchor === "end" ? "left" : first && Number(first.getAttribute("y")) < 0 ? "above" : "below";
    const node = { drawn, text, side, x: at.e, y: at.f, radius: drawn.querySelector("circle").r.baseVal.value, edges: [], added: null, parent: null, url: drawn.dataset.url, name: null };
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

  // Record the sizes of names, all at once, because each change between would cost a new layout.
  // A picture that is not displayed has no sizes yet.
  measure(nodes) {
    for (const node of nodes.filter(({ name }) => !name || !name.width)) {
      const { width } = node.text.getBBox();
      const size = parseFloat(getComputedStyle(node.text).fontSize);
      node.name = { size, width, height: node.text.children.length * 1.25 * size };
    }
  }

  // Write a name on one side of its page.
  write(node, side) {
    node.side = side;
    const { size } = node.name;
    const { top } = this.nameBox(node);
    const x = side === "right" || side === "left" ? (side === "right" ? 1 : -1) * (node.radius + 5) : 0;
    node.text.setAttribute("text-anchor", side === "right" ? "start" : side === "left" ? "end" : "middle");
    [...node.text.children].forEach((line, place) => {
      line.setAttribute("x", x);
      line.setAttribute("y", (top - node.y + (place + 0.8) * 1.25 * size).toFixed(1));
    });
  }

  // The box of a name on one side of its page.
  nameBox(node, side = node.side) {
    const { width, height } = node.name;
    const left = node.x + (side === "right" ? node.radius + 5 : side === "left" ? -node.radius - 5 - width : -width / 2);
    const top = node.y + (side === "below" ? node.radius + 2 : side === "above" ? -node.radius - 2 - height : -height / 2);
    return { left, top, right: left + width, bottom: top + height };
  }

  pageBox({ x, y, radius }) {
    return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
  }

  // Move names to another side of their pages, or hide them, until none overlap.
  separate(nodes) {
    this.measure(this.nodes);
    const pages = this.nodes.map((node) => [node, this.pageBox(node)]);
    const others = this.nodes.filter((node) => !nodes.includes(node) && node.text.firstChild && !node.drawn.classList.contains("crowded"));
    const names = [...this.words, ...others.map((node) => this.nameBox(node))];
    const free = (node, box) => box.left >= this.whole.left && box.right <= this.whole.right && box.top >= this.whole.top && box.bottom <= this.whole.bottom
      && !names.some((other) => clash(box, other)) && !pages.some(([other, page]) => other !== node && clash(box, page));
    for (const node of nodes.filter((each) => each.text.firstChild)) {
      node.drawn.classList.remove("crowded");
      const side = [node.side, ...SIDES].find((each) => free(node, this.nameBox(node, each)));
      if (side) {
        if (side !== node.side) this.write(node, side);
        names.push(this.nameBox(node));
      } else node.drawn.classList.add("crowded");
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
    const children = pages.map((page, place) => {
      const weak = strongest > weakest ? (strongest - page.score) / (strongest - weakest) : 0.5;
      const distance = node.radius + 26 + 44 * (weak + place / Math.max(pages.length - 1, 1)) / 2;
      const drawn = element("a", { class: `node child ${[...node.drawn.classList].find((name) => /^g\d$/.test(name)) || "g0"}`, href: page.href, "aria-label": `${page.title || page.url}, related to ${node.drawn.getAttribute("aria-label")}` });
      const name = page.title || page.url.replace(/^https?:\/\//, "");
      const text = element("text", { class: "label" });
      text.append(element("tspan", {}, name.length > 22 ? `${name.slice(0, 21)}…` : name));
      drawn.append(element("title", {}, name), element("circle", { r: 6 }), text);
      this.svg.querySelector(".nodes").append(drawn);
      return { drawn, text, radius: 6, edges: [], added: null, parent: node, side: "below", url: page.url, around: [node.x, node.y], distance, x: 0, y: 0, name: null };
    });
    this.measure([...this.nodes, ...children]);
    for (const child of children) {
      this.seat(child, away);
      this.join(this.svg.querySelector(".edges").appendChild(this.line(node, child)), node, child);
      this.nodes.push(child);
      node.added.push(child);
      this.tie(child);
    }
    this.fit();
  }

  // Place a child at its distance, at the free angle nearest to the outward direction.
  seat(child, away) {
    const taken = this.words.concat(this.nodes.flatMap((node) => [this.pageBox(node), ...(node.text.firstChild && !node.drawn.classList.contains("crowded") ? [this.nameBox(node)] : [])]));
    const from = child.around;
    for (let step = 0; step < 48; step += 1) {
      [child.x, child.y] = turned(from, child.distance, away + (step % 2 ? 1 : -1) * Math.ceil(step / 2) * (Math.PI / 24));
      if (taken.some((box) => clash(this.pageBox(child), box))) continue;
      const side = SIDES.find((each) => !taken.some((other) => clash(this.nameBox(child, each), other)));
      if (!side) continue;
      this.write(child, side);
      return this.move(child, child.x, child.y);
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

  grab(target) {
    const node = this.nodes.find((each) => each.drawn === target.closest(".node"));
    return node && node.distance && this.svg.dataset.view === "answer" ? node : null;
  }

  // A page turns around the middle, or around the page it was added to.
  drag(node, to) {
    if (!this.next) requestAnimationFrame(() => this.turn(node));
    this.next = to;
  }

  turn(node) {
    if (!this.next) return;
    if (!node.drawn.classList.contains("held")) this.lift(node, true);
    const from = node.parent ? [node.parent.x, node.parent.y] : node.around;
    const angle = angleOf(from, this.next);
    this.next = null;
    this.move(node, ...turned(from, node.distance, angle));
  }

  drop(node) {
    this.turn(node);
    this.lift(node, false);
    this.separate(this.nodes);
    if (this.nodes.some((each) => each.parent)) this.fit();
  }

  // Draw the pages that move, and their lines, in layers of their own while they are held: the
  // browser then leaves all other pages as they are.
  lift(node, up) {
    node.drawn.classList.toggle("held", up);
    const group = this.svg.querySelector(up ? ".moving" : ".edges");
    for (const { drawn } of node.edges) group.append(drawn);
    for (const child of node.added || []) this.lift(child, up);
  }

  press(event) {
    this.moved = false;
    const at = this.nodes.findIndex((node) => node.drawn === event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && at >= 0) this.nodes[(at + step + this.nodes.length) % this.nodes.length].drawn.focus();
    else if (event.key === "Escape" && at >= 0 && this.nodes[at].added) this.toggle(this.nodes[at]);
    else return;
    event.preventDefault();
  }

  // The pages and lines of the picture.
  data() {
    const nodes = this.nodes.map(({ url, drawn, x, y }) => ({ url, title: drawn.querySelector("title").textContent, place: Number(drawn.dataset.place) || 0, x, y }));
    const edges = this.edges.map(({ a, b }) => ({ source: this.nodes.indexOf(a), target: this.nodes.indexOf(b) }));
    return { nodes, edges };
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
  saveDrawing(panel.querySelector(".tools"), shown, "related");
}
