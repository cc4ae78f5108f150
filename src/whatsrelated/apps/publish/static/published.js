// Search and related pages without a server, from data/*.js. They are scripts, because a page
// opened from disk cannot read other files in any other way.
"use strict";

const published = (() => {
  const root = new URL("..", document.currentScript.src);
  const BLOCK = 256;
  const UNSPOKEN = /^(https?:\/\/)?(www\.)?/;
  const waiting = new Map();
  let named = null;

  const load = (name) => {
    if (!waiting.has(name)) {
      let done;
      const loaded = new Promise((resolve, reject) => {
        done = resolve;
        const script = document.createElement("script");
        script.src = new URL(`data/${name}.js`, root).href;
        script.onerror = () => {
          waiting.delete(name);
          reject(new Error(`${name}.js cannot be read`));
        };
        document.head.append(script);
      });
      waiting.set(name, { loaded, done });
    }
    return waiting.get(name).loaded;
  };

  const loadNames = async () => {
    named ||= await load("pages").then((rows) => {
      const pages = rows.map(([url, title, links, file], number) => ({
        url, title, links, number, file: new URL(`page/${file}.html`, root).href,
        text: ` ${url.toLowerCase().replace(UNSPOKEN, "")}\t ${(title || "").toLowerCase()}`,
      }));
      return { pages, byUrl: new Map(pages.map((page) => [page.url, page])), sorted: [...pages].sort((a, b) => b.links - a.links) };
    });
    return named;
  };

  // The pages that contain the text: first those with a word that begins with it.
  const search = async (typed, most = 8) => {
    const { sorted } = await loadNames();
    const text = typed.trim().toLowerCase().replace(UNSPOKEN, "").replace(/\/$/, "");
    if (!text) return sorted.slice(0, most);
    const [begun, within] = [[], []];
    for (const page of sorted) {
      const at = page.text.indexOf(text);
      if (at < 0) continue;
      const starts = /[^\p{L}\p{N}]/u.test(page.text[at - 1]) || page.text.includes(` ${text}`);
      (starts ? begun : within).push(page);
      if (begun.length === most) break;
    }
    return [...begun, ...within].slice(0, most);
  };

  const find = async (typed) => {
    const { byUrl } = await loadNames();
    return byUrl.get(typed.trim()) || (await search(typed, 1))[0];
  };

  const relatedTo = async (url) => {
    const { pages, byUrl } = await loadNames();
    const { number } = byUrl.get(url);
    const block = await load(`related-${Math.floor(number / BLOCK)}`);
    return block[number % BLOCK].map(([other, score]) => ({ url: pages[other].url, title: pages[other].title, score, href: pages[other].file }));
  };

  // index.html?url=… leads to the page, as on a server.
  const asked = new URLSearchParams(location.search).get("url");
  if (asked) find(asked).then((page) => { if (page) location.replace(page.file); });

  return {
    search,
    relatedTo,
    find,
    pages: (rows) => waiting.get("pages").done(rows),
    related: (number, rows) => waiting.get(`related-${number}`).done(rows),
  };
})();
