// The part of Obsidian's API that the plug-in uses, as its documentation (obsidian.d.ts) has it,
// over a vault on disk.  Elements are those that Obsidian makes of HTMLElement: createEl, empty …
"use strict";

const fs = require("fs");
const path = require("path");

class Element {
  constructor(tag, { text = "", cls = "", type = "", attr = {} } = {}) {
    Object.assign(this, { tag, text, cls, type, attributes: { ...attr }, children: [], heard: {} });
  }
  createEl(tag, options) {
    const made = new Element(tag, options);
    this.children.push(made);
    return made;
  }
  createDiv(options) {
    return this.createEl("div", options);
  }
  createSpan(options) {
    return this.createEl("span", options);
  }
  empty() {
    this.children = [];
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  addEventListener(kind, listener) {
    (this.heard[kind] ??= []).push(listener);
  }
  dispatch(kind, event = {}) {
    for (const listener of this.heard[kind] ?? []) listener({ preventDefault() {}, ...event });
  }
  all(tag) {
    return this.children.flatMap((one) => [...(one.tag === tag ? [one] : []), ...one.all(tag)]);
  }
  get innerText() {
    return [this.text, ...this.children.map((one) => one.innerText)].filter(Boolean).join("\n");
  }
}

class Events {
  constructor() {
    this.listeners = {};
  }
  on(name, listener) {
    (this.listeners[name] ??= []).push(listener);
    return { name, listener };
  }
  offref({ name, listener }) {
    this.listeners[name] = this.listeners[name].filter((one) => one !== listener);
  }
  trigger(name, ...words) {
    for (const listener of this.listeners[name] ?? []) listener(...words);
  }
}

class Component {
  constructor() {
    this.cleanup = [];
  }
  register(callback) {
    this.cleanup.push(callback);
  }
  unload() {
    for (const callback of this.cleanup.splice(0).reverse()) callback();
  }
}

class Plugin extends Component {
  constructor(app, manifest) {
    super();
    Object.assign(this, { app, manifest, commands: {}, data: null });
  }
  registerEvent(reference) {
    this.register(() => [this.app.workspace, this.app.vault].forEach((one) => reference.name in one.listeners && one.offref(reference)));
  }
  registerView(type, creator) {
    this.app.workspace.creators[type] = creator;
  }
  addRibbonIcon(icon, title, callback) {
    this.ribbon = callback;
    return new Element("div");
  }
  addCommand(command) {
    this.commands[command.id] = command;
    return command;
  }
  addSettingTab(tab) {
    this.tab = tab;
  }
  async loadData() {
    return this.data && JSON.parse(this.data);
  }
  async saveData(data) {
    this.data = JSON.stringify(data);
  }
}

class ItemView extends Component {
  constructor(leaf) {
    super();
    Object.assign(this, { leaf, app: leaf.app, contentEl: new Element("div") });
  }
}

class PluginSettingTab {
  constructor(app) {
    this.app = app;
    this.containerEl = new Element("div");
  }
}

class Setting {
  constructor(container) {
    Setting.made.push(this);
    this.container = container;
  }
  setName(name) {
    this.name = name;
    return this;
  }
  setDesc() {
    return this;
  }
  addText(build) {
    return this.add(build);
  }
  addSlider(build) {
    return this.add(build);
  }
  add(build) {
    const component = {
      setValue: (value) => ((this.value = value), component),
      setLimits: () => component,
      onChange: (callback) => ((this.type = callback), component),
    };
    build(component);
    return this;
  }
}
Setting.made = [];

class Notice {
  constructor(text) {
    Notice.shown.push(text);
  }
}
Notice.shown = [];

class Leaf {
  constructor(app) {
    this.app = app;
    this.view = null;
  }
  async setViewState({ type }) {
    this.view = this.app.workspace.creators[type](this);
    await this.view.onOpen();
  }
}

class Workspace extends Events {
  constructor(app) {
    super();
    Object.assign(this, { app, creators: {}, leaves: [], active: null, opened: [], revealed: [] });
  }
  getActiveFile() {
    return this.active;
  }
  getLeavesOfType(type) {
    return this.leaves.filter(({ view }) => view?.getViewType() === type);
  }
  getRightLeaf() {
    const leaf = new Leaf(this.app);
    this.leaves.push(leaf);
    return leaf;
  }
  revealLeaf(leaf) {
    this.revealed.push(leaf);
  }
  async openLinkText(linktext, sourcePath, newLeaf = false) {
    this.opened.push({ linktext, sourcePath, newLeaf });
  }
  openFile(file) {
    this.active = file;
    this.trigger("file-open", file);
  }
}

class Vault extends Events {
  constructor(root) {
    super();
    this.root = root;
    this.adapter = { getBasePath: () => root };
  }
  file(inner) {
    const { name, base } = path.parse(inner);
    return { path: inner, name: base, basename: name, extension: path.extname(inner).slice(1) };
  }
  async process(file, change) {
    const where = path.join(this.root, file.path);
    fs.writeFileSync(where, change(fs.readFileSync(where, "utf8")));
    this.trigger("modify", file);
  }
}

function makeApp(root) {
  const app = { vault: new Vault(root) };
  app.workspace = new Workspace(app);
  app.metadataCache = {
    getFirstLinkpathDest: (link) =>
      fs.existsSync(path.join(root, `${link}.md`)) ? app.vault.file(`${link}.md`) : null,
  };
  app.fileManager = { generateMarkdownLink: (file, source, part, words) => `[[${words ? `${file.basename}|${words}` : file.basename}]]` };
  return app;
}

/** As Obsidian's: without CORS; an error for a status of 400 and more, unless throw is false. */
async function requestUrl({ url, headers, throw: throws = true }) {
  const response = await fetch(url, { headers });
  if (throws && response.status >= 400) throw new Error(`Request failed, status ${response.status}`);
  const text = await response.text();
  return {
    status: response.status,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

module.exports = { ItemView, Notice, Plugin, PluginSettingTab, Setting, requestUrl, makeApp, Element };
