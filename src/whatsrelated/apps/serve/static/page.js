// Completion in the box, the slider, and the picture tied to the list. The page works without them.
"use strict";

const box = document.getElementById("box");
const list = document.getElementById("suggestions");

if (box && list) {
  let chosen = -1;
  let asking = null;
  let timer = 0;

  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");

  const close = () => {
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  // Do not show suggestions for the text typed so far.
  const stop = () => {
    clearTimeout(timer);
    if (asking) asking.abort();
    close();
  };

  const choose = (place) => {
    const items = list.children;
    if (!items.length) return;
    if (items[chosen]) items[chosen].setAttribute("aria-selected", "false");
    chosen = (place + items.length) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    items[chosen].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", items[chosen].id);
  };

  const take = (item) => {
    box.value = item.dataset.url;
    stop();
    box.form.requestSubmit();
  };

  const show = (pages) => {
    list.replaceChildren(...pages.map((page, place) => {
      const item = document.createElement("li");
      item.id = `suggestion-${place}`;
      item.dataset.url = page.url;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const name = document.createElement("bdi");
      name.textContent = page.title || page.url;
      item.append(name);
      if (page.title) {
        const url = document.createElement("small");
        url.textContent = page.url;
        item.append(url);
      }
      return item;
    }));
    chosen = -1;
    list.hidden = !pages.length;
    box.setAttribute("aria-expanded", String(!list.hidden));
    box.removeAttribute("aria-activedescendant");
  };

  const complete = async () => {
    if (asking) asking.abort();
    const typed = box.value.trim();
    if (!typed) return close();
    asking = new AbortController();
    try {
      const answer = await fetch(`api/pages?limit=8&prefix=${encodeURIComponent(typed.slice(0, 1000))}`, { signal: asking.signal });
      if (answer.ok && document.activeElement === box) {
        show((await answer.json()).pages);
        list.dataset.typed = typed;
      }
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  };

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(complete, 80);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) complete();
      else choose(chosen + (event.key === "ArrowDown" ? 1 : chosen < 0 ? 0 : -1));
    } else if (event.key === "Enter" && chosen >= 0 && !list.hidden) {
      event.preventDefault();
      take(list.children[chosen]);
    } else if (event.key === "Escape") {
      if (!list.hidden) event.preventDefault();
      stop();
    }
  });
  box.addEventListener("blur", stop);
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("li");
    if (item) {
      event.preventDefault();
      take(item);
    }
  });

  document.addEventListener("keydown", (event) => {
    const inField = event.target.closest("input, select, textarea");
    if (event.key === "/" && !inField && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });

  // Leave empty fields out of the address.
  box.form.addEventListener("submit", () => {
    for (const field of box.form.elements) {
      if (field.name && !field.value && field.type !== "submit") field.disabled = true;
    }
    setTimeout(() => { for (const field of box.form.elements) field.disabled = false; }, 0);
  });
}

// The picture is already there; connect it to the list, and let users move and save it.
for (const svg of document.querySelectorAll(".sheet-of svg")) {
  const nodes = [...svg.querySelectorAll(".node")];
  const edges = [...svg.querySelectorAll(".edge")];
  const item = (node) => document.querySelector(`.results > li[data-place="${node.dataset.place}"]`);
  const light = (node, on) => {
    node.classList.toggle("lit", on);
    svg.classList.toggle("dim", on);
    for (const edge of edges) edge.classList.toggle("lit", on && edge.dataset.ends.split(" ").includes(node.dataset.node));
    if (node.dataset.place) item(node).classList.toggle("lit", on);
  };
  for (const node of nodes) {
    const owners = node.dataset.place ? [node, item(node)] : [node];
    for (const owner of owners) {
      for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
        owner.addEventListener(event, () => light(node, on));
      }
    }
  }

  const whole = svg.viewBox.baseVal;
  const [width, height] = [whole.width, whole.height];
  let view = { x: 0, y: 0, zoom: 1 };
  const show = () => {
    const room = 1 - 1 / view.zoom;
    view.x = Math.min(Math.max(view.x, Math.min(0, room * width)), Math.max(0, room * width));
    view.y = Math.min(Math.max(view.y, Math.min(0, room * height)), Math.max(0, room * height));
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${width / view.zoom} ${height / view.zoom}`);
    svg.classList.toggle("grab", view.zoom > 1);
  };
  const zoom = (by, at = [0.5, 0.5]) => {
    const next = by ? Math.min(6, Math.max(1, view.zoom * by)) : 1;
    view.x += at[0] * width * (1 / view.zoom - 1 / next);
    view.y += at[1] * height * (1 / view.zoom - 1 / next);
    view.zoom = next;
    show();
  };
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height]);
  }, { passive: false });
  let from = null;
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    if (view.zoom > 1 && event.button === 0) from = [event.clientX, event.clientY, view.x, view.y];
    moved = false;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const scale = width / view.zoom / svg.getBoundingClientRect().width;
    const by = [event.clientX - from[0], event.clientY - from[1]];
    if (Math.hypot(...by) > 4) moved = true;
    [view.x, view.y] = [from[2] - by[0] * scale, from[3] - by[1] * scale];
    show();
  });
  window.addEventListener("pointerup", () => { from = null; });
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("click", (event) => { if (moved) event.preventDefault(); });
  const tools = svg.closest(".picture").querySelector(".tools");
  tools.querySelector(".zoom").hidden = false;
  for (const button of tools.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
}

const png = document.querySelector(".tools .png");
if (png) {
  png.hidden = false;
  png.addEventListener("click", async () => {
    const answer = await fetch(png.parentElement.querySelector("a").href);
    const picture = new Image();
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = "related.png";
    link.href = canvas.toDataURL("image/png");
    link.click();
  });
}

// A bookmark that goes from any page to the answer for it: no script of ours runs over there
// but this line, and nothing is fetched.
const bookmarklet = document.getElementById("bookmarklet");
if (bookmarklet) {
  const here = JSON.stringify(new URL("./?url=", location.href).href);
  const code = `location.href=${here}+encodeURIComponent(location.href)`;
  bookmarklet.querySelector("a").href = `javascript:${encodeURIComponent(code)}`;
  bookmarklet.hidden = false;
}

const cut = document.getElementById("cut");

if (cut) {
  cut.parentElement.querySelector("button").hidden = true;
  // The results below the slider fade at once; on release the server is asked again.
  cut.addEventListener("input", () => {
    cut.parentElement.querySelector("output").textContent = `${Math.round(100 * cut.value)} %`;
    for (const item of document.querySelectorAll(".results > li")) {
      item.classList.toggle("below", Number(item.dataset.score) < Number(cut.value));
    }
  });
  cut.addEventListener("change", () => cut.form.requestSubmit());
}
