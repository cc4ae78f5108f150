// What a user does with the plug-in, step by step; prints what he sees after each as JSON.
//
//     node obsidian_scenario.js MAIN.JS VAULT SERVER TOKEN
"use strict";

const Module = require("module");
const fs = require("fs");
const path = require("path");

const [main, vault, server, token] = process.argv.slice(2);
const stub = require("./obsidian_stub.js");
const load = Module._load;
Module._load = (name, ...rest) => (name === "obsidian" ? stub : load(name, ...rest));
const timers = [];
globalThis.window = {
  clearTimeout: (timer) => timer !== undefined && (timers[timer - 1] = null),
  setTimeout: (callback) => timers.push(callback),
  open: (url) => seen.push(["window.open", url]),
};
const seen = [];

async function use() {
  const WhatsRelated = require(path.resolve(main));
  const app = stub.makeApp(vault);
  const plugin = new WhatsRelated(app, {});
  await plugin.onload();
  const see = (step) => seen.push([step, app.workspace.leaves[0].view.contentEl.innerText]);
  const panel = () => app.workspace.leaves[0].view;

  await plugin.commands.show.callback();
  see("no note is open");
  await plugin.change({ server: "http://127.0.0.1:9" });
  app.workspace.openFile(app.vault.file("Drinks/Tea.md"));
  await panel().update();
  see("the server is off");
  plugin.tab.display();
  const [address, secret] = stub.Setting.made;
  await address.type("https://evil.example/");
  seen.push(["notices", stub.Notice.shown]);
  await address.type(`${server}/`);
  see("the token is missing");
  await secret.type(` ${token} `);
  see("not linked yet");
  seen.push(["saved", JSON.parse(plugin.data)]);

  const [link] = panel().contentEl.all("a");
  seen.push(["reason", link.attributes["aria-label"]]);
  link.dispatch("click", { ctrlKey: true });
  seen.push(["opened", app.workspace.opened]);
  const dragged = {};
  link.dispatch("dragstart", { dataTransfer: { setData: (kind, text) => (dragged[kind] = text) } });
  seen.push(["dragged", dragged]);

  const typed = [];
  const tea = app.vault.file("Drinks/Tea.md");
  const note = { getViewType: () => "markdown", file: tea, editor: { replaceSelection: (text) => typed.push(text) } };
  app.workspace.leaves.push({ view: note });
  panel().contentEl.all("button")[0].dispatch("click");
  while (!typed.length) await new Promise(setImmediate);
  seen.push(["typed", typed]);
  app.workspace.leaves.pop();
  await panel().insert(tea, "Drinks/Coffee", "Coffee");
  const rest = app.vault.file("Rest.md");
  const lines = fs.readFileSync(path.join(vault, "Rest.md"), "utf8").split("\n");
  const replaced = [];
  const editor = { getLine: (line) => lines[line], replaceRange: (...words) => replaced.push(words), replaceSelection: (text) => replaced.push(text) };
  app.workspace.leaves.push({ view: { ...note, file: rest, editor } });
  await panel().insert(rest, "Drinks/Coffee", "Coffee");
  lines[2] = "Something else";
  await panel().insert(rest, "Drinks/Coffee", "Coffee");
  app.workspace.leaves.pop();
  await panel().insert(rest, "Drinks/Coffee", "Coffee");
  seen.push(["replaced", replaced]);
  seen.push(["timers", timers.filter(Boolean).length]);
  panel().open(tea, "https://tea.example/");

  const hostile = [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "//evil.example/x",
    "\\\\evil.example\\x",
    "https://a.example/x> ) [y](javascript:alert(1)",
    "https://a.example/x)\n# Heading",
    "obsidian://open?vault=a>b",
    "A note]] [x](javascript:alert(1))\n",
    "Note: on tea",
  ];
  const opened = app.workspace.opened.length;
  const before = seen.length;
  seen.push(["links", hostile.map((url) => panel().linkTo(tea, url, "T](javascript:x) `<b>\n#"))]);
  hostile.forEach((url) => panel().open(tea, url));
  const windows = seen.splice(before + 1).map(([, url]) => url);
  seen.push(["windows", windows]);
  seen.push(["notes", app.workspace.opened.splice(opened).map(({ linktext }) => linktext)]);
  const shown = new stub.Element("div");
  hostile.forEach((url) => panel().showResult(shown, tea, { url }));
  seen.push(["addresses", shown.all("a").map((link) => link.attributes.href ?? null)]);

  const [box] = panel().contentEl.all("input");
  box.checked = false;
  await plugin.change({ notLinked: box.checked });
  see("all");
  app.workspace.openFile(app.vault.file("Unknown.md"));
  await panel().update();
  see("unknown");
  plugin.unload();
  seen.push(["listeners", app.workspace.listeners["file-open"].length + timers.filter(Boolean).length]);
}

use().then(
  () => console.log(JSON.stringify(seen)),
  (error) => {
    console.error(error);
    process.exit(1);
  }
);
