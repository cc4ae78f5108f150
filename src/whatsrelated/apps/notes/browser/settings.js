// The server's address and token. Only addresses on this machine are accepted.
"use strict";

const api = globalThis.browser ?? globalThis.chrome;
const DEFAULT_SERVER = "http://127.0.0.1:8765";

/** The address of a server on this machine, without a trailing slash; throws an Error for any other. */
function serverAddress(text) {
  let url;
  try {
    url = new URL(text.trim() || DEFAULT_SERVER);
  } catch {
    throw new Error(`${text} is not an address; enter one such as ${DEFAULT_SERVER}.`);
  }
  if (url.protocol !== "http:" || !["127.0.0.1", "localhost"].includes(url.hostname) || url.username) {
    throw new Error(`${text} is not on this machine; enter an address such as ${DEFAULT_SERVER}.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

async function readSettings() {
  const { server = DEFAULT_SERVER, token = "" } = await api.storage.local.get(["server", "token"]);
  return { server, token };
}
