// Notes related to the open one, in a panel of Obsidian.
//
// The panel asks a server on this machine (`related serve VAULT`) about the note that is open.
// A click opens a note, a drag or the button inserts a link to it, and hovering shows the reasons.
// The button turns the first mention of the note into the link, if there is one.
// This file runs as it is, without a build step.
"use strict";

const { ItemView, Notice, Plugin, PluginSettingTab, Setting, requestUrl } = require("obsidian");

const VIEW = "whats-related";
const DEFAULTS = { server: "http://127.0.0.1:8765", token: "", limit: 15, notLinked: true };
const AFTER_AN_EDIT = 2500; // milliseconds: by then the server has picked it up

/** The address of a server on this machine, without a trailing slash; null for any other. */
function serverAddress(text) {
  try {
    const url = new URL(text.trim() || DEFAULTS.server);
    const local = url.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
    return local && !url.username ? url.origin + url.pathname.replace(/\/+$/, "") : null;
  } catch {
    return null;
  }
}

/** The address of a web page or a place in Obsidian, without characters that would end a link. */
function webAddress(url) {
  if (!/^(https?|obsidian):/i.test(url)) return null;
  try {
    const escaped = (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
    return new URL(url).href.replace(/[\s<>()[\]\\]/g, escaped);
  } catch {
    return null;
  }
}

/** Whether a name has a scheme that we do not open, such as javascript: or data:. */
function isForeign(url) {
  return !webAddress(url) && /^[\s\0-\x1f]*([a-z][a-z0-9+.-]*:\S|[\\/]{2})/i.test(url);
}

/** The start and end of a mention's words in its line; null if the line has changed. */
function spanOf(line, { column, anchor }) {
  const start = [...(line ?? "")].slice(0, column - 1).join("").length;
  return line?.startsWith(anchor, start) ? [start, start + anchor.length] : null;
}

class RelatedNotes extends ItemView {
  constructor(leaf, plugin) {
    super(leaf);
    this.plugin = plugin;
    this.asking = 0;
  }

  getViewType() {
    return VIEW;
  }

  getDisplayText() {
    return "What's Related";
  }

  getIcon() {
    return "waypoints";
  }

  async onOpen() {
    await this.update();
  }

  /** Query the open note, and show the answer unless another note has been opened since. */
  async update() {
    const file = this.app.workspace.getActiveFile() ?? this.file;
    this.file = file;
    const number = ++this.asking;
    if (!file || !/^(md|markdown)$/i.test(file.extension)) {
      this.show({ message: "Open a note to see its related notes here." });
      return;
    }
    const answer = await this.ask(file);
    if (number === this.asking) this.show({ file, ...answer });
  }

  /** The server's response to a query about a note. */
  request(path, query) {
    const { server, token } = this.plugin.settings;
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    return requestUrl({ url: `${server}/api/${path}?${new URLSearchParams(query)}`, headers, throw: false });
  }

  /** The server's answer for a note: results, or a message that says what to do. */
  async ask(file) {
    const { server, limit, notLinked } = this.plugin.settings;
    let response;
    try {
      response = await this.request("related", { url: file.path, why: "1", limit, new: notLinked });
    } catch {
      const vault = this.app.vault.adapter.getBasePath?.() ?? "VAULT";
      return { message: `No server answers at ${server}. Start it in a terminal: related serve "${vault}"` };
    }
    let reply = null;
    try {
      reply = response.json;
    } catch {
      // another program is listening there
    }
    if (response.status === 200 && Array.isArray(reply?.results)) return { results: reply.results };
    if (response.status === 401) return { message: "The server needs a token: enter it in the settings." };
    const sentence = reply?.error?.sentence;
    return { message: sentence ?? `${server} is not a What's Related server; change the address in the settings.` };
  }

  show({ file, message, results = [] }) {
    const root = this.contentEl;
    root.empty();
    if (file) root.createDiv({ cls: "whats-related-asked", text: `Related to ${file.basename}` });
    const toggle = root.createEl("label");
    const box = toggle.createEl("input", { type: "checkbox" });
    box.checked = this.plugin.settings.notLinked;
    toggle.createSpan({ text: " not linked yet" });
    box.addEventListener("change", () => this.plugin.change({ notLinked: box.checked }));
    const nothing = file && !message && !results.length ? "No related notes were found." : "";
    if (message || nothing) root.createEl("p", { cls: "whats-related-message", text: message || nothing });
    for (const result of results) this.showResult(root, file, result);
  }

  showResult(root, file, { url, title, evidence }) {
    const line = root.createDiv({ cls: "whats-related-item" });
    const link = line.createEl("a", { text: title || url, attr: { draggable: "true" } });
    link.setAttribute("aria-label", evidence?.sentence ?? url);
    if (isForeign(url)) return;
    link.setAttribute("href", webAddress(url) ?? url);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.open(file, url, event.ctrlKey || event.metaKey);
    });
    link.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", this.linkTo(file, url, title));
    });
    const button = line.createEl("button", { text: "+", attr: { "aria-label": "Insert a link" } });
    button.addEventListener("click", () => this.insert(file, url, title));
  }

  open(file, url, inNewTab) {
    if (isForeign(url)) return;
    const address = webAddress(url);
    if (address) window.open(address);
    else this.app.workspace.openLinkText(url, file.path, inNewTab);
  }

  /** A link in the style of the user's settings, or in Markdown for a web page; plain text if foreign. */
  linkTo(file, url, title, words) {
    const text = (title || url).replace(/[[\]<>`\\|#^\s\0-\x1f]+/g, " ").trim();
    if (isForeign(url)) return text;
    const address = webAddress(url);
    if (address) return `[${text}](<${address}>)`;
    const note = this.app.metadataCache.getFirstLinkpathDest(url, file.path);
    return note ? this.app.fileManager.generateMarkdownLink(note, file.path, undefined, words) : `[[${url.replace(/[[\]|\s\0-\x1f]+/g, " ")}]]`;
  }

  /** Where the note mentions another one, as the server has it; null if it does not. */
  async mention(file, url) {
    try {
      const { outgoing } = (await this.request("mentions", { url: file.path, limit: 1000 })).json;
      return outgoing.find(({ target }) => target === url) ?? null;
    } catch {
      return null;
    }
  }

  /**
   * Turn the mention into a link if the note still has it; otherwise insert a link at the note's
   * cursor, or at its end if the note is not open in an editor.
   */
  async insert(file, url, title) {
    const mention = await this.mention(file, url);
    const link = this.linkTo(file, url, title);
    const leaves = this.app.workspace.getLeavesOfType("markdown");
    const editor = leaves.find((leaf) => leaf.view.file?.path === file.path)?.view.editor;
    if (!editor) {
      await this.app.vault.process(file, (text) => {
        const lines = text.split("\n");
        const span = mention && spanOf(lines[mention.line - 1], mention);
        if (!span) return `${text.replace(/\n*$/, "\n\n")}${link}\n`;
        const line = lines[mention.line - 1];
        lines[mention.line - 1] = line.slice(0, span[0]) + this.linkTo(file, url, title, mention.anchor) + line.slice(span[1]);
        return lines.join("\n");
      });
      return;
    }
    const line = mention ? mention.line - 1 : 0;
    const span = mention && spanOf(editor.getLine(line), mention);
    const place = (ch) => ({ line, ch });
    if (span) editor.replaceRange(this.linkTo(file, url, title, mention.anchor), place(span[0]), place(span[1]));
    else editor.replaceSelection(link);
  }
}

class RelatedSettings extends PluginSettingTab {
  constructor(app, plugin) {
    super(app, plugin);
    this.plugin = plugin;
  }

  display() {
    const { containerEl, plugin } = this;
    containerEl.empty();
    new Setting(containerEl)
      .setName("Server")
      .setDesc("On this machine; start it with: related serve VAULT")
      .addText((text) =>
        text.setValue(plugin.settings.server).onChange(async (value) => {
          const server = serverAddress(value);
          if (server) await plugin.change({ server });
          else new Notice(`${value} is not an address on this machine; enter one such as ${DEFAULTS.server}.`);
        })
      );
    new Setting(containerEl)
      .setName("Token")
      .setDesc("Needed only if the server requires one.")
      .addText((text) => text.setValue(plugin.settings.token).onChange((token) => plugin.change({ token: token.trim() })));
    new Setting(containerEl)
      .setName("Notes")
      .setDesc("Maximum number of notes to list.")
      .addSlider((slider) => slider.setLimits(5, 50, 5).setValue(plugin.settings.limit).onChange((limit) => plugin.change({ limit })));
  }
}

module.exports = class WhatsRelated extends Plugin {
  async onload() {
    this.settings = { ...DEFAULTS, ...(await this.loadData()) };
    this.registerView(VIEW, (leaf) => new RelatedNotes(leaf, this));
    this.addRibbonIcon("waypoints", "What's Related", () => this.showPanel());
    this.addCommand({ id: "show", name: "Show related notes", callback: () => this.showPanel() });
    this.addSettingTab(new RelatedSettings(this.app, this));
    this.registerEvent(this.app.workspace.on("file-open", () => this.update()));
    this.registerEvent(this.app.vault.on("modify", () => this.updateSoon()));
    this.register(() => window.clearTimeout(this.timer));
  }

  async showPanel() {
    const { workspace } = this.app;
    let [leaf] = workspace.getLeavesOfType(VIEW);
    if (!leaf) {
      leaf = workspace.getRightLeaf(false);
      await leaf.setViewState({ type: VIEW, active: true });
    }
    workspace.revealLeaf(leaf);
  }

  async change(values) {
    Object.assign(this.settings, values);
    await this.saveData(this.settings);
    await this.update();
  }

  async update() {
    const leaves = this.app.workspace.getLeavesOfType(VIEW);
    await Promise.all(leaves.map(({ view }) => (view instanceof RelatedNotes ? view.update() : null)));
  }

  updateSoon() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.update(), AFTER_AN_EDIT);
  }
};
