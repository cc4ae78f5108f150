// The picture of a vicinity: hubs on the left, the query in the middle, authorities on the right.
"use strict";

(async () => {
  const place = document.getElementById("picture");
  const status = document.getElementById("picture-status");
  const list = document.getElementById("picture-list");
  const section = place.closest("section");
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  const answer = await fetch(section.dataset.picture);
  if (!answer.ok) {
    status.textContent = (await answer.json()).error.sentence;
    return;
  }
  const vicinity = await answer.json();
  const best = (way) => Math.max(1e-9, ...vicinity.nodes.filter((node) => !node.roles.includes("query")).map((node) => node[way]));
  const [bestHub, bestAuthority] = [best("hub"), best("authority")];

  const walk = (url) => {
    const address = new URL(section.dataset.walk, location.href);
    address.searchParams.append("url", url);
    return address.href;
  };

  // A page is what it is more of; one that is neither is a child, or just there.
  const kind = (node) => {
    if (node.roles.includes("query")) return "query";
    const [hub, authority] = [node.hub / bestHub, node.authority / bestAuthority];
    if (Math.max(hub, authority) < 0.01 && node.roles.includes("child")) return "child";
    return hub > authority ? "hub" : "authority";
  };
  const strength = (node) => Math.min(1, Math.max(node.hub / bestHub, node.authority / bestAuthority));
  const name = (node) => node.title || node.url.replace(/^https?:\/\//, "");
  const cut = (text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);

  const narrow = place.clientWidth < 640;
  const [width, height] = [place.clientWidth, place.clientHeight];
  const nodes = vicinity.nodes.map((node, number) => ({ ...node, id: String(number), kind: kind(node), strength: strength(node) }));
  const row = (kinds) => nodes.filter((node) => kinds.includes(node.kind)).sort((a, b) => b.strength - a.strength);

  // The strongest stand at the height of the query, the others above and below by turns.
  const lay = (side, column, bend) => {
    column.forEach((node, place) => {
      const turn = Math.ceil(place / 2) * (place % 2 ? -1 : 1);
      const y = (turn / Math.max(1, column.length / 2)) * 0.46;
      node.size = Math.min(26, Math.max(7, (0.95 * height) / column.length)) * (0.45 + 0.55 * Math.sqrt(node.strength));
      node.position = { x: width * (0.5 + side * (narrow ? 0.4 : 0.24) * (1 - bend * y * y)), y: height * (0.5 + y) };
    });
  };
  lay(-1, row(["hub"]), 0.5);
  lay(1, row(["authority", "child"]), 0.5);
  row(["query"]).forEach((node, place, all) => {
    node.position = { x: width / 2, y: height * (0.5 + 0.12 * (place - (all.length - 1) / 2)) };
  });

  const label = (node) => (narrow ? node.kind === "query" : true) ? cut(name(node)) : "";
  const graph = cytoscape({
    container: place,
    elements: [
      ...nodes.map((node) => ({ data: { id: node.id, label: label(node), kind: node.kind, size: node.size || 30 }, position: node.position })),
      ...vicinity.edges.map(([from, to], number) => ({ data: { id: `e${number}`, source: String(from), target: String(to), own: [from, to].some((end) => nodes[end].kind === "query") } })),
    ],
    layout: { name: "preset", fit: true, padding: narrow ? 12 : 24 },
    minZoom: 0.3,
    maxZoom: 4,
    userZoomingEnabled: !narrow,
    style: [
      { selector: "node", style: { width: "data(size)", height: "data(size)", label: "data(label)", color: color("ink"), "font-size": 11, "font-family": "system-ui, sans-serif", "text-valign": "center", "text-background-color": color("sheet"), "text-background-opacity": 0.7, "text-margin-x": 4 } },
      { selector: "node[kind='hub']", style: { "background-color": color("hub"), "text-halign": "left", "text-margin-x": -4 } },
      { selector: "node[kind='authority']", style: { "background-color": color("authority"), "text-halign": "right" } },
      { selector: "node[kind='child']", style: { "background-color": color("child"), "text-halign": "right" } },
      { selector: "node[kind='query']", style: { "background-color": color("ink"), "font-size": 14, "font-weight": "bold", "text-valign": "bottom", "text-margin-y": 4, "text-margin-x": 0, "z-index": 9 } },
      { selector: "edge", style: { width: 1, "line-color": color("soft"), opacity: 0.18, "curve-style": "haystack" } },
      { selector: "edge[?own]", style: { "line-color": color("hub"), opacity: 0.5 } },
      { selector: ".near", style: { opacity: 1 } },
      { selector: "edge.near", style: { opacity: 0.9, width: 1.5, "line-color": color("accent") } },
      { selector: ".far", style: { opacity: 0.12 } },
    ],
  });
  section.cytoscape = graph;

  const count = (number, what) => `${number.toLocaleString("en")} ${what}`;
  const overall = `${count(nodes.length, "of")} ${count(vicinity.pages, "pages")}, ${count(vicinity.links, "links between sites")}. Point at a page for its name; choose it to go there.`;
  const say = (node) => { status.textContent = `${name(node)} · ${node.url} · ${node.roles.join(", ")} · ${count(node.in, "pages link to it")}, it links to ${node.out.toLocaleString("en")}`; };
  status.textContent = overall;

  graph.on("mouseover", "node", (event) => {
    const near = event.target.closedNeighborhood();
    graph.elements().difference(near).addClass("far");
    near.addClass("near");
    say(nodes[Number(event.target.id())]);
    place.classList.add("pointing");
  });
  graph.on("mouseout", "node", () => {
    graph.elements().removeClass("far near");
    status.textContent = overall;
    place.classList.remove("pointing");
  });
  // A finger cannot point: the first touch names a page, the second goes there.
  let touched = "";
  graph.on("tap", "node", (event) => {
    const node = nodes[Number(event.target.id())];
    const first = event.originalEvent.type.startsWith("touch") && touched !== node.id;
    touched = node.id;
    if (first) say(node);
    else if (node.kind !== "query") location.href = walk(node.url);
  });

  list.replaceChildren(...nodes.filter((node) => node.kind !== "query").map((node) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = walk(node.url);
    const title = document.createElement("bdi");
    title.textContent = name(node);
    link.append(title);
    item.append(link, ` ${node.kind}, ${node.roles.join(", ")}`);
    return item;
  }));
})();
