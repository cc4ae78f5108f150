// Completion in the box, the bookmark and the slider. The page works without them.
"use strict";

const withoutServer = typeof published === "object";

// The pages that the user may mean, from the server or from the files of a published site.
const pagesFor = async (typed, signal) => {
  if (withoutServer) return published.search(typed);
  const answer = await fetch(`api/pages?limit=8&prefix=${encodeURIComponent(typed)}`, { signal });
  return answer.ok ? (await answer.json()).pages : null;
};

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
    const { signal } = asking;
    try {
      const pages = await pagesFor(typed.slice(0, 1000), signal);
      if (pages && !signal.aborted && document.activeElement === box) {
        show(pages);
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
  box.form.addEventListener("submit", async (event) => {
    if (withoutServer && box.value.trim()) {
      event.preventDefault();
      const page = await published.find(box.value);
      if (page) location.assign(page.file);
      else box.setCustomValidity("No page has this in its URL or title.");
      box.reportValidity();
      box.setCustomValidity("");
      return;
    }
    for (const field of box.form.elements) {
      if (field.name && !field.value && field.type !== "submit") field.disabled = true;
    }
    setTimeout(() => { for (const field of box.form.elements) field.disabled = false; }, 0);
  });
}

// A bookmark that leads from any page to the answer for it. Only this one line runs on the other
// page, and it fetches nothing.
const bookmarklet = document.getElementById("bookmarklet");
if (bookmarklet) {
  const here = JSON.stringify(new URL(`${bookmarklet.querySelector("a").getAttribute("href")}?url=`, location.href).href);
  const code = `location.href=${here}+encodeURIComponent(location.href)`;
  bookmarklet.querySelector("a").href = `javascript:${encodeURIComponent(code)}`;
  bookmarklet.hidden = false;
}

const cut = document.getElementById("cut");

if (cut) {
  cut.parentElement.querySelector("button").hidden = true;
  // The results below the slider fade at once; when it is released, the query is sent again.
  cut.addEventListener("input", () => {
    cut.parentElement.querySelector("output").textContent = `${Math.round(100 * cut.value)}%`;
    for (const item of document.querySelectorAll(".results > li")) {
      item.classList.toggle("below", Number(item.dataset.score) < Number(cut.value));
    }
  });
  cut.addEventListener("change", () => cut.form.requestSubmit());
}

// Dismissed missing links are hidden at once and remembered by this browser.
const dismissed = document.querySelector(".dismissed");

if (dismissed) {
  const key = `dismissed ${location.pathname}`;
  const lines = new Set(JSON.parse(localStorage.getItem(key) || "[]"));
  const rows = [...document.querySelectorAll("[data-source]")];
  const lineOf = (row) => `${row.dataset.source}\t${row.dataset.target}`;
  const show = () => {
    for (const row of rows) row.hidden = lines.has(lineOf(row));
    dismissed.hidden = !lines.size;
    dismissed.querySelector("textarea").value = [...lines].join("\n");
    localStorage.setItem(key, JSON.stringify([...lines]));
  };
  for (const row of rows) {
    const button = document.createElement("button");
    [button.type, button.className, button.textContent] = ["button", "link", "Dismiss"];
    button.addEventListener("click", () => {
      lines.add(lineOf(row));
      show();
    });
    row.querySelector(".count").after(" ", button);
  }
  dismissed.querySelector("button").addEventListener("click", () => {
    lines.clear();
    show();
  });
  show();
}

// An accepted link is added to the patch of the server.
for (const button of document.querySelectorAll("button.accept")) {
  button.addEventListener("click", async () => {
    const { source, target } = button.closest("li").dataset;
    const headers = { "Content-Type": "application/json" };
    const response = await fetch("accept", { method: "POST", headers, body: JSON.stringify({ source, target }) });
    button.disabled = response.ok;
    button.textContent = response.ok ? "Accepted" : `Not accepted (${response.status})`;
  });
}
