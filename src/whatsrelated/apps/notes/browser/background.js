// The toolbar button opens the side panel (Chromium) or the sidebar (Firefox).
"use strict";

const api = globalThis.browser ?? globalThis.chrome;

if (api.sidePanel) {
  api.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
} else if (api.sidebarAction) {
  api.action.onClicked.addListener(() => api.sidebarAction.toggle());
}
