// A hook for Playwright's driver (quiet.py, by NODE_OPTIONS). The driver has Chromium tell of every request of every page, whether anybody
// listens or not, which is a third of what it costs to open one. A browser that is started with --quiet-network tells of none.
'use strict';

const processes = require('node:child_process');
const { spawn } = processes;

processes.spawn = (command, args, options) => {
  const child = spawn(command, args, options);
  const pipe = child.stdio?.[3]; // by which the driver speaks to a browser
  if (pipe && Array.isArray(args) && args.includes('--quiet-network')) {
    const write = pipe.write.bind(pipe);
    // Disabled is what it is already: the driver has its answer, and nothing follows. Sessions of a test's own come with parameters.
    pipe.write = (message, ...rest) => write(
      typeof message === 'string' ? message.replace('"method":"Network.enable","sessionId"', '"method":"Network.disable","sessionId"') : message,
      ...rest);
  }
  return child;
};
