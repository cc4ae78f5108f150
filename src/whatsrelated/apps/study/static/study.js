// Handles keys; in a list, saves each rating immediately. Everything also works without this file.
"use strict";
const list = document.getElementById("list");
const choices = [...document.querySelectorAll(".choice")];

function here() {
  return list ? document.activeElement.closest(".choice") || choices[0] : document;
}

function move(by) {
  const at = choices.indexOf(document.activeElement.closest(".choice"));
  const next = choices[Math.min(Math.max(at + by, 0), choices.length - 1)];
  if (next) (next.querySelector(":checked") || next.querySelector("input")).focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("textarea")) return;
  const pressed = here() && here().querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  const link = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (pressed) pressed.click();
  else if (event.key === "o") here().querySelector(".candidate h2 a, legend a")?.click();
  else if (list && event.key === "j") move(1);
  else if (list && event.key === "k") move(-1);
  else if (!list && link) document.querySelector(`a[rel="${link}"]`)?.click();
});

list?.addEventListener("change", async (event) => {
  const saved = document.getElementById("saved");
  const body = new URLSearchParams([[event.target.name, event.target.value]]);
  saved.textContent = "Saving…";
  try {
    const answer = await fetch(list.action, { method: "POST", body, headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.status);
    const { done } = await answer.json();
    document.getElementById("done").textContent = done;
    document.getElementById("progress").value = done;
    saved.textContent = "Saved";
  } catch {
    saved.textContent = "Not saved: press the button to try again.";
  }
});
document.getElementById("bring")?.addEventListener("submit", (event) => {
  event.target.querySelector("button").disabled = true;
  document.getElementById("asking").textContent = "Asking the methods…";
});
document.documentElement.dataset.keys = "ready";
