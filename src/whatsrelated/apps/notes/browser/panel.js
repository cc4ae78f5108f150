// Show pages related to the one in the active tab, and update when the tab changes.
//
// 1. Find the active tab of the panel's window; a private tab is ignored.
// 2. Send its address, without fragment, user name and password, to the server on this
//    machine. Host permissions and the content policy allow no other destination.
// 3. Show the answer as text, with the reasons; only http, https and ftp URLs become links.
"use strict";

const LIMIT = 12;
const PATIENCE = 15000; // milliseconds
const shown = (id) => document.getElementById(id);
const own = Number(new URLSearchParams(location.search).get("window")) || undefined;
let running = null;
let last = "";

/** The active tab of the window that the panel belongs to. */
async function activeTab() {
  const where = own === undefined ? { currentWindow: true } : { windowId: own };
  const [tab] = await api.tabs.query({ active: true, ...where });
  return tab;
}

/** The address to look up for a tab, or the reason there is none. */
function pageOf(tab) {
  if (tab?.incognito) return { why: "This tab is private, so nothing is looked up." };
  let url;
  try {
    url = new URL(tab?.url || "");
  } catch {
    return { why: "There is no page in this tab." };
  }
  if (!["http:", "https:", "ftp:", "file:"].includes(url.protocol)) {
    return { why: "Open a web page to see its related pages here." };
  }
  url.hash = url.username = url.password = "";
  return { url: url.href };
}

async function update() {
  const tab = await activeTab();
  const { url, why } = pageOf(tab);
  const settings = await readSettings();
  const key = JSON.stringify([url, why, settings]);
  const asked = url && (tab.title || url);
  if (key === last) {
    shown("asked").textContent = asked ? `Related to ${asked}` : "";
    return;
  }
  last = key;
  running?.abort();
  if (!url) {
    show({ message: why });
    return;
  }
  const mine = (running = new AbortController());
  show({ asked, message: "Asking …" });
  const answer = await ask(settings, url, mine.signal);
  if (!mine.signal.aborted) show({ asked: shown("asked").textContent.slice(11), url, settings, ...answer });
}

/** The server's answer: results, or a message that says what to do. */
async function ask({ server, token }, url, signal) {
  const query = new URLSearchParams({ url, why: "1", limit: LIMIT });
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    const options = { headers, signal: limit, credentials: "omit", redirect: "error" };
    const response = await fetch(`${server}/api/related?${query}`, options);
    const reply = await response.json();
    if (response.ok) return { results: reply.results, notes: reply.notes };
    if (response.status === 401) return { message: "The server needs a token: enter it in the options." };
    return { message: reply.error.sentence };
  } catch (error) {
    if (error instanceof SyntaxError) return { message: `${server} is not a What's Related server; check the address in the options.` };
    last = ""; // retried when the tab changes or the panel is shown
    const way = `start it with “related serve web.graph”, or change its address in the options`;
    return { message: `No server answers at ${server}: ${way}.` };
  }
}

function show({ asked = "", message = "", url, settings, results = [], notes = [] }) {
  shown("asked").textContent = asked && `Related to ${asked}`;
  const nothing = url && !message && !results.length ? "No related pages were found. " : "";
  const text = message || nothing + (nothing ? notes.join(" ") : "");
  shown("message").textContent = text;
  shown("message").hidden = !text;
  shown("results").replaceChildren(...results.map(item));
  const whole = shown("whole");
  whole.hidden = !results.length;
  if (results.length) whole.href = `${settings.server}/?${new URLSearchParams({ url })}`;
}

function item({ url, title, evidence }) {
  const made = document.createElement("li");
  const name = document.createElement(isAddress(url) ? "a" : "b");
  name.textContent = title || url;
  if (isAddress(url)) {
    name.href = url;
    name.rel = "noreferrer";
    name.addEventListener("click", open);
  }
  made.append(name);
  if (title && title !== url) made.append(element("small", url));
  if (evidence?.sentence) made.append(element("p", evidence.sentence));
  return made;
}

/** A click opens the page in this tab; with Ctrl or the middle button, the browser opens a new one. */
async function open(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  const tab = await activeTab();
  if (tab) await api.tabs.update(tab.id, { url: href });
}

function isAddress(url) {
  return /^(https?|ftp):\/\//i.test(url);
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

api.tabs.onActivated.addListener(update);
api.tabs.onUpdated.addListener((id, change) => (change.url || change.title || change.status) && update());
api.storage.onChanged.addListener(update);
document.addEventListener("visibilitychange", update);
update();
