// The server's address and token, kept in this browser.
"use strict";

const field = (id) => document.getElementById(id);

readSettings().then(({ server, token }) => {
  field("server").value = server;
  field("token").value = token;
});

field("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const server = serverAddress(field("server").value);
    await api.storage.local.set({ server, token: field("token").value.trim() });
    field("server").value = server;
    field("said").textContent = "Saved.";
  } catch (error) {
    field("said").textContent = error.message;
  }
});

// A browser opens its panel only at a click.
field("panel").addEventListener("click", () => {
  if (api.sidebarAction) api.sidebarAction.open();
  else api.windows.getCurrent((here) => api.sidePanel.open({ windowId: here.id }));
});
