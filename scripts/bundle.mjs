// Global set-up of the tests that start the server as a child process.
export { buildServer as setup } from "./build.mjs";
