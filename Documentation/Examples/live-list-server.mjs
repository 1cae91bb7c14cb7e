// The smallest server that <live-list> can talk to, for Node: one list in memory, and Node's own modules alone.
// `node Documentation/Examples/live-list-server.mjs [PORT]`, then open the address that it prints in two windows and drag.
//
// It sends everything as snapshots, which is always right: the element takes the difference to what it shows. A server
// for long lists sends `change` frames as well; Documentation/Frames.md has both.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const element = join(root, 'Sources/ListStream/Browser');
/** @type {Record<string, string>} */
const types = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html; charset=utf-8' };
const epoch = randomBytes(6).toString('hex'); // one life of this list: numbers of another run mean nothing

/** @type {Record<string, string>} */
const chores = { dishes: 'Ada', laundry: 'Grace', plants: 'Ada', bins: 'Linus', windows: 'Grace', shopping: 'Ken' };
let order = Object.keys(chores);
/** @type {string[]} */
const acts = []; // what was done lately, so that browsers know what to wait for no longer
let seq = 1;
/** @type {Set<import('node:http').ServerResponse>} */
const readers = new Set();

function event() {
  const content = Object.fromEntries(order.map((id) => [id, { title: id[0].toUpperCase() + id.slice(1), who: chores[id] }]));
  const frame = { format: 1, kind: 'snapshot', epoch, seq, acts: acts.slice(-100), sections: [{ id: '', items: order }], content };
  return `id: ${epoch}.${seq}\ndata: ${JSON.stringify(frame)}\n\n`;
}

/**
 * Performs a user's mutation: it is sent with the neighbours that the items should have, and an id, by which it is done only once.
 * @param {string} path
 * @param {{ act: string, ids: string[], after?: string | null, before?: string | null }} mutation
 */
function perform(path, { act, ids, after, before }) {
  if (acts.includes(act)) return;
  const moved = ids.filter((id) => order.includes(id));
  order = order.filter((id) => !moved.includes(id));
  if (path === '/moves') {
    let index = order.length;
    if (after && order.includes(after)) index = order.indexOf(after) + 1;
    else if (before && order.includes(before)) index = order.indexOf(before);
    order.splice(index, 0, ...moved);
  }
  acts.push(act);
  seq += 1;
  for (const reader of readers) reader.write(event());
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (request.method === 'POST' && (pathname === '/moves' || pathname === '/deletes')) {
    let body = '';
    for await (const part of request) body += part;
    perform(pathname, JSON.parse(body));
    response.writeHead(204).end();
  } else if (pathname === '/stream') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(event());
    readers.add(response);
    const alive = setInterval(() => response.write('event: alive\ndata: 5\n\n'), 5000);
    response.on('close', () => {
      clearInterval(alive);
      readers.delete(response);
    });
  } else {
    const name = pathname.startsWith('/live-list/') ? pathname.slice('/live-list/'.length) : null;
    const file = name === null ? join(root, 'Documentation/Examples/live-list.html') : join(element, normalize(`/${name}`));
    const bytes = await readFile(file);
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(bytes);
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (!response.headersSent) response.writeHead(error.code === 'ENOENT' ? 404 : 400);
    response.end();
  });
});
server.listen(Number(process.argv[2] ?? 8000), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
