// The hub of all tabs, where browsers have shared workers.

import { Hub } from './hub.js';

/** @type {Map<string, MessagePort>} */
const ports = new Map();
const hub = new Hub(/** @type {string} */ (new URLSearchParams(location.search).get('streams')), (tab, message) => ports.get(tab)?.postMessage(message));

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: { tab, message } }) => {
    ports.set(tab, port);
    hub.receive(tab, message);
    if (message.gone) ports.delete(tab);
  };
};
