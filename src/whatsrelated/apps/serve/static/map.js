// Search on the map: matching pages are marked, listed, and their clusters stand out.
"use strict";

const field = document.getElementById("find");

if (field) {
  const MOST = 30;
  const map = document.querySelector(".map");
  const listed = document.getElementById("matches");
  const pages = [...map.querySelectorAll(".dot")].map((dot) => [dot.textContent.toLowerCase(), dot]);
  const clusters = [...map.querySelectorAll(".cluster")].map((cluster) => [cluster.querySelector("title").textContent.toLowerCase(), cluster]);
  field.parentElement.hidden = false;
  let lit = [];
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const mark of lit) mark.classList.remove("lit");
    const has = ([text]) => words.every((word) => text.includes(word));
    const found = words.length ? pages.filter(has).map(([, dot]) => dot) : [];
    const named = words.length ? clusters.filter(has).map(([, cluster]) => cluster) : [];
    lit = [...found, ...named, ...found.map((dot) => dot.closest(".cluster"))];
    for (const mark of lit) mark.classList.add("lit");
    map.classList.toggle("searched", words.length > 0);
    field.parentElement.querySelector("output").textContent = words.length ? `${found.length.toLocaleString()} pages${found.length > MOST ? `; the first ${MOST}` : ""}` : "";
    listed.hidden = !found.length;
    listed.replaceChildren(...found.slice(0, MOST).map((dot) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = dot.parentElement.getAttribute("href");
      link.textContent = dot.textContent;
      item.append(link);
      return item;
    }));
  };
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, 60);
  });
  for (const row of document.querySelectorAll("[data-cluster]")) {
    const cluster = clusters[row.dataset.cluster][1];
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false]]) row.addEventListener(event, () => cluster.classList.toggle("lit", on));
  }
}
