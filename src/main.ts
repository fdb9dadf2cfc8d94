// The entry point of the server, and of the sandbox.

if (process.argv[2] === 'sandbox') {
  const { startSandbox } = await import('./sandbox.ts');
  await startSandbox(process.env);
} else {
  const { start } = await import('./start.ts');
  await start(process.env);
}
