// A drawing that can be enlarged, moved and saved: the picture of an answer, and the map.
// Zoom with Ctrl and the wheel, two fingers or buttons; an enlarged drawing moves with the pointer.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const MOST_ZOOM = 12;
const SAVED = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "fill-opacity", "font-size", "font-family", "font-weight", "paint-order", "visibility", "text-anchor", "opacity"];

const element = (name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

const keep = (name, data, type) => {
  const link = document.createElement("a");
  [link.download, link.href] = [name, URL.createObjectURL(new Blob([data], { type }))];
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

class Drawing {
  constructor(svg) {
    this.svg = svg;
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.frame = { left: x, top: y, right: x + width, bottom: y + height };
    this.whole = { ...this.frame };
    this.view = { x: 0, y: 0, zoom: 1 };
    this.moved = false;
  }

  // Which part of the drawing the pointer grabs, how it follows, and what happens in the end.
  grab() { return null; }
  drag() {}
  drop() {}

  show() {
    const [width, height] = [this.whole.right - this.whole.left, this.whole.bottom - this.whole.top];
    const { view } = this;
    const room = 1 - 1 / view.zoom;
    view.x = Math.min(Math.max(view.x, 0), room * width);
    view.y = Math.min(Math.max(view.y, 0), room * height);
    this.svg.setAttribute("viewBox", `${this.whole.left + view.x} ${this.whole.top + view.y} ${width / view.zoom} ${height / view.zoom}`);
    this.svg.style.setProperty("--zoom", view.zoom);
    this.svg.classList.toggle("grab", view.zoom > 1);
  }

  zoom(by, at = [0.5, 0.5]) {
    const [width, height] = [this.whole.right - this.whole.left, this.whole.bottom - this.whole.top];
    const next = by ? Math.min(MOST_ZOOM, Math.max(1, this.view.zoom * by)) : 1;
    this.view.x += at[0] * width * (1 / this.view.zoom - 1 / next);
    this.view.y += at[1] * height * (1 / this.view.zoom - 1 / next);
    this.view.zoom = next;
    this.show();
  }

  listen(tools) {
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
    let held = null;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, event);
      this.moved = false;
      held = { part: this.grab(event.target), x: event.clientX, y: event.clientY, view: { ...this.view }, scale: svg.getScreenCTM().inverse() };
    });
    svg.addEventListener("pointermove", (event) => {
      if (!held || !fingers.has(event.pointerId)) return;
      const [before, other] = [fingers.get(event.pointerId), [...fingers.values()].find((one) => one.pointerId !== event.pointerId)];
      fingers.set(event.pointerId, event);
      if (other) {
        const span = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        this.moved = true;
        this.zoom(span(event) / Math.max(span(before), 1), share(event));
        return;
      }
      const by = [event.clientX - held.x, event.clientY - held.y];
      if (!this.moved && Math.hypot(...by) > 4) {
        this.moved = true;
        svg.setPointerCapture(event.pointerId); // pages under the pointer are not highlighted meanwhile
      }
      if (!this.moved) return;
      if (held.part) {
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(held.scale);
        this.drag(held.part, [point.x, point.y]);
      } else if (this.view.zoom > 1) {
        const scale = (this.whole.right - this.whole.left) / this.view.zoom / svg.getBoundingClientRect().width;
        [this.view.x, this.view.y] = [held.view.x - by[0] * scale, held.view.y - by[1] * scale];
        this.show();
      }
    });
    const end = (event) => {
      fingers.delete(event.pointerId);
      if (held && held.part && this.moved) this.drop(held.part);
      held = null;
    };
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => { if (this.moved) event.preventDefault(); }, true);
    svg.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
      const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] || [0, 0];
      if (by) this.zoom(by);
      else if ((right || down) && event.target === svg && this.view.zoom > 1) {
        const { width, height } = svg.viewBox.baseVal;
        this.view.x += 0.2 * width * right;
        this.view.y += 0.2 * height * down;
        this.show();
      } else return;
      event.preventDefault();
    });
    tools.querySelector(".zoom").hidden = false;
    for (const hint of tools.parentElement.querySelectorAll(".script")) hint.hidden = false;
    for (const button of tools.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => this.zoom(Number(button.dataset.zoom)));
  }

  // The drawing as it is shown, as a file.
  file() {
    const copy = this.svg.cloneNode(true);
    const [width, height] = [this.whole.right - this.whole.left, this.whole.bottom - this.whole.top];
    const drawn = this.svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((each, place) => {
      const style = getComputedStyle(drawn[place]);
      for (const name of SAVED) each.setAttribute(name, style.getPropertyValue(name));
      for (const name of ["class", "style", "href", "tabindex", "data-url", "data-node", "data-place", "data-ends"]) each.removeAttribute(name);
    });
    for (const [name, value] of [["xmlns", SVG], ["width", width], ["height", height], ["viewBox", `${this.whole.left} ${this.whole.top} ${width} ${height}`]]) copy.setAttribute(name, value);
    const ground = getComputedStyle(this.svg.parentElement).backgroundColor;
    copy.prepend(element("rect", { x: this.whole.left, y: this.whole.top, width, height, fill: ground }));
    return new XMLSerializer().serializeToString(copy);
  }
}

// Make the links in `tools` save the drawing that `shown` returns.
const saveDrawing = (tools, shown, name) => {
  tools.querySelector(".take").hidden = false;
  const save = {
    png: async () => {
      const picture = new Image();
      picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(shown().file())}`;
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((image) => keep(`${name}.png`, image, "image/png"));
    },
    svg: () => keep(`${name}.svg`, shown().file(), "image/svg+xml"),
    json: () => keep(`${name}.json`, `${JSON.stringify(shown().data(), null, 1)}\n`, "application/json"),
  };
  for (const [kind, act] of Object.entries(save)) {
    const link = tools.querySelector(`.${kind}`);
    if (!link) continue;
    link.hidden = false;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      act();
    });
  }
};
